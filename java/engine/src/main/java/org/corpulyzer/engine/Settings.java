package org.corpulyzer.engine;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The only reader of configuration: every {@code corpulyzer.} key, its default, and what it allows. Operators find the same keys in
 * nutch-conf/corpulyzer-default.xml.
 */
public final class Settings {

  /** Where properties come from; {@code Configuration::get} fits. */
  public interface PropertySource {
    /** @return the value, or null when there is none */
    String get(String key);
  }

  /** Where the scoring filter takes a row's score from. */
  public enum ScoreSource {
    /** Nutch 2.4: a range scan over the host's rows, exact with stock commands alone. */
    SCAN,
    /** The score that the row has: exact after the scoring jobs of this project. */
    STORED,
    /** Nutch 1.x: the host's mean in Nutch's HostDb. Needs stock commands alone, and has an error. */
    HOSTDB
  }

  /** How the rows of a host are scored. */
  public enum ScorePolicy {
    /** The host's mean for every row: the paper's. */
    MEAN,
    /** The mean for rows that were found on pages in the language, less for others, and probes of unknown hosts. */
    EXPLORE
  }

  /** Language of the crawl, ISO 639-1 or 639-3. Required. */
  public static final String LANGUAGE_TARGET = "corpulyzer.language.target";
  /** What takes the main content out of a page: {@code web-am}, {@code best}, {@code article} or {@code text}. */
  public static final String PAGE_EXTRACTOR = "corpulyzer.page.extractor";
  /** Language packs beside the library's own: names with commas between them. */
  public static final String LANGUAGE_PACKS = "corpulyzer.language.packs";
  /** Target-language bytes that a page must have to be kept. */
  public static final String PAGE_MIN_BYTES = "corpulyzer.page.minBytes";
  /** What makes a page one of the corpus: {@code precision} (enough bytes) or {@code recall} (any sign of the language). */
  public static final String PAGE_POLICY = "corpulyzer.page.policy";
  /** Whether pages with the marks of junk are rejected. */
  public static final String PAGE_REJECT_JUNK = "corpulyzer.page.rejectJunk";
  /** Policy recall: percent of the language set that the target must have. */
  public static final String PAGE_MIN_PERCENT = "corpulyzer.page.minPercent";
  /** Excerpts of a page that are identified. */
  public static final String PAGE_EXCERPTS = "corpulyzer.page.excerpts";
  /** Characters of an excerpt. */
  public static final String PAGE_EXCERPT_CHARS = "corpulyzer.page.excerptChars";
  /** Characters below which a page has no excerpts. */
  public static final String PAGE_EXCERPT_MIN_CHARS = "corpulyzer.page.excerptMinChars";
  /** Bytes above which a page is not parsed. */
  public static final String PAGE_MAX_BYTES = "corpulyzer.page.maxBytes";
  /** Nesting depth beyond which a page is read flat. */
  public static final String PAGE_MAX_DEPTH = "corpulyzer.page.maxDepth";
  /** Number of text blocks at which a page is cut. */
  public static final String PAGE_MAX_BLOCKS = "corpulyzer.page.maxBlocks";
  /** Milliseconds after which a page is cut. */
  public static final String PAGE_MAX_MILLIS = "corpulyzer.page.maxMillis";
  /** File of the native library; the only one tried when set. */
  public static final String NATIVE_PATH = "corpulyzer.native.path";
  /** Whether a library that does not load fails the task (true) or turns the filters into no-ops (false). */
  public static final String NATIVE_REQUIRED = "corpulyzer.native.required";
  /** {@link ScoreSource}, lower case. */
  public static final String SCORE_SOURCE = "corpulyzer.score.source";
  /** {@link ScorePolicy}, lower case, and behind it when no more of a host is fetched: {@code +barren:PAGES}, {@code +limit:PAGES}. */
  public static final String SCORE_POLICY = "corpulyzer.score.policy";
  /** Folder of Nutch's HostDb, for source hostdb. */
  public static final String SCORE_HOST_DB = "corpulyzer.score.hostDb";
  /** Hosts of HostDb that the scoring filter holds at most. */
  public static final String SCORE_HOST_DB_MAX_HOSTS = "corpulyzer.score.hostDbMaxHosts";
  /** Rows of one host that a scan reads at most. */
  public static final String SCORE_SCAN_MAX_ROWS = "corpulyzer.score.scanMaxRows";
  /** Score of the rows of a host of which nothing is fetched; by default the value of corpulyzer.page.minBytes. */
  public static final String SCORE_UNKNOWN = "corpulyzer.score.unknown";
  /** Score of an injected seed of such a host. */
  public static final String SCORE_INJECTED = "corpulyzer.score.injected";
  /** Whether LrlDbUpdaterJob scores the hosts alone that have a row which was written since its last run. */
  public static final String SCORE_INCREMENTAL = "corpulyzer.score.incremental";
  /** How long before the last run a row may have been written, by its cells' timestamps, that this run did not see. */
  public static final String SCORE_MARGIN_MILLIS = "corpulyzer.score.marginMillis";
  /** Nutch 1.x, policy explore: unknown hosts that have a row with the score of probes at one time. */
  public static final String SCORE_PROBES = "corpulyzer.score.probes";
  /** Nutch 1.x: whether the score jobs may score a CrawlDb that was scored for another language. */
  public static final String SCORE_CHANGE_LANGUAGE = "corpulyzer.score.changeLanguage";
  /** Whether the indexing filter drops rejected pages. */
  public static final String INDEX_DROP_REJECTED = "corpulyzer.index.dropRejected";

