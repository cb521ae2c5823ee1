package org.corpulyzer.crawl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.corpulyzer.corpus.DocumentFormat;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.LanguageNames;
import org.corpulyzer.engine.NativeLibrary;
import org.corpulyzer.engine.Settings;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of the command line. */
final class CrawlOptions implements Cloneable {
  /** A number of bytes with an optional decimal suffix. */
  static final class Bytes implements ITypeConverter<Long> {
    static final String ALLOWED = "a number such as 500k, 50M or 2G";

    @Override
    public Long convert(String text) {
      if (!text.matches("[0-9]{1,18}|[0-9]{1,9}[kMG]")) {
        throw new TypeConversionException(ALLOWED);
      }
      long number = Long.parseLong(text.replaceAll("[kMG]", ""));
      switch (text.charAt(text.length() - 1)) {
        case 'k':
          return number * 1_000;
        case 'M':
          return number * 1_000_000;
        case 'G':
          return number * 1_000_000_000;
        default:
          return number;
      }
    }
  }

  /** Default delay between two requests to a host, in seconds. */
  static final double POLITE_SECONDS = 5;

  /** Pages of a host that a small round has at most if pages are ordered. */
  private static final int MAX_OF_SMALL_ROUNDS = 10;

  /** What the state of a crawl calls its policy. */
  static final String POLICY_FACT = "policy";

  /** The score policy of a crawl that names none, and that of the paper. */
  static final String DEFAULT_POLICY = "pages";

  static final String PAPERS_POLICY = Settings.defaultOf(Settings.SCORE_POLICY);

  /** The order of fetching. */
  enum Scoring {
    lrl,
    link
  }

  /** The writer of the scores: a job after updatedb, or the scoring filter. */
  enum Mode {
    J,
    S
  }

  /** Which duplicate pages are left out. */
  enum Dedup {
    none,
    canonical,
    exact
  }

  @Option(
      names = "--language",
      paramLabel = "CODE[,CODE...]",
      description =
          "target language: an ISO 639 code or a name; or several, with a corpus each in a folder"
              + " of its ISO 639-3 code; @FILE: the languages in a file (required)")
  String language;

  @Option(
      names = "--pack",
      paramLabel = "FILE",
      split = ",",
      description =
          "use this language pack too (made by corpulyzer train); seed (75 languages) and far (813"
              + " rare languages) come with the command; for identifiers that learn from texts, a"
              + " text that is named after its language, such as urd.txt")
  List<String> packs = new ArrayList<>();

  @Option(
      names = "--profile",
      paramLabel = "default|paper",
      description =
          "defaults of the options of pages and scores; paper: those of the Corpulyzer paper"
              + " (default: ${DEFAULT-VALUE})")
  String profile = Settings.defaultOf(Settings.PROFILE);

  @Option(
      names = "--identifier",
      paramLabel = "NAME",
      description =
          "identifier of languages: combined (language models for the scripts of the language and"
              + " CLD2 for the others), models, cld2 or stop-words; heli, w2c, w2c-short and"
              + " trigrams learn from the texts of --pack (default: ${DEFAULT-VALUE})")
  String identifier = Settings.defaultOf(Settings.LANGUAGE_IDENTIFIER);

  @Option(
      names = "--reject-junk",
      paramLabel = "true|false",
      description =
          "reject pages that look like junk, such as lists of codes (default: ${DEFAULT-VALUE})")
  String rejectJunk = Settings.defaultOf(Settings.PAGE_REJECT_JUNK);

  @Option(
      names = "--page-policy",
      paramLabel = "precision|recall",
      description =
          "rule that decides which pages are kept; precision: at least --min-bytes of the language;"
              + " recall: any sign of the language (default: ${DEFAULT-VALUE})")
  String pagePolicy = Settings.defaultOf(Settings.PAGE_POLICY);

  @Option(
      names = "--min-bytes",
      paramLabel = "N",
      converter = PageSettings.Number.class,
      description =
          "smallest page that --page-policy precision keeps, in UTF-8 bytes of the language"
              + " (default: ${DEFAULT-VALUE})")
  String minBytes = Settings.defaultOf(Settings.PAGE_MIN_BYTES);

