package dev.bellows.cli.redis;

import dev.bellows.cli.console.VerbGroup;
import picocli.CommandLine.Command;

/** {@code bellows redis}: filters in a Redis or Valkey server. */
@Command(
    name = "redis",
    synopsisSubcommandLabel = "WHAT",
    commandListHeading = "%nWhat to do:%n",
    description = {
      "Filters in a Redis or Valkey server, which many services update and query at the same time.",
      "The password is that of the variable BELLOWS_REDIS_PASSWORD, or of --password-file."
    },
    footer = {
      "  bellows redis create --url redis://localhost:6379 users --keys 1M --fpp 1%%",
      "  bellows redis add --url redis://localhost:6379 users users.txt",
      "  bellows redis query --url redis://localhost:6379 users ann bob"
    },
    subcommands = {
      RedisCreate.class,
      RedisAdd.class,
      RedisQuery.class,
      RedisInfo.class,
      RedisFold.class,
      RedisUnion.class,
      RedisDownload.class,
      RedisUpload.class,
      RedisDrop.class
    })
public final class Redis extends VerbGroup {}