  private static final List<String> EXTRACTORS = Arrays.asList("web-am", "best", "article", "text");
  private static final List<String> POLICIES = Arrays.asList("precision", "recall");
  private static final String PAGES = ":[1-9][0-9]{0,8}";
  private static final Pattern STEERING = Pattern.compile("(mean|explore)((\\+barren" + PAGES + ")?(\\+limit" + PAGES + ")?|\\+limit" + PAGES
      + "\\+barren" + PAGES + ")");
  private static final Map<String, String> DEFAULTS = defaultTable();

  private final String target;
  private final List<String> packs;
  private final String extractor;
  private final long minBytes;
  private final String policy;
  private final boolean rejectJunk;
  private final long minPercent;
  private final long excerpts;
  private final long excerptChars;
  private final long excerptMinChars;
  private final long maxBytes;
  private final long maxDepth;
  private final long maxBlocks;
  private final long maxMillis;
  private final String nativePath;
  private final boolean nativeRequired;
  private final String scoreSource;
  private final String hostDb;
  private final long hostDbMaxHosts;
  private final String steering;
  private final long scanMaxRows;
  private final float unknownScore;
  private final float injectedScore;
  private final boolean incremental;
  private final long marginMillis;
  private final long probes;
  private final boolean changeLanguage;
  private final boolean dropRejected;

  private Settings(Reader in) {
    // The bounds are those of the native side, which checks again; here the operator gets the property's name.
    target = in.language();
    packs = LanguagePacks.find(in.text(LANGUAGE_PACKS));
    extractor = in.oneOf(PAGE_EXTRACTOR, EXTRACTORS);
    minBytes = in.whole(PAGE_MIN_BYTES, 0, Integer.MAX_VALUE);
    policy = in.oneOf(PAGE_POLICY, POLICIES);
    rejectJunk = in.flag(PAGE_REJECT_JUNK);
    minPercent = in.whole(PAGE_MIN_PERCENT, 1, 100);
    excerpts = in.whole(PAGE_EXCERPTS, 0, 100);
    excerptChars = in.whole(PAGE_EXCERPT_CHARS, 1, 10_000);
    excerptMinChars = in.whole(PAGE_EXCERPT_MIN_CHARS, 0, Integer.MAX_VALUE);
    maxBytes = in.whole(PAGE_MAX_BYTES, 1, 536_870_912);
    maxDepth = in.whole(PAGE_MAX_DEPTH, 1, 1_000_000);
    maxBlocks = in.whole(PAGE_MAX_BLOCKS, 1, 100_000_000);
    maxMillis = in.whole(PAGE_MAX_MILLIS, 1, 86_400_000);
    nativePath = in.text(NATIVE_PATH);
    nativeRequired = in.flag(NATIVE_REQUIRED);
    scoreSource = in.oneOf(SCORE_SOURCE, Arrays.asList("", "scan", "stored", "hostdb"));
    hostDb = in.text(SCORE_HOST_DB);
    hostDbMaxHosts = in.whole(SCORE_HOST_DB_MAX_HOSTS, 1, Integer.MAX_VALUE);
    steering = in.matching(SCORE_POLICY, STEERING, "mean or explore, and behind it +barren:PAGES, +limit:PAGES or both");
    scanMaxRows = in.whole(SCORE_SCAN_MAX_ROWS, 1, Long.MAX_VALUE);
    unknownScore = in.text(SCORE_UNKNOWN).isEmpty() ? minBytes : in.score(SCORE_UNKNOWN);
    injectedScore = in.score(SCORE_INJECTED);
    incremental = in.flag(SCORE_INCREMENTAL);
    marginMillis = in.whole(SCORE_MARGIN_MILLIS, 0, 31_536_000_000L);
    probes = in.whole(SCORE_PROBES, 0, 1_000_000);
    changeLanguage = in.flag(SCORE_CHANGE_LANGUAGE);
    dropRejected = in.flag(INDEX_DROP_REJECTED);
  }