  @Option(
      names = "--extractor",
      paramLabel = "NAME",
      description =
          "extractor of the main content: best, web-am, web-am-literal, article, justext, w2c or"
              + " text (default: ${DEFAULT-VALUE})")
  String extractor = Settings.defaultOf(Settings.PAGE_EXTRACTOR);

  @Option(
      names = "--comments",
      paramLabel = "keep|drop",
      description =
          "comments of readers under a text; drop needs --extractor best (default:"
              + " ${DEFAULT-VALUE})")
  String comments = Settings.defaultOf(Settings.PAGE_COMMENTS);

  @Option(
      names = "--headline",
      paramLabel = "keep|drop",
      description =
          "headline above the text, which the extractor best finds (default: ${DEFAULT-VALUE})")
  String headline = Settings.defaultOf(Settings.PAGE_HEADLINE);

  @Option(
      names = "--seeds",
      paramLabel = "FILE",
      description =
          "file of start URLs, one per line, optionally with a tab and the source of the URL"
              + " (required)")
  Path seeds;

  @Option(
      names = "--agent",
      paramLabel = "NAME",
      description = "name of the crawler, sent to servers and looked up in robots.txt (required)")
  String agent;

  @Option(
      names = "--contact",
      paramLabel = "ADDRESS",
      description = "e-mail address or web page where webmasters can reach you (required)")
  String contact;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "total number of rounds; a finished crawl goes on with a larger number (default:"
              + " ${DEFAULT-VALUE})")
  int rounds = 5;

  @Option(
      names = "--top",
      paramLabel = "N",
      description = "pages to fetch per round (default: ${DEFAULT-VALUE})")
  int top = 1000;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "folder for the fetched pages and the state of the crawl (required)")
  Path data;

  @Option(names = "--out", paramLabel = "DIR", description = "folder for the corpus (required)")
  Path out;

  @Option(names = "--replace", description = "replace the corpus of another crawl in --out")
  boolean replace;

  @Option(
      names = "--mode",
      paramLabel = "J|S",
      description =
          "J: a job writes the scores after each round; S: the scoring filter computes them"
              + " (default: ${DEFAULT-VALUE})")
  Mode mode = Mode.J;

  @Option(
      names = "--scoring",
      paramLabel = "lrl|link",
      description =
          "order of fetching: by the language of the host (lrl), or by links as a control (link)"
              + " (default: ${DEFAULT-VALUE})")
  Scoring scoring = Scoring.lrl;

  @Option(
      names = "--score-policy",
      paramLabel = "mean|explore|pages[:PERCENT][+barren:PAGES][+limit:PAGES][+rising:FACTOR]",
      description =
          "mean: best hosts first; explore: also one page of each unknown host that pages in the"
              + " language link to; pages: best pages first, by the sections of their URLs and the"
              + " links to them, with PERCENT of a round's text (3) spent on new hosts; +barren:"
              + " stop a host with next to nothing in the language after"
              + " this number of pages; +limit: stop any host after this number of pages; +rising:"
              + " stop a host whose text in the language is a smaller share of its downloaded bytes"
              + " than FACTOR * (log10(pages) - 1), for example 0.002 (default: pages; mean with"
              + " --profile paper, --mode S or --links soft; a crawl keeps the policy that it was"
              + " begun with)")
  String policy;

  @Option(
      names = "--duplicates",
      paramLabel = "count|zero",
      description =
          "pages whose text another fetched page has: count them like others in their host's score,"
              + " or as 0 bytes, so that mirrors and calendars sink (default: ${DEFAULT-VALUE})")
  String duplicates = Settings.defaultOf(Settings.SCORE_DUPLICATES);

  @Option(
      names = "--links",
      paramLabel = "all|soft|hard",
      description =
          "links of rejected pages: add them, add them with a tenth of their host's score, or leave"
              + " them out (default: ${DEFAULT-VALUE})")
  String linksPolicy = Settings.defaultOf(Settings.LINKS_POLICY);

  @Option(
      names = "--max-tunnel",
      paramLabel = "N",
      converter = PageSettings.Number.class,
      description =
          "follow links over at most N rejected pages in a row; 0: no limit (default:"
              + " ${DEFAULT-VALUE})")
  String maxTunnel = Settings.defaultOf(Settings.LINKS_MAX_TUNNEL);

  @Option(
      names = "--max-hops",
      paramLabel = "N",
      converter = PageSettings.Number.class,
      description =
          "add pages at most N links away from a seed; 0: no limit (default: ${DEFAULT-VALUE})")
  String maxHops = Settings.defaultOf(Settings.LINKS_MAX_HOPS);

  @Option(
      names = "--refresh",
      paramLabel = "SHARE",
      description =
          "spend this share of each round (0 to 1) on pages that were fetched before this run, the"
              + " oldest fetch first; 1: fetch no new page (default: ${DEFAULT-VALUE})")
  double refresh;

  @Option(
      names = "--max-pages",
      paramLabel = "N",
      description = "stop after this number of fetched pages")
  long maxPages = Long.MAX_VALUE;

  @Option(
      names = "--target-bytes",
      paramLabel = "N[k|M|G]",
      converter = Bytes.class,
      description =
          "stop after the round in which the corpus reaches this size, in UTF-8 bytes of the"
              + " language; of several languages each, and those that lack text come first")
  long targetBytes = Long.MAX_VALUE;

  @Option(
      names = "--round-minutes",
      paramLabel = "M",
      description = "longest time to fetch in a round, in minutes (default: ${DEFAULT-VALUE})")
  int roundMinutes = 180;

  @Option(
      names = "--delay",
      paramLabel = "SECONDS",
      description =
          "time between two requests to a host, at least "
              + POLITE_SECONDS
              + " except through a proxy on loopback")
  Double delay;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "fetch from at most N hosts at a time (default: one for each "
              + "host of the round, at most "
              + PageFetcher.MAX_THREADS
              + ")")
  Integer threads;

  @Option(
      names = "--allow",
      paramLabel = "HOSTS",
      split = ",",
      description =
          "crawl only these hosts and the hosts below them: names such as example.pk, also in any"
              + " script, or IP addresses, separated by commas")
  List<String> allow = new ArrayList<>();

  @Option(
      names = "--allow-private",
      paramLabel = "HOSTS",
      split = ",",
      description =
          "permit private IP addresses for exactly these hosts; all " + "others are refused")
  List<String> allowPrivate = new ArrayList<>();

  @Option(
      names = "--deny",
      paramLabel = "HOSTS",
      split = ",",
      description = "never crawl these hosts and the hosts below them, written as in --allow")
  List<String> deny = new ArrayList<>();

  @Option(
      names = "--all-parameters",
      description =
          "keep session ids and tracking parameters in URLs, such as PHPSESSID and utm_source")
  boolean allParameters;

  @Option(
      names = "--accept-language",
      paramLabel = "CODE[;q=N][,...]",
      description =
          "languages to ask servers for, as in the header Accept-Language, such as ur,en;q=0.3"
              + " (default: the target languages, then any)")
  String acceptLanguage;

  @Option(
      names = "--documents",
      description = "also fetch PDF, Office and OpenDocument files and extract their text")
  boolean documents;

  @Option(
      names = "--render",
      paramLabel = "COMMAND",
      description =
          "run this command for pages without text that need scripts; it gets the URL as its last"
              + " argument, or in place of {}, and writes the HTML to its standard output")
  String render;

  @Option(
      names = "--cookies",
      description =
          "send back cookies that redirects set, for hosts that show no page without them")
  boolean cookies;

  @Option(
      names = "--reparse",
      description =
          "parse all stored pages again with the options above, compute the scores, and write the"
              + " corpus again; fetch nothing")
  boolean reparse;

  @Option(
      names = "--format",
      paramLabel = "jsonl|text|wet|warc",
      description =
          "jsonl: main content and figures of a page as a JSON object a line; text: main content"
              + " alone; wet: the same as WARC records; warc: pages as fetched (default:"
              + " ${DEFAULT-VALUE})")
  DocumentFormat format = DocumentFormat.jsonl;

  @Option(
      names = "--all",
      description =
          "write rejected pages too, with the decision in the record; for `corpulyzer calibrate` or"
              + " for a look at them")
  boolean all;

  @Option(
      names = "--nfc",
      description = "normalize the text of the corpus to Unicode NFC (not for --format warc)")
  boolean nfc;

  @Option(
      names = "--dedup",
      paramLabel = "none|canonical|exact",
      description =
          "canonical: keep only the first page of those with the same text that name the same"
              + " canonical address; exact: of all with the same text (default: ${DEFAULT-VALUE})")
  Dedup dedup = Dedup.canonical;

  @Option(names = "--no-report", description = "do not write the report")
  boolean noReport;

  @Option(
      names = "--proxy",
      paramLabel = "HOST:PORT",
      description = "send every request through this HTTP proxy")
  String proxy;

  @Option(
      names = "--sample",
      description =
          "crawl a generated web on this machine twice: by language, and by links as a control")
  boolean sample;

  @Option(
      names = "--sample-seed",
      paramLabel = "N",
      description = "number of the generated web (default: ${DEFAULT-VALUE})")
  int sampleSeed = 2;

  @Option(
      names = "--frontier",
      description =
          "write frontier.tsv beside the corpus: every known URL with its score, state and reason")
  boolean frontier;

  @Option(
      names = "--dashboard",
      paramLabel = "FILE.html",
      description =
          "write an HTML page to watch the crawl in a browser, new every "
              + CrawlWatch.TICK_SECONDS
              + " seconds; at the end it is the summary")
  Path dashboard;

  @Option(
      names = "--json-log",
      paramLabel = "FILE",
      description = "append the events of the crawl to a file, as JSON lines")
  Path jsonLog;

  @Option(
      names = "--explain",
      paramLabel = "URL",
      description =
          "print why the crawl fetched this URL or did not, and end; give the other options too")
  String explain;

  @Option(names = "--status", description = "print the state of the crawl in --data")
  boolean status;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "print this help")
  boolean help;

  /**
   * Checks the options without a change on the disk. The error names the missing option and its
   * purpose.
   */
  void validate() throws CrawlException {
    require(language, "--language", "the language to keep, for example ur");
    language = languages(language);
    require(seeds, "--seeds", "a file of URLs to start from");
    require(agent, "--agent", "the name of this crawl in robots.txt and in the logs of webmasters");
    require(contact, "--contact", "an e-mail address or web page where webmasters can reach you");
    require(data, "--data", "a folder for the fetched pages");
    DataFolder.requirePlain(data.toAbsolutePath());
    require(out, "--out", "a folder for the corpus");
    validateSender();
    for (int i = 0; i < packs.size(); i++) {
      packs.set(i, Home.pack(packs.get(i)));
    }
    HostNames.check("--allow", allow);
    HostNames.check("--deny", deny);
    HostNames.check("--allow-private", allowPrivate);
    AcceptLanguage.check(acceptLanguage);
    validateNumbers();
    validateScoring();
    if (nfc && format == DocumentFormat.warc) {
      throw CrawlException.usage(
          "--nfc has no effect with --format warc, which keeps pages as fetched; leave one of the"
              + " two out");
    }
    validateDuplicates();
    validateServers();
  }

  /** Checks what servers are told of this crawl. */
  private void validateSender() throws CrawlException {
    if (!agent.matches("[A-Za-z][A-Za-z0-9_-]*")) {
      throw CrawlException.usage(
          "--agent is '" + agent + "'; a name in robots.txt has only letters, digits, '-' and '_'");
    }
    if (!contact.matches("[\\x21-\\x7e]*[@.:/][\\x21-\\x7e]*")) {
      throw CrawlException.usage(
          "--contact is '" + contact + "'; allowed is an e-mail address or a web address");
    }
  }

  private void validateNumbers() throws CrawlException {
    atLeast(1, rounds, "--rounds");
    atLeast(1, top, "--top");
    atLeast(1, maxPages, "--max-pages");
    atLeast(1, targetBytes, "--target-bytes");
    atLeast(1, roundMinutes, "--round-minutes");
    if (threads != null) {
      atLeast(1, threads, "--threads");
    }
    if (!(refresh >= 0 && refresh <= 1)) {
      throw CrawlException.usage(
          "--refresh is " + refresh + "; allowed is a share of each round from 0 to 1");
    }
  }

  /** Checks options that need another order of fetching, and would have no effect. */
  private void validateScoring() throws CrawlException {
    if (scoring == Scoring.link && hasLinkRules()) {
      throw CrawlException.usage(
          "--links, --max-tunnel and --max-hops have no effect with --scoring link; leave them out,"
              + " or use --scoring lrl");
    }
    if (scoring == Scoring.link && policy != null && !policy.equals(PAPERS_POLICY)) {
      throw CrawlException.usage(
          "--score-policy has no effect with --scoring link; leave it out, or use --scoring lrl");
    }
    if (ordersPages() && mode == Mode.S) {
      throw CrawlException.usage(
          "--score-policy is " + policy() + ", but --mode S allows mean; use --mode J for pages");
    }
    if (ordersPages() && linksPolicy.equals("soft")) {
      throw CrawlException.usage(
          "--links soft has no effect with --score-policy "
              + policy()
              + ", which learns what links are worth; leave it out");
    }
  }

  /** Checks the browser and the proxy, and that hosts get the time that politeness asks for. */
  private void validateServers() throws CrawlException {
    if (render != null && render.trim().isEmpty()) {
      throw CrawlException.usage("--render is empty; allowed is a command, such as chromium");
    }
    if (proxy != null && !proxy.matches("[^:\\s]+:[0-9]{1,5}")) {
      throw CrawlException.usage("--proxy is '" + proxy + "'; allowed is HOST:PORT");
    }
    if (delaySeconds() < 0 || delaySeconds() < POLITE_SECONDS && !isLoopback()) {
      throw CrawlException.usage(
          "--delay is "
              + delay
              + "; allowed are "
              + POLITE_SECONDS
              + " seconds or more between two requests to a host; less only with a --proxy on"
              + " 127.0.0.1");
    }
  }

  /** Checks that there is a pass which compares pages, if duplicates count as 0 bytes. */
  void validateDuplicates() throws CrawlException {
    if (zeroesDuplicates() && (scoring == Scoring.link || mode == Mode.S)) {
      throw CrawlException.usage(
          "--duplicates is zero, which needs --scoring lrl and --mode J, but "
              + (mode == Mode.S ? "--mode is S" : "--scoring is link")
              + "; leave one of the two options out");
    }
  }

  /**
   * The ISO 639-3 codes of languages, sorted and separated by commas.
   *
   * @param given codes, tags or names with commas between, or {@code @} and the name of a file with
   *     one on each line
   */
  private String languages(String given) throws CrawlException {
    String names = given.trim();
    if (names.startsWith("@")) {
      String file = names.substring(1);
      try {
        names =
            Files.readAllLines(Paths.get(file)).stream()
                .map(line -> line.replace("\ufeff", "").replaceAll("#.*", "").trim())
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining(","));
      } catch (IOException e) {
        throw CrawlException.usage(
            "--language: " + file + " cannot be read (" + CrawlException.reason(e) + ")");
      }
    }
    // Packs and other identifiers may have other scripts.
    boolean hasPacks =
        !packs.isEmpty()
            || !identifier.equals(Settings.defaultOf(Settings.LANGUAGE_IDENTIFIER, profile));
    try {
      return LanguageNames.codes(names, hasPacks);
    } catch (NativeLibrary.Unavailable e) {
      throw CrawlException.failed(e.getMessage(), e);
    } catch (LanguageNames.NoModel e) {
      String packs = packs(names, e.hasAdvice());
      throw CrawlException.usage("--language: " + e.getMessage() + packs);
    } catch (CorpulyzerException e) {
      throw CrawlException.usage("--language: " + e.getMessage());
    }
  }

  /**
   * The end of a message that the library has no model of one of these languages.
   *
   * @param hasAdvice whether the message names other languages already
   */
  private String packs(String names, boolean hasAdvice) throws CrawlException {
    for (String pack : Home.PACKS) {
      CrawlOptions with = copy();
      with.language = LanguageNames.codes(names, true);
      with.packs = Collections.singletonList(Home.pack(pack));
      try {
        PageSettings.require(with);
        return (hasAdvice ? ", or use --pack " : "; use --pack ") + pack;
      } catch (CrawlException e) {
        continue; // The pack does not have it.
      }
    }
    return hasAdvice ? "" : "; train one with `corpulyzer train` and name it with --pack";
  }

  /** The ISO 639-3 codes of the target languages. */
  List<String> targets() {
    return Arrays.asList(language.split(","));
  }

  /** The options of the corpus of one of several languages, in a folder of its code. */
  CrawlOptions of(String one) {
    CrawlOptions options = copy();
    options.language = one;
    options.out = out.resolve(one);
    return options;
  }

  private CrawlOptions copy() {
    try {
      return (CrawlOptions) clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The value of the header Accept-Language. */
  String acceptLanguage() throws CrawlException {
    return acceptLanguage == null
        ? AcceptLanguage.of(PageSettings.require(this).tags())
        : acceptLanguage;
  }

  /** Returns whether a page counts as 0 bytes if another one has its text. */
  boolean zeroesDuplicates() {
    return duplicates.equals("zero");
  }

  /** Returns whether rounds are chosen by {@link PageSelector}. */
  boolean ordersPages() {
    return scoring == Scoring.lrl && policy().startsWith(DEFAULT_POLICY);
  }

  /** The score policy: the one that was given, otherwise the default of the other options. */
  String policy() {
    if (policy != null) {
      return policy;
    }
    boolean isOfHosts =
        profile.equals("paper")
            || scoring == Scoring.link
            || mode == Mode.S
            || linksPolicy.equals("soft");
    return isOfHosts ? PAPERS_POLICY : DEFAULT_POLICY;
  }

  /**
   * Takes the policy of the crawl that goes on, if these options name none. Crawls whose state does
   * not tell it were begun when the paper's was the default.
   */
  void keepPolicy(CrawlState state) {
    if (policy == null && ordersPages() && state.isOfACrawl()) {
      String kept = state.fact(POLICY_FACT);
      policy = kept == null ? PAPERS_POLICY : kept;
    }
  }

  private boolean hasLinkRules() {
    return !linksPolicy.equals(Settings.defaultOf(Settings.LINKS_POLICY))
        || !maxTunnel.equals(Settings.defaultOf(Settings.LINKS_MAX_TUNNEL))
        || !maxHops.equals(Settings.defaultOf(Settings.LINKS_MAX_HOPS));
  }

  /** Least bytes of a page in a language; a number that does not read is refused elsewhere. */
  long leastBytes() {
    return Long.parseLong(minBytes);
  }

  /** Returns whether every request stays on this machine. */
  boolean isLoopback() {
    return proxy != null && (proxy.startsWith("127.0.0.1:") || proxy.startsWith("localhost:"));
  }

  double delaySeconds() {
    return delay != null ? delay : isLoopback() ? 0 : POLITE_SECONDS;
  }

  /**
   * Pages of a host in a round at most, so that none fills it by itself: a twentieth of it. Where
   * pages are ordered and rounds are small it is a twelfth, up to ten pages: few hosts are known
   * then, and a round of 50 with two pages of each is filled up with rows that promise little.
   */
  int maxPerHost() {
    int part = Math.max(1, top / 20);
    return ordersPages() ? Math.max(part, Math.min(MAX_OF_SMALL_ROUNDS, top / 12)) : part;
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
