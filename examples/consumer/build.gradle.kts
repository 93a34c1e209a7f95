// gradle run, after a release into target/release
plugins {
  application
}

val bellowsVersion = providers.gradleProperty("bellows.version").getOrElse("0.1.0-SNAPSHOT")
val bellowsRepository = providers.gradleProperty("bellows.repository").getOrElse("../../target/release")

repositories {
  maven(url = uri(bellowsRepository)) // not needed for what is on Maven Central
  mavenCentral()
}

dependencies {
  implementation(platform("dev.bellows:bellows-bom:$bellowsVersion"))
  implementation("dev.bellows:bellows-core")
  implementation("dev.bellows:bellows-metrics")
}

sourceSets.main {
  java.srcDir("module-path/src/main/java") // without its module-info: on the class path
}

java {
  toolchain.languageVersion = JavaLanguageVersion.of(17)
}

application {
  mainModule = "shop"
  mainClass = "shop.Main"
}
