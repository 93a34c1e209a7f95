# The command line with its own Java runtime:
#   docker build -t bellows .
#   docker run --rm -i -v "$PWD:/data" bellows build -o words.bloom words.txt
FROM maven:3.9-eclipse-temurin-17 AS build
WORKDIR /src
COPY . .
RUN mvn -B -q package -Pimage -DskipTests -pl cli -am

FROM debian:12-slim
COPY --from=build /src/cli/target/image /opt/bellows
ENV LANG=C.UTF-8
WORKDIR /data
ENTRYPOINT ["/opt/bellows/bin/bellows"]
CMD ["--help"]
