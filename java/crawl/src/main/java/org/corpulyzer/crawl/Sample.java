package org.corpulyzer.crawl;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Crawls the sample web twice, by the language of what was fetched and by links, and compares the
 * yields. The language of a page comes from the log of the server that generated it, never from the
 * identifier that steers the crawl.
 */
public final class Sample {
  /** One crawl of the two. */
  public static final class Outcome {
    private final List<RoundYield> rounds = new ArrayList<>();
    private final Set<String> hosts = new HashSet<>();
    private final Set<String> richHosts = new HashSet<>();
    private int requestsRead;

    public List<RoundYield> rounds() {
      return rounds;
    }

    /** Hosts rich in the language from which at least one page was fetched. */
    public int richHosts() {
      return richHosts.size();
    }

    /** Takes the requests since the last round as the next round. */
    public void addRound(List<String> requests) {
      long fetched = 0;
      long inLanguage = 0;
      int hostsBefore = hosts.size();
      for (String request : requests.subList(requestsRead, requests.size())) {
        String[] fields = request.split("\t");
        String kind = fields[4];
        if (!fields[2].equals("200") || kind.equals("robots")) {
          continue;
        }
        String host = URI.create(fields[1]).getHost();
        fetched++;
        hosts.add(host);
        if (fields[3].equals(TRUE_LANGUAGE)) {
          inLanguage++;
        }
        if (kind.equals(RICH)) {
          richHosts.add(host);
        }
      }
      requestsRead = requests.size();
      rounds.add(
          new RoundYield(
              rounds.size() + 1, fetched, inLanguage, hosts.size() - hostsBefore, inLanguage));
    }
  }

  /** The kind of hosts that are rich in the language, as the sample web names it. */
  public static final String RICH = "rich";

  /** The language of the web of our own. */
  static final String LANGUAGE = "ur";

  private static final String TRUE_LANGUAGE = "urd";
  private static final int ROUNDS = 8;
  private static final int TOP = 200;

  /** The options that the sample's crawls take; it decides the others itself. */
  private static final Set<String> OPTIONS =
      Set.of(
          "--sample",
          "--sample-seed",
          "--data",
          "--mode",
          "--score-policy",
          "--duplicates",
          "--links",
          "--max-tunnel",
          "--max-hops",
          "--page-policy",
          "--min-bytes",
          "--extractor",
          "--comments",
          "--headline",
          "--profile",
          "--identifier",
          "--reject-junk",
          "--pack",
          "--target-bytes",
          "--dashboard",
          "--json-log");

  private final CrawlOptions asked;
  private final PrintStream out;

  Sample(CrawlOptions asked, PrintStream out) {
    this.asked = asked;
    this.out = out;
  }

  /** Both crawls, then both tables side by side. */
  void run() throws CrawlException {
    out.println("1. by language (policy " + asked.policy() + ", mode " + asked.mode + ")");
    Outcome byLanguage = crawl(CrawlOptions.Scoring.lrl);
    out.println();
    out.println("2. the control: by links");
    Outcome byLinks = crawl(CrawlOptions.Scoring.link);
    out.println();
    out.print(table(byLanguage, byLinks));
    out.printf(
        Locale.ROOT,
        "of %d hosts rich in Urdu, found by language: %d, by links: %d%n",
        SampleWeb.hosts(RICH, asked.sampleSeed),
        byLanguage.richHosts(),
        byLinks.richHosts());
    out.println(
        "the corpora are in "
            + folder().resolve("lrl").resolve("corpus")
            + " and "
            + folder().resolve("link").resolve("corpus"));
  }

