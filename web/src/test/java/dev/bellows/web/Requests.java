package dev.bellows.web;

import java.util.ArrayList;
import java.util.List;

/** Requests to all planners, from usual to odd. */
final class Requests {
  private Requests() {}

  record Request(String tab, String inputs) {
    static Request of(String tab, String... inputs) {
      return new Request(tab, String.join("\n", inputs));
    }
  }

  static List<Request> all() {
    List<Request> all = new ArrayList<>();
    for (String layout : List.of("layout=classic", "layout=blocked")) {
      for (String keys : List.of("keys=1", "keys=37", "keys=1M")) {
        for (String fpp : List.of("fpp=20%", "fpp=1%", "fpp=1/12345", "fpp=1e-9")) {
          all.add(Request.of("size", keys, fpp, layout));
        }
      }
      // the interpreter takes a second for each of these
      all.add(Request.of("size", "keys=3G", "fpp=20%", layout));
      all.add(Request.of("size", "keys=3G", "fpp=1e-9", layout));
      all.add(Request.of("size", "keys=1M", "bits=1 MiB", layout));
      all.add(Request.of("size", "fpp=0.1%", "bits=64 KiB", layout));
      all.add(
          Request.of(
              "grow",
              "keys=40k",
              "fpp=1%",
              "initial=1k",
              "horizon=1G",
              "universe=2^30",
              "unitkeys=1024",
              layout));
      all.add(
          Request.of(
              "grow",
              "keys=3M",
              "fpp=1e-6",
              "initial=50",
              "horizon=2M",
              "universe=1000003",
              "unitkeys=77",
              "spread=crowded",
              layout));
    }
    for (String fpp : List.of("fpp=1%", "fpp=1e-6")) {
      all.add(Request.of("window", "keys=50M", fpp, "window=24h"));
      all.add(Request.of("window", "keys=1", fpp, "window=15 ms", "generations=15"));
      all.add(
          Request.of(
              "window", "keys=7k", fpp, "window=1h30m", "generations=3", "pergeneration=7k"));
    }
    all.add(Request.of("size", "keys=100", "bits=1000", "hashes=7"));
    all.add(Request.of("size", "keys=5k", "fpp=1%", "layout=blocked", "pattern=4x3"));
    for (String sent : List.of("sent=", "sent=2520", "sent=2520, 3080", "sent=2520, 3080, 3696")) {
      all.add(
          Request.of(
              "fold",
              "capacity=55440",
              "keys=400",
              "hashes=4",
              "fpp=1%",
              "tolerance=0.2%",
              "budget=320",
              sent));
    }
    all.add(
        Request.of(
            "fold",
            "capacity=184320",
            "keys=2k",
            "hashes=6",
            "fpp=1%",
            "tolerance=0.5%",
            "layout=blocked",
            "sent=61440, 92160",
            "budget=4KiB"));
    all.add(Request.of("capacity", "range=1k..20k", "fpp=1%", "tolerance=0.2%"));
    all.add(Request.of("capacity", "range=1k..9k", "fpp=0.1%", "tolerance=0", "layout=blocked"));
    all.add(Request.of("smooth", "from=50000", "within=1000", "smooth=11"));
    for (String scheme : List.of("both", "division", "overlapping", "plain")) {
      for (String range : List.of("range=1", "range=44", "range=1000")) {
        all.add(
            Request.of("range", "bits=512", "hashes=8", "domain=10k", range, "scheme=" + scheme));
      }
    }
    all.add(Request.of("range", "bits=1024", "maxhashes=9", "domain=5000", "range=300"));
    all.add(
        Request.of(
            "profile",
            "bits=512",
            "hashes=8",
            "strings=5",
            "attribute=Age:120:10",
            "attribute=Year:201:20",
            "attribute=Longitude:3600001:100"));
    for (String criterion : List.of("accuracy", "cost", "f1", "mcc")) {
      all.add(
          Request.of(
              "autoscale",
              "bits=1000",
              "hashes=24",
              "keys=160",
              "mintpr=90%",
              "criterion=" + criterion,
              "share=20%",
              "costfp=3"));
    }
    all.add(Request.of("autoscale", "bits=1000", "hashes=20", "keys=300", "theta=5"));
    all.add(Request.of("autoscale", "bits=1000", "hashes=20", "keys=300", "theta=5", "decision=9"));
    all.add(
        Request.of(
            "fold", "capacity=100", "keys=9", "hashes=2", "fpp=1%", "tolerance=0", "sent=33"));
    all.add(
        Request.of(
            "range", "bits=512", "hashes=8", "domain=120", "range=40", "divide=2", "shift=3"));
    for (String horizon : List.of("horizon=1", "horizon=30")) {
      all.add(
          Request.of(
              "grow", "keys=12", "fpp=1%", "initial=1", horizon, "universe=9", "unitkeys=3"));
    }
    all.addAll(refused());
    return all;
  }

