package org.corpulyzer.crawl;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.corpus.DocumentFormat;
import picocli.CommandLine.Option;

/** What the command line says. */
final class CrawlOptions {
  /** Seconds between two requests to a host when nothing else is said. */
  static final double POLITE_SECONDS = 5;

  /** What steers the crawl. */
  enum Scoring { lrl, link }

  /** Who writes the score: a job after updatedb, or the scoring filter alone. */
  enum Mode { J, S }

  /** Which pages of one text are left out. */
  enum Dedup { none, exact }

  @Option(names = "--language", paramLabel = "CODE", description = "language to crawl for, ISO 639-1 or ISO 639-3 (required)")
  String language;

  @Option(names = "--pack", paramLabel = "FILE", split = ",", description = "language pack beside the library's own, made by corpulyzer train")
  List<String> packs = new ArrayList<>();

  @Option(names = "--page-policy", paramLabel = "precision|recall", description = "which pages are kept; precision: those with --min-bytes of the "
      + "language; recall: those with any sign of it (default: ${DEFAULT-VALUE})")
  String pagePolicy = Settings.defaults().get(Settings.PAGE_POLICY);

  @Option(names = "--min-bytes", paramLabel = "N", converter = PageSettings.Number.class, description = "UTF-8 bytes of the language that --page-policy precision wants of a page "
      + "(default: ${DEFAULT-VALUE})")
  String minBytes = Settings.defaults().get(Settings.PAGE_MIN_BYTES);

  @Option(names = "--extractor", paramLabel = "NAME", description = "what takes the main content out of a page: web-am, best, article or text "
      + "(default: ${DEFAULT-VALUE})")
  String extractor = Settings.defaults().get(Settings.PAGE_EXTRACTOR);

  @Option(names = "--seeds", paramLabel = "FILE", description = "addresses to start from, one a line (required)")
  Path seeds;

  @Option(names = "--agent", paramLabel = "NAME", description = "name that the crawl tells servers (required)")
  String agent;

  @Option(names = "--contact", paramLabel = "ADDRESS", description = "mail address or web page by which webmasters reach you (required)")
  String contact;

  @Option(names = "--rounds", paramLabel = "N", description = "rounds that the crawl has at its end (default: ${DEFAULT-VALUE})")
  int rounds = 5;

  @Option(names = "--top", paramLabel = "N", description = "pages to fetch in a round (default: ${DEFAULT-VALUE})")
  int top = 1000;

  @Option(names = "--data", paramLabel = "DIR", description = "folder of what the crawl fetched and of its state (required)")
  Path data;

  @Option(names = "--out", paramLabel = "DIR", description = "folder of the corpus (required)")
  Path out;

  @Option(names = "--mode", paramLabel = "J|S", description = "J: a job writes the scores after each round; S: the scoring filter alone "
      + "(default: ${DEFAULT-VALUE})")
  Mode mode = Mode.J;

  @Option(names = "--scoring", paramLabel = "lrl|link", description = "what decides the order: the host's language or links "
      + "(default: ${DEFAULT-VALUE})")
  Scoring scoring = Scoring.lrl;

  @Option(names = "--score-policy", paramLabel = "mean|explore[+barren:PAGES][+limit:PAGES]", description = "mean: the best hosts first; explore: "
      + "also one page of each unknown host that pages in the language link to; +barren: no more of a host that has next to nothing in the "
      + "language after so many pages; +limit: no more of a host after so many pages, whatever they hold (default: ${DEFAULT-VALUE})")
  String policy = "mean";

  @Option(names = "--max-pages", paramLabel = "N", description = "end when this many pages are fetched")
  long maxPages = Long.MAX_VALUE;

  @Option(names = "--target-bytes", paramLabel = "N", description = "end after the round that brings the corpus to this many UTF-8 bytes of the "
      + "language")
  long targetBytes = Long.MAX_VALUE;

  @Option(names = "--round-minutes", paramLabel = "M", description = "end a round's fetching after this time (default: ${DEFAULT-VALUE})")
  int roundMinutes = 180;

  @Option(names = "--delay", paramLabel = "SECONDS", description = "time between two requests to a host, at least " + POLITE_SECONDS
      + " except through a proxy on loopback")
  Double delay;

  @Option(names = "--threads", paramLabel = "N", description = "hosts fetched from at a time (default: ${DEFAULT-VALUE})")
  int threads = 20;

  @Option(names = "--allow", paramLabel = "HOSTS", split = ",", description = "crawl only these hosts and those below them")
  List<String> allow = new ArrayList<>();