  /**
   * Reads and checks every key.
   *
   * @throws CorpulyzerException in one sentence that names the key, what was found and what is allowed
   */
  public static Settings from(PropertySource source) {
    return new Settings(new Reader(source));
  }

  /** @return every key with its default; empty where there is none */
  public static Map<String, String> defaults() {
    return DEFAULTS;
  }

  private static Map<String, String> defaultTable() {
    Map<String, String> table = new LinkedHashMap<>();
    table.put(LANGUAGE_TARGET, "");
    table.put(LANGUAGE_PACKS, "");
    table.put(PAGE_EXTRACTOR, "web-am");
    table.put(PAGE_MIN_BYTES, "256");
    table.put(PAGE_POLICY, "precision");
    table.put(PAGE_REJECT_JUNK, "true");
    table.put(PAGE_MIN_PERCENT, "2");
    table.put(PAGE_EXCERPTS, "3");
    table.put(PAGE_EXCERPT_CHARS, "100");
    table.put(PAGE_EXCERPT_MIN_CHARS, "300");
    table.put(PAGE_MAX_BYTES, "16777216");
    table.put(PAGE_MAX_DEPTH, "1024");
    table.put(PAGE_MAX_BLOCKS, "200000");
    table.put(PAGE_MAX_MILLIS, "10000");
    table.put(NATIVE_PATH, "");
    table.put(NATIVE_REQUIRED, "true");
    table.put(SCORE_SOURCE, "");
    table.put(SCORE_HOST_DB, "");
    table.put(SCORE_HOST_DB_MAX_HOSTS, "1000000");
    table.put(SCORE_POLICY, "mean");
    table.put(SCORE_SCAN_MAX_ROWS, "1000000");
    table.put(SCORE_UNKNOWN, "");
    table.put(SCORE_INJECTED, "1e9");
    table.put(SCORE_INCREMENTAL, "false");
    table.put(SCORE_MARGIN_MILLIS, "3600000");
    table.put(SCORE_PROBES, "5000");
    table.put(SCORE_CHANGE_LANGUAGE, "false");
    table.put(INDEX_DROP_REJECTED, "false");
    return Collections.unmodifiableMap(table);
  }

  /** @return what the native library is configured with; two settings that configure the same engine answer the same text */
  public String toJson() {
    // No value needs escaping: the texts passed a list of allowed ones, and packs have no character that would.
    String files = packs.stream().map(file -> '"' + file + '"').collect(Collectors.joining(","));
    return "{\"target\":\"" + target + "\",\"packs\":[" + files + "],\"extractor\":\"" + extractor + "\",\"minBytes\":" + minBytes + ",\"policy\":\"" + policy
        + "\",\"rejectJunk\":" + rejectJunk + ",\"minPercent\":" + minPercent + ",\"excerpts\":" + excerpts + ",\"excerptChars\":"
        + excerptChars + ",\"excerptMinChars\":" + excerptMinChars + ",\"maxBytes\":" + maxBytes + ",\"maxDepth\":" + maxDepth + ",\"maxBlocks\":" + maxBlocks + ",\"maxMillis\":" + maxMillis + ",\"unknownScore\":"
        + (double) unknownScore + ",\"injectedScore\":" + (double) injectedScore + ",\"scorePolicy\":\"" + steering + "\"}";
  }

  /** @return language of the crawl as configured, lower case; {@link Engine#target()} answers its ISO 639-3 code */
  public String target() {
    return target;
  }

  /** @return file of the native library, empty when it is to be searched */
  public String nativePath() {
    return nativePath;
  }

  /** @return whether a library that does not load is an error */
  public boolean isNativeRequired() {
    return nativeRequired;
  }