  /** What must be refused in words. */
  static List<Request> refused() {
    return List.of(
        Request.of("size", "keys=ten", "fpp=1%"),
        Request.of("size", "keys=1M"),
        Request.of("size", "keys=-5", "fpp=1%"),
        Request.of("size", "keys=1M", "fpp=150%"),
        Request.of("size", "keys=1M", "fpp=0"),
        Request.of("size", "keys=1e99", "fpp=1%"),
        Request.of("size", "keys=9223372036854775807", "fpp=1e-300"),
        Request.of("size", "keys=1M", "bits=9999999 TiB"),
        Request.of("size", "keys=<script>alert(1)</script>", "fpp=1%"),
        Request.of("size", "keys=" + "9".repeat(3000), "fpp=1%"),
        Request.of("size", "keys=1M", "fpp=1%", "layout=round"),
        Request.of("size", "keys=1M", "fpp=1%", "hashes=5", "layout=blocked"),
        Request.of("fold", "capacity=9223372036854775783", "keys=1", "hashes=3"),
        Request.of("fold", "capacity=100", "keys=9", "hashes=2", "fpp=1%", "tolerance=7"),
        Request.of("size", "solve=bits", "fpp=1%", "bits=1 MiB"),
        Request.of("size", "solve=keys", "fpp=1%"),
        Request.of("size", "bits=1e18", "fpp=1%"),
        Request.of("size", "keys=1M", "fpp=1%", "hashes=0"),
        Request.of("grow", "keys=1", "fpp=0", "initial=1", "horizon=3", "universe=9", "unitkeys=3"),
        Request.of(
            "grow", "keys=1", "fpp=1%", "initial=1", "horizon=3", "universe=0", "unitkeys=3"),
        Request.of(
            "grow", "keys=1e12", "fpp=1%", "initial=1", "horizon=1", "universe=9", "unitkeys=3"),
        Request.of(
            "range", "bits=512", "hashes=8", "domain=99", "range=11", "divide=12", "shift=3"),
        Request.of("range", "bits=512", "domain=99", "range=11", "divide=2"),
        Request.of("autoscale", "bits=1000", "hashes=20", "keys=5", "theta=1", "decision=21"),
        Request.of("capacity", "range=1M..1k", "fpp=1%", "tolerance=0"),
        Request.of("grow", "keys=1", "fpp=1%"),
        Request.of("window", "keys=1", "fpp=1%"),
        Request.of("window", "keys=0", "fpp=1%", "window=24h"),
        Request.of("window", "keys=1", "fpp=1%", "window=24x"),
        Request.of("window", "keys=1", "fpp=1%", "window=6ms"),
        Request.of("window", "keys=1", "fpp=1%", "window=24h", "generations=8"),
        Request.of("window", "keys=1", "fpp=1%", "window=24h", "pergeneration=0"),
        Request.of("window", "keys=1e18", "fpp=1e-9", "window=24h"),
        Request.of("range", "bits=512", "hashes=8", "domain=10", "range=11"),
        Request.of("range", "bits=512", "hashes=100000", "domain=100", "range=11"),
        Request.of("profile", "bits=512", "strings=1", "attribute=Age"),
        Request.of("profile", "bits=512", "strings=1", "attribute=\"; x:1:1"),
        Request.of("autoscale", "bits=10", "hashes=11", "keys=5"),
        Request.of("autoscale", "bits=1000", "hashes=20", "keys=5", "criterion=luck"),
        Request.of("nothing"));
  }
}