  @Option(names = "--allow-private", paramLabel = "HOSTS", split = ",", description = "permit private IP addresses for exactly these hosts; all "
      + "others are refused")
  List<String> allowPrivate = new ArrayList<>();

  @Option(names = "--deny", paramLabel = "HOSTS", split = ",", description = "never crawl these hosts and those below them")
  List<String> deny = new ArrayList<>();

  @Option(names = "--reparse", description = "parse every stored page again with the options above, score the hosts and write the corpus anew; "
      + "fetches nothing")
  boolean reparse;

  @Option(names = "--format", paramLabel = "jsonl|text|wet|warc", description = "jsonl: main content and figures of a page as a JSON object a "
      + "line; text: main content alone; wet: the same as WARC records; warc: pages as fetched (default: ${DEFAULT-VALUE})")
  DocumentFormat format = DocumentFormat.jsonl;

  @Option(names = "--all", description = "also pages that were rejected, with the decision among their figures; for `corpulyzer calibrate`, or "
      + "to look at what went")
  boolean all;

  @Option(names = "--nfc", description = "bring the corpus's text to Unicode's composed form; otherwise, and in --format warc, "
      + "characters stay as they came")
  boolean nfc;

  @Option(names = "--dedup", paramLabel = "none|exact", description = "exact: of pages with the same text the first is kept")
  Dedup dedup = Dedup.none;

  @Option(names = "--no-report", description = "leave out the report on the corpus, which is written at the end")
  boolean noReport;

  @Option(names = "--proxy", paramLabel = "HOST:PORT", description = "HTTP proxy for every request")
  String proxy;

  @Option(names = "--sample", description = "crawl a web of our own on this machine, twice: by language and, as control, by links")
  boolean sample;

  @Option(names = "--sample-seed", paramLabel = "N", description = "which of the webs of our own (default: ${DEFAULT-VALUE})")
  int sampleSeed = 2;

  @Option(names = "--status", description = "tell how the crawl on --data goes")
  boolean status;

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this")
  boolean help;

  /** Checks what can be checked without touching anything, and says what is missing and why it is needed. */
  void validate() throws CrawlException {
    require(language, "--language", "the language to keep, for example ur");
    require(seeds, "--seeds", "a file of addresses to start from");
    require(agent, "--agent", "the name under which robots.txt speaks to this crawl and webmasters find it in their logs");
    require(contact, "--contact", "a mail address or web page, so that a webmaster who is disturbed can reach you instead of blocking you");
    require(data, "--data", "a folder for what the crawl fetches");
    require(out, "--out", "a folder for the corpus");
    if (!agent.matches("[A-Za-z][A-Za-z0-9_-]*")) {
      throw CrawlException.usage("--agent is '" + agent + "'; robots.txt knows only names of letters, digits, '-' and '_'");
    }
    if (!contact.matches("[\\x21-\\x7e]*[@.:/][\\x21-\\x7e]*")) {
      throw CrawlException.usage("--contact is '" + contact + "'; a mail address or a web address is needed");
    }
    atLeast(1, rounds, "--rounds");
    atLeast(1, top, "--top");
    atLeast(1, maxPages, "--max-pages");
    atLeast(1, targetBytes, "--target-bytes");
    atLeast(1, roundMinutes, "--round-minutes");
    atLeast(1, threads, "--threads");
    if (proxy != null && !proxy.matches("[^:\\s]+:[0-9]{1,5}")) {
      throw CrawlException.usage("--proxy is '" + proxy + "'; HOST:PORT is needed");
    }
    if (delaySeconds() < 0 || delaySeconds() < POLITE_SECONDS && !isLoopback()) {
      throw CrawlException.usage("--delay is " + delay + "; other people's servers get at least " + POLITE_SECONDS
          + " seconds between requests, less is only for a --proxy on 127.0.0.1");
    }
  }

  /** Whether every request stays on this machine. */
  boolean isLoopback() {
    return proxy != null && (proxy.startsWith("127.0.0.1:") || proxy.startsWith("localhost:"));
  }

  double delaySeconds() {
    return delay != null ? delay : isLoopback() ? 0 : POLITE_SECONDS;
  }

  /** A twentieth of a batch: no host fills a round by itself. */
  int maxPerHost() {
    return Math.max(1, top / 20);
  }

  private static void require(Object value, String name, String what) throws CrawlException {
    if (value == null || value.toString().trim().isEmpty()) {
      throw CrawlException.usage(name + " is missing: give " + what);
    }
  }

  private static void atLeast(long least, long value, String name) throws CrawlException {
    if (value < least) {
      throw CrawlException.usage(name + " is " + value + "; at least " + least + " is needed");
    }
  }
}