  /** One crawl from scratch over a fresh server. */
  Outcome crawl(CrawlOptions.Scoring scoring) throws CrawlException {
    Path folder = folder().resolve(scoring.name());
    try {
      if (DataFolder.isHeld(folder.resolve("data"))) {
        throw CrawlException.failed(
            "another sample crawl is running in "
                + folder
                + "; wait for it, or name another folder with --data");
      }
      if (Files.exists(folder) && !Files.exists(folder.resolve(SampleWeb.LOG))) {
        throw CrawlException.failed(
            folder
                + " is not of a sample crawl, so it is not overwritten; name another folder with"
                + " --data");
      }
      LocalFiles.deleteTree(folder);
    } catch (IOException e) {
      throw CrawlException.failed(
          "the folder "
              + folder
              + " cannot be emptied ("
              + CrawlException.reason(e)
              + "); name another with --data",
          e);
    }
    Outcome outcome = new Outcome();
    try (SampleWeb web = SampleWeb.start(folder, asked.sampleSeed);
        DataFolder data = DataFolder.open(folder.resolve("data"))) {
      Logs.to(data.logs());
      CrawlRun.run(
          options(scoring, folder, web),
          new Console(out, data.status()),
          data,
          (round, phase) -> {
            if (phase == Phase.FETCH) {
              outcome.addRound(web.requests());
            }
          });
      return outcome;
    } catch (IOException e) {
      throw CrawlException.failed(
          "the data folder in " + folder + " cannot be closed (" + CrawlException.reason(e) + ")",
          e);
    }
  }

  /** Checks that the command line has no option that the sample would ignore. */
  static void requireOptions(ParseResult given) throws CrawlException {
    for (OptionSpec option : given.matchedOptions()) {
      if (!OPTIONS.contains(option.longestName())) {
        throw CrawlException.usage(
            option.longestName()
                + " has no effect with --sample, which decides it itself; leave it out");
      }
    }
  }

  private Path folder() {
    return asked.data != null ? asked.data : Paths.get("sample");
  }

  private CrawlOptions options(CrawlOptions.Scoring scoring, Path folder, SampleWeb web) {
    CrawlOptions options = new CrawlOptions();
    options.language = LANGUAGE;
    options.agent = "corpulyzer-sample";
    options.contact = "nobody@localhost.invalid";
    options.seeds = web.seeds();
    options.proxy = web.address();
    options.scoring = scoring;
    options.mode = asked.mode;
    options.policy = asked.policy;
    if (scoring == CrawlOptions.Scoring.lrl) {
      options.duplicates = asked.duplicates;
      options.dashboard = asked.dashboard;
      options.jsonLog = asked.jsonLog;
    }
    options.linksPolicy = asked.linksPolicy;
    options.maxTunnel = asked.maxTunnel;
    options.maxHops = asked.maxHops;
    options.pagePolicy = asked.pagePolicy;
    options.minBytes = asked.minBytes;
    options.extractor = asked.extractor;
    options.comments = asked.comments;
    options.headline = asked.headline;
    options.profile = asked.profile;
    options.identifier = asked.identifier;
    options.rejectJunk = asked.rejectJunk;
    options.packs = asked.packs;
    options.targetBytes = asked.targetBytes;
    options.rounds = ROUNDS;
    options.top = TOP;
    options.data = folder.resolve("data");
    options.out = folder.resolve("corpus");
    return options;
  }

  private static String table(Outcome byLanguage, Outcome byLinks) {
    StringBuilder table =
        new StringBuilder(
            "True yield of each round, from the server's log:\n\n"
                + "         by language                   by links\n"
                + "round    fetched   Urdu   yield        fetched   Urdu   yield\n");
    for (int i = 0; i < Math.max(byLanguage.rounds.size(), byLinks.rounds.size()); i++) {
      table.append(
          String.format(
              Locale.ROOT,
              "%5d    %s        %s%n",
              i + 1,
              cells(byLanguage, i),
              cells(byLinks, i)));
    }
    return table
        .append(
            String.format(
                Locale.ROOT,
                " mean                     %5.1f%%                         %5.1f%%%n",
                RoundYield.mean(byLanguage.rounds),
                RoundYield.mean(byLinks.rounds)))
        .toString();
  }

  private static String cells(Outcome outcome, int round) {
    if (round >= outcome.rounds.size()) {
      return String.format("%7s   %4s   %6s", "-", "-", "-");
    }
    RoundYield yield = outcome.rounds.get(round);
    return String.format(
        Locale.ROOT, "%7d   %4d   %5.1f%%", yield.fetched, yield.kept, yield.percent());
  }
}
