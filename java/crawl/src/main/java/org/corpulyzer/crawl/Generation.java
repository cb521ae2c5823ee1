package org.corpulyzer.crawl;

import java.io.IOException;
import java.nio.file.Files;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.util.NutchConfiguration;

/** The phase GENERATE: chooses the addresses of a round. */
final class Generation {
  /** What was chosen. */
  private static final class Chosen {
    private final int addresses;

    /** Addresses of these that were fetched before. */
    private final int again;

    private final int probes;

    Chosen(int addresses, int again, int probes) {
      this.addresses = addresses;
      this.again = again;
      this.probes = probes;
    }
  }

  private final CrawlOptions options;
  private final DataFolder data;
  private final CrawlDbFolder crawlDb;
  private final CrawlState state;
  private final HostScoring scoring;
  private final Configuration conf;
  private final Supplier<Configuration> scored;
  private final Console console;

  /**
   * @param scored the configuration of the score passes
   */
  Generation(
      CrawlOptions options,
      DataFolder data,
      CrawlDbFolder crawlDb,
      CrawlState state,
      HostScoring scoring,
      Configuration conf,
      Supplier<Configuration> scored,
      Console console) {
    this.options = options;
    this.data = data;
    this.crawlDb = crawlDb;
    this.state = state;
    this.scoring = scoring;
    this.conf = conf;
    this.scored = scored;
    this.console = console;
  }

  /**
   * @return the result of the phase for the console; null if nothing is left to fetch
   */
  String run() throws CrawlException, IOException {
    Segment segment = data.segment(state.round());
    LocalFiles.deleteTree(segment.folder());
    long fetched = state.yields().stream().mapToLong(yield -> yield.fetched).sum();
    long top = Math.min(options.top, options.maxPages - fetched);
    if (top <= 0) {
      console.say("the " + options.maxPages + " pages of --max-pages are fetched");
      return null;
    }
    if (!Files.exists(data.hostDb().resolve("current"))) {
      scoring.updateHostDb();
    }
    Segment made = new Segment(data.temporary().resolve("generated"), state.round());
    LocalFiles.deleteTree(made.folder());
    Chosen chosen = choose((int) Math.min(top, Integer.MAX_VALUE / 2), made);
    if (chosen.addresses == 0) {
      sayNothingIsLeft();
      return null;
    }
    LocalFiles.createPrivate(segment.folder().getParent());
    Files.move(made.folder(), segment.folder());
    return chosen.addresses
        + " addresses"
        + (chosen.again == 0 ? "" : ", " + chosen.again + " of them fetched before")
        + (chosen.probes == 0 ? "" : ", " + chosen.probes + " probes");
  }

  private Chosen choose(int most, Segment made) throws CrawlException, IOException {
    org.apache.hadoop.fs.Path file = made.file(CrawlDatum.GENERATE_DIR_NAME);
    if (options.ordersPages()) {
      long began = options.refresh == 0 ? 0 : state.beginRefresh(System.currentTimeMillis());
      CrawlDbFolder.PageChoice choice =
          crawlDb.selectPages(
              scored.get(), most, options.refresh, began, made, data.segment(state.round() - 1));
      return new Chosen(choice.addresses, choice.again, choice.probes);
    }
    Configuration fresh = new Configuration(conf);
    if (options.mode == CrawlOptions.Mode.S) {
      // Nutch has one filter for all configurations of one name, and the filter reads HostDb once.
      fresh.set(NutchConfiguration.UUID_KEY, UUID.randomUUID().toString());
    }
    if (options.refresh == 0) {
      return new Chosen(crawlDb.select(fresh, most, file), 0, 0);
    }
    long began = state.beginRefresh(System.currentTimeMillis());
    int[] chosen = crawlDb.selectWithPages(fresh, most, options.refresh, began, file);
    return new Chosen(chosen[1], chosen[0], 0);
  }

  private void sayNothingIsLeft() throws CrawlException, IOException {
    int waiting = crawlDb.waiting();
    console.say(
        waiting == 0
            ? "nothing is left to fetch"
            : "nothing is left to fetch now; "
                + waiting
                + (waiting == 1 ? " host" : " hosts")
                + " asked for fewer requests, and the times until which they wait are in "
                + data.hostWaits());
  }
}