  /**
   * @param allowed what this line of Nutch can do, its default first
   * @return where scores come from
   * @throws CorpulyzerException if another is configured
   */
  public ScoreSource scoreSource(ScoreSource... allowed) {
    if (scoreSource.isEmpty()) {
      return allowed[0];
    }
    for (ScoreSource source : allowed) {
      if (source.name().equalsIgnoreCase(scoreSource)) {
        return source;
      }
    }
    String names = Stream.of(allowed).map(source -> source.name().toLowerCase(Locale.ROOT)).collect(Collectors.joining(", "));
    throw new CorpulyzerException("Property " + SCORE_SOURCE + " is '" + scoreSource + "'; this Nutch allows " + names + ".");
  }

  /** @return folder of HostDb, empty if none is set */
  public String hostDb() {
    return hostDb;
  }

  /** @return hosts of HostDb that are held at most */
  public int hostDbMaxHosts() {
    return (int) hostDbMaxHosts;
  }

  /** @return how the rows of a host are scored */
  public ScorePolicy scorePolicy() {
    return steering.startsWith("explore") ? ScorePolicy.EXPLORE : ScorePolicy.MEAN;
  }

  /** @return whether there are hosts of which no more is fetched: their rows score below 0 */
  public boolean stopsHosts() {
    return steering.indexOf('+') >= 0;
  }

  /** @return least target bytes of a page in the target language */
  public long minBytes() {
    return minBytes;
  }

  /** @return rows of one host that a scan reads at most */
  public long scanMaxRows() {
    return scanMaxRows;
  }

  /** @return score of the rows of a host of which nothing is fetched */
  public float unknownScore() {
    return unknownScore;
  }

  /** @return score of an injected seed of such a host */
  public float injectedScore() {
    return injectedScore;
  }

  /** @return whether LrlDbUpdaterJob leaves hosts alone of which no row was written since its last run */
  public boolean isIncremental() {
    return incremental;
  }

  /** @return milliseconds that an incremental run looks back beyond the start of the last run */
  public long marginMillis() {
    return marginMillis;
  }

  /** @return unknown hosts that the jobs for Nutch 1.x probe at one time */
  public long probes() {
    return probes;
  }

  /** @return whether a CrawlDb that was scored for another language may be scored */
  public boolean isLanguageChangeAllowed() {
    return changeLanguage;
  }

  /** @return whether rejected pages stay out of the index */
  public boolean isDropRejected() {
    return dropRejected;
  }

  /** One value at a time, trimmed, the default where the source has none. */
  private static final class Reader {
    private final PropertySource source;

    Reader(PropertySource source) {
      this.source = Objects.requireNonNull(source, "source");
    }

    String text(String key) {
      String value = source.get(key);
      return value == null || value.trim().isEmpty() ? DEFAULTS.get(key) : value.trim();
    }

    String language() {
      String value = text(LANGUAGE_TARGET).toLowerCase(Locale.ROOT);
      if (!value.matches("[a-z]{2,3}")) {
        throw wrong(LANGUAGE_TARGET, "an ISO 639-1 or ISO 639-3 code such as ur or urd");
      }
      return value;
    }

    String oneOf(String key, List<String> allowed) {
      String value = text(key);
      if (!allowed.contains(value)) {
        throw wrong(key, "one of " + allowed.stream().filter(name -> !name.isEmpty()).collect(Collectors.joining(", ")));
      }
      return value;
    }

    String matching(String key, Pattern pattern, String allowed) {
      String value = text(key);
      if (!pattern.matcher(value).matches()) {
        throw wrong(key, allowed);
      }
      return value;
    }

    boolean flag(String key) {
      return oneOf(key, Arrays.asList("true", "false")).equals("true");
    }

    long whole(String key, long least, long most) {
      String allowed = "a whole number from " + least + " to " + most;
      try {
        long value = Long.parseLong(text(key));
        if (value >= least && value <= most) {
          return value;
        }
      } catch (NumberFormatException e) {
        throw wrong(key, allowed);
      }
      throw wrong(key, allowed);
    }

    float score(String key) {
      String allowed = "a finite number that is not negative";
      try {
        float value = Float.parseFloat(text(key));
        if (value >= 0 && value < Float.POSITIVE_INFINITY) {
          return value;
        }
      } catch (NumberFormatException e) {
        throw wrong(key, allowed);
      }
      throw wrong(key, allowed);
    }

    private CorpulyzerException wrong(String key, String allowed) {
      String value = source.get(key);
      String found = value == null || value.trim().isEmpty() ? "is not set" : "is '" + value.trim() + "'";
      return new CorpulyzerException("Property " + key + " " + found + "; allowed is " + allowed + ".");
    }
  }
}
