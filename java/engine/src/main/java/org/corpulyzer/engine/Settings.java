package org.corpulyzer.engine;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The only reader of configuration. Names, defaults and ranges are those of {@code
 * nutch-conf/corpulyzer-default.xml}; the constants here are the names that code reads.
 */
public final class Settings {

  /** The source of properties; {@code Configuration::get} fits. */
  public interface PropertySource {
    /**
     * @return the value, or null when there is none
     */
    String get(String key);
  }

  /** The source of the score of a row, for the scoring filter. */
  public enum ScoreSource {
    /** Nutch 2.4: a range scan over the host's rows, exact with stock commands alone. */
    SCAN,
    /** The score that the row has: exact after the scoring jobs of this project. */
    STORED,
    /**
     * Nutch 1.x: the host's mean in Nutch's HostDb. Needs stock commands alone, and has an error.
     */
    HOSTDB,
    /**
     * Nutch 1.x: the mean of those pages of the host that link to the row, summed up by updatedb.
     * Needs the filters alone.
     */
    ROW
  }

  /** How the rows of a host are scored. */
  public enum ScorePolicy {
    /** The host's mean for every row: the paper's. */
    MEAN,
    /**
     * The mean for rows that were found on pages in the language, less for others, and probes of
     * unknown hosts.
     */
    EXPLORE,
    /** Nutch 1.x and the one-machine crawl: an order of pages, see {@link Steering}. */
    PAGES
  }

  /** What happens to the links of rejected pages. */
  public enum LinksPolicy {
    /** They are added to the crawl. */
    ALL,
    /** They are added, and score a tenth until a kept page links to them: soft focus. */
    SOFT,
    /** They are not added: hard focus, as in W2C. */
    HARD
  }

  /** Set of defaults of the other properties: {@code default} or {@link #PAPER}. */
  public static final String PROFILE = "corpulyzer.profile";

  /** The profile with the defaults of the paper. */
  static final String PAPER = "paper";

  /** Languages of the crawl, ISO 639-1 or 639-3, separated by commas. Required. */
  public static final String LANGUAGE_TARGET = "corpulyzer.language.target";

  /** Identifier of languages: {@code combined}, {@code models}, {@code cld2} or others. */
  public static final String LANGUAGE_IDENTIFIER = "corpulyzer.language.identifier";

  /**
   * Extractor of the main content: {@code best}, {@code web-am}, {@code web-am-literal}, {@code
   * article}, {@code justext}, {@code w2c} or {@code text}.
   */
  public static final String PAGE_EXTRACTOR = "corpulyzer.page.extractor";

  /**
   * Comments of readers: {@code keep}, or {@code drop}, which only the extractor {@code best} can
   * do.
   */
  public static final String PAGE_COMMENTS = "corpulyzer.page.comments";

  /** Headline above the text: {@code keep} or {@code drop}. Only {@code best} finds it. */
  public static final String PAGE_HEADLINE = "corpulyzer.page.headline";

  /** Language packs in addition to the library's own: names separated by commas. */
  public static final String LANGUAGE_PACKS = "corpulyzer.language.packs";

  /** Target-language bytes that a page must have to be kept. */
  public static final String PAGE_MIN_BYTES = "corpulyzer.page.minBytes";

  /**
   * The rule that decides which pages are kept: {@code precision} (enough bytes) or {@code recall}
   * (any sign of the language).
   */
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

  /**
   * Whether a library that does not load fails the task (true) or turns the filters into no-ops
   * (false).
   */
  public static final String NATIVE_REQUIRED = "corpulyzer.native.required";

  /** {@link ScoreSource}, lower case. */
  public static final String SCORE_SOURCE = "corpulyzer.score.source";

  /**
   * {@link ScorePolicy}, lower case, optionally followed by the rules that stop a host: {@code
   * +barren:PAGES}, {@code +limit:PAGES}, {@code +rising:FACTOR}.
   */
  public static final String SCORE_POLICY = "corpulyzer.score.policy";

  /** Folder of Nutch's HostDb, for source hostdb. */
  public static final String SCORE_HOST_DB = "corpulyzer.score.hostDb";

  /** Hosts of HostDb that the scoring filter holds at most. */
  public static final String SCORE_HOST_DB_MAX_HOSTS = "corpulyzer.score.hostDbMaxHosts";

  /** Rows of one host that a scan reads at most. */
  public static final String SCORE_SCAN_MAX_ROWS = "corpulyzer.score.scanMaxRows";

  /**
   * Score of the rows of a host without a fetched page; by default the value of
   * corpulyzer.page.minBytes.
   */
  public static final String SCORE_UNKNOWN = "corpulyzer.score.unknown";

  /** Score of an injected seed of such a host. */
  public static final String SCORE_INJECTED = "corpulyzer.score.injected";

  /**
   * Nutch 1.x: whether a page whose signature another page has counts like any page ({@code count})
   * or as 0 bytes ({@code zero}).
   */
  public static final String SCORE_DUPLICATES = "corpulyzer.score.duplicates";

  /**
   * Whether LrlDbUpdaterJob scores the hosts alone that have a row which was written since its last
   * run.
   */
  public static final String SCORE_INCREMENTAL = "corpulyzer.score.incremental";

  /**
   * How long before the last run a row may have been written, by its cells' timestamps, that this
   * run did not see.
   */
  public static final String SCORE_MARGIN_MILLIS = "corpulyzer.score.marginMillis";

  /**
   * Nutch 1.x, policy explore: unknown hosts that have a row with the score of probes at one time.
   */
  public static final String SCORE_PROBES = "corpulyzer.score.probes";

  /** Nutch with policy pages: rows that are chosen for the next generate. */
  public static final String SCORE_TOP_N = "corpulyzer.score.topN";

  /**
   * Nutch 1.x, several target languages: bytes that are wanted of each, for the weights of the
   * languages in a host's score.
   */
  public static final String SCORE_TARGET_BYTES = "corpulyzer.score.targetBytes";

  /** Nutch 1.x: whether the score jobs may score a CrawlDb that was scored for another language. */
  public static final String SCORE_CHANGE_LANGUAGE = "corpulyzer.score.changeLanguage";

  /** Nutch 1.x: {@link LinksPolicy}, lower case. */
  public static final String LINKS_POLICY = "corpulyzer.links.policy";

  /** Nutch 1.x: most rejected pages in a row on the way to a page; 0 for no limit. */
  public static final String LINKS_MAX_TUNNEL = "corpulyzer.links.maxTunnel";

  /** Nutch 1.x: most links between a seed and a page; 0 for no limit. */
  public static final String LINKS_MAX_HOPS = "corpulyzer.links.maxHops";

  /** Whether the indexing filter drops rejected pages. */
  public static final String INDEX_DROP_REJECTED = "corpulyzer.index.dropRejected";

  /** Values by name, checked, with defaults. */
  private final Map<String, String> values = new HashMap<>();

  private final List<String> packs;

  private Settings(PropertySource source) {
    Objects.requireNonNull(source, "source");
    Property profiles = PropertyTable.ALL.get(PROFILE);
    String profile = checked(profiles, source.get(PROFILE), profiles.value());
    for (Property property : PropertyTable.ALL.values()) {
      String byDefault = property.value(profile);
      values.put(property.key(), checked(property, source.get(property.key()), byDefault));
    }
    requireBestToDropComments();
    packs = LanguagePacks.find(text(LANGUAGE_PACKS));
    if (text(SCORE_UNKNOWN).isEmpty()) {
      values.put(SCORE_UNKNOWN, text(PAGE_MIN_BYTES));
    }
  }

  /** The engine refuses this too, but does not know the names of the properties. */
  private void requireBestToDropComments() {
    if (text(PAGE_COMMENTS).equals("drop") && !text(PAGE_EXTRACTOR).equals("best")) {
      throw new CorpulyzerException(
          "Property "
              + PAGE_COMMENTS
              + " is 'drop' and Property "
              + PAGE_EXTRACTOR
              + " is '"
              + text(PAGE_EXTRACTOR)
              + "', but only the extractor best drops comments; allowed is keep.");
    }
  }

  /**
   * Returns a value without white space around it, or the default if there is none.
   *
   * @throws CorpulyzerException if the value is not allowed
   */
  private static String checked(Property property, String found, String byDefault) {
    String value = found == null ? "" : found.trim();
    String text = value.isEmpty() ? byDefault : value;
    if (property.key().equals(LANGUAGE_TARGET)) {
      text = text.toLowerCase(Locale.ROOT).replaceAll("\\s*,\\s*", ",");
    }
    if (!property.allows(text)) {
      throw new CorpulyzerException(
          "Property "
              + property.key()
              + (value.isEmpty() ? " is not set" : " is '" + value + "'")
              + "; allowed is "
              + property.range()
              + ".");
    }
    return text;
  }

  /**
   * Reads and checks every key.
   *
   * @throws CorpulyzerException in one sentence that names the key, what was found and what is
   *     allowed
   */
  public static Settings from(PropertySource source) {
    return new Settings(source);
  }

  /**
   * @return every property by its key, in the order of {@code corpulyzer-default.xml}
   */
  public static Map<String, Property> properties() {
    return PropertyTable.ALL;
  }

  /**
   * @return the default of a key; empty if there is none
   */
  public static String defaultOf(String key) {
    return PropertyTable.ALL.get(key).value();
  }

  /**
   * @param profile a value of {@link #PROFILE}
   * @return the default of a key in this profile; empty if there is none
   */
  public static String defaultOf(String key, String profile) {
    return PropertyTable.ALL.get(key).value(profile);
  }

  /**
   * @return the settings of the native library; two settings that configure the same engine have
   *     the same text
   */
  public String toJson() {
    // No value needs escaping: texts match a list or a pattern, and names of packs have no
    // character that would.
    return PropertyTable.ALL.values().stream()
        .filter(property -> !property.engine().isEmpty())
        .map(property -> '"' + property.engine() + "\":" + json(property))
        .collect(Collectors.joining(",", "{", "}"));
  }

  /** Returns the property that the engine has under a key, with its value, for an error. */
  String property(String engine) {
    return PropertyTable.ALL.values().stream()
        .filter(property -> property.engine().equals(engine))
        .map(property -> "Property " + property.key() + " is '" + text(property.key()) + "'")
        .findFirst()
        .orElse("Setting " + engine);
  }

  private String json(Property property) {
    return property.key().equals(LANGUAGE_PACKS)
        ? packs.stream().map(property::json).collect(Collectors.joining(",", "[", "]"))
        : property.json(text(property.key()));
  }

  private String text(String key) {
    return values.get(key);
  }

  private long whole(String key) {
    return Long.parseLong(text(key));
  }

  private boolean flag(String key) {
    return Boolean.parseBoolean(text(key));
  }

  /**
   * @return language of the crawl as configured, lower case; {@link Engine#target()} returns its
   *     ISO 639-3 code. Several are separated by commas
   */
  public String target() {
    return text(LANGUAGE_TARGET);
  }

  /**
   * @return ISO 639-3 codes of the languages of the crawl, sorted, as {@link Engine#targets} has
   *     them; known without the native library
   */
  public List<String> targetCodes() {
    return Stream.of(target().split(","))
        .map(Languages::threeLetters)
        .distinct()
        .sorted()
        .collect(Collectors.toList());
  }

  /**
   * @param nutch name of a line of Nutch
   * @throws CorpulyzerException if several target languages are configured
   */
  public void requireOneTarget(String nutch) {
    if (target().indexOf(',') >= 0) {
      throw new CorpulyzerException(
          "Property "
              + LANGUAGE_TARGET
              + " is '"
              + target()
              + "'; "
              + nutch
              + " allows one language: use Nutch 1.20 or newer, or crawl once for each language.");
    }
  }

  /**
   * @return whether a page whose signature another page of the crawl has counts as 0 bytes
   */
  public boolean zeroesDuplicates() {
    return text(SCORE_DUPLICATES).equals("zero");
  }

  /**
   * @param source a value of {@link #SCORE_SOURCE} without a job that compares pages
   * @throws CorpulyzerException if duplicates count as 0 bytes
   */
  public void requireDuplicatesCounted(String source) {
    if (zeroesDuplicates()) {
      throw new CorpulyzerException(
          "Property "
              + SCORE_DUPLICATES
              + " is 'zero' and "
              + SCORE_SOURCE
              + " is '"
              + source
              + "', which compares no pages: set "
              + SCORE_SOURCE
              + " to stored, or "
              + SCORE_DUPLICATES
              + " to count.");
    }
  }

  /**
   * @param nutch name of a line of Nutch
   * @throws CorpulyzerException if a rule for links is configured
   */
  public void requireAllLinks(String nutch) {
    for (String key : new String[] {LINKS_POLICY, LINKS_MAX_TUNNEL, LINKS_MAX_HOPS}) {
      if (!text(key).equals(defaultOf(key))) {
        throw new CorpulyzerException(
            "Property "
                + key
                + " is '"
                + text(key)
                + "'; "
                + nutch
                + " allows "
                + defaultOf(key)
                + ": use Nutch 1.20 or newer for rules for links.");
      }
    }
  }

  /**
   * @return bytes that are wanted of each of several target languages; 0 for no quota
   */
  public long targetBytes() {
    return whole(SCORE_TARGET_BYTES);
  }

  /**
   * @return file of the native library, empty when it is to be searched
   */
  public String nativePath() {
    return text(NATIVE_PATH);
  }

  /**
   * @return whether a library that does not load is an error
   */
  public boolean isNativeRequired() {
    return flag(NATIVE_REQUIRED);
  }

  /**
   * @param allowed what this line of Nutch can do, its default first
   * @return where scores come from
   * @throws CorpulyzerException if another is configured
   */
  public ScoreSource scoreSource(ScoreSource... allowed) {
    String scoreSource = text(SCORE_SOURCE);
    if (scoreSource.isEmpty()) {
      return allowed[0];
    }
    for (ScoreSource source : allowed) {
      if (source.name().equalsIgnoreCase(scoreSource)) {
        return source;
      }
    }
    String names =
        Stream.of(allowed)
            .map(source -> source.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    throw new CorpulyzerException(
        "Property " + SCORE_SOURCE + " is '" + scoreSource + "'; this Nutch allows " + names + ".");
  }

  /**
   * @return where scores come from on Nutch 2.4: the default is a scan, but policy pages needs
   *     stored ones
   * @throws CorpulyzerException if another is configured
   */
  public ScoreSource scoreSourceOfWebTable() {
    return scorePolicy() == ScorePolicy.PAGES
        ? scoreSource(ScoreSource.STORED, ScoreSource.SCAN)
        : scoreSource(ScoreSource.SCAN, ScoreSource.STORED);
  }

  /**
   * @return folder of HostDb, empty if none is set
   */
  public String hostDb() {
    return text(SCORE_HOST_DB);
  }

  /**
   * @return hosts of HostDb that are held at most
   */
  public int hostDbMaxHosts() {
    return (int) whole(SCORE_HOST_DB_MAX_HOSTS);
  }

  /**
   * @return how the rows of a host are scored
   */
  public ScorePolicy scorePolicy() {
    String policy = text(SCORE_POLICY);
    return policy.startsWith("explore")
        ? ScorePolicy.EXPLORE
        : policy.startsWith("pages") ? ScorePolicy.PAGES : ScorePolicy.MEAN;
  }

  /**
   * Refuses settings under which policy pages has no effect.
   *
   * @param source where scores come from
   * @throws CorpulyzerException if policy pages is configured with one of them
   */
  public void requirePagesPossible(ScoreSource source) {
    if (scorePolicy() != ScorePolicy.PAGES) {
      return;
    }
    String pages = "Property " + SCORE_POLICY + " is '" + text(SCORE_POLICY) + "' and ";
    if (source != ScoreSource.STORED) {
      throw new CorpulyzerException(
          pages
              + SCORE_SOURCE
              + " is '"
              + text(SCORE_SOURCE)
              + "', which has scores of hosts alone: set "
              + SCORE_SOURCE
              + " to stored, or "
              + SCORE_POLICY
              + " to mean or explore.");
    }
    if (linksPolicy() == LinksPolicy.SOFT) {
      throw new CorpulyzerException(
          pages
              + LINKS_POLICY
              + " is 'soft', which lowers scores of hosts: set "
              + LINKS_POLICY
              + " to all or hard, or "
              + SCORE_POLICY
              + " to mean or explore.");
    }
  }

  /**
   * @return rows that policy pages chooses for the next generate of Nutch
   */
  public int scoreTopN() {
    return (int) whole(SCORE_TOP_N);
  }

  /**
   * @return what happens to the links of rejected pages
   */
  public LinksPolicy linksPolicy() {
    return LinksPolicy.valueOf(text(LINKS_POLICY).toUpperCase(Locale.ROOT));
  }

  /**
   * @return whether rows that were found on pages in the language have another score than other
   *     rows of their host
   */
  public boolean scoresByLinks() {
    return scorePolicy() == ScorePolicy.EXPLORE || linksPolicy() == LinksPolicy.SOFT;
  }

  /**
   * @return most rejected pages in a row on the way to a page; {@link Integer#MAX_VALUE} for no
   *     limit
   */
  public int maxTunnel() {
    return limit(LINKS_MAX_TUNNEL);
  }

  /**
   * @return most links between a seed and a page; {@link Integer#MAX_VALUE} for no limit
   */
  public int maxHops() {
    return limit(LINKS_MAX_HOPS);
  }

  private int limit(String key) {
    long limit = whole(key);
    return limit == 0 ? Integer.MAX_VALUE : (int) limit;
  }

  /**
   * @return whether the policy can stop hosts: their rows score below 0
   */
  public boolean stopsHosts() {
    return text(SCORE_POLICY).indexOf('+') >= 0;
  }

  /**
   * @return whether the policy can stop hosts by their byte yield, which needs the downloaded bytes
   *     of pages
   */
  public boolean stopsLowYields() {
    return text(SCORE_POLICY).contains("+rising:");
  }

  /**
   * @return least target bytes of a page in the target language
   */
  public long minBytes() {
    return whole(PAGE_MIN_BYTES);
  }

  /**
   * @return whether pages are kept by the stages of policy recall, and not by their bytes alone
   */
  public boolean isRecall() {
    return text(PAGE_POLICY).equals("recall");
  }

  /**
   * @return whether a page that is junk is rejected
   */
  public boolean rejectsJunk() {
    return Boolean.parseBoolean(text(PAGE_REJECT_JUNK));
  }

  /**
   * @return percent of the language set that the target must have, for policy recall
   */
  public long minPercent() {
    return whole(PAGE_MIN_PERCENT);
  }

  /**
   * @return largest size of a page, in bytes
   */
  public long maxBytes() {
    return whole(PAGE_MAX_BYTES);
  }

  /**
   * @return time limit for a page in milliseconds
   */
  public long maxMillis() {
    return whole(PAGE_MAX_MILLIS);
  }

  /**
   * @return rows of one host that a scan reads at most
   */
  public long scanMaxRows() {
    return whole(SCORE_SCAN_MAX_ROWS);
  }

  /**
   * @return score of the rows of a host without a fetched page
   */
  public float unknownScore() {
    return Float.parseFloat(text(SCORE_UNKNOWN));
  }

  /**
   * @return score of an injected seed of such a host
   */
  public float injectedScore() {
    return Float.parseFloat(text(SCORE_INJECTED));
  }

  /**
   * @return whether LrlDbUpdaterJob leaves hosts alone of which no row was written since its last
   *     run
   */
  public boolean isIncremental() {
    return flag(SCORE_INCREMENTAL);
  }

  /**
   * @return milliseconds that an incremental run looks back beyond the start of the last run
   */
  public long marginMillis() {
    return whole(SCORE_MARGIN_MILLIS);
  }

  /**
   * @return unknown hosts that the jobs for Nutch 1.x probe at one time
   */
  public long probes() {
    return whole(SCORE_PROBES);
  }

  /**
   * @return whether a CrawlDb that was scored for another language may be scored
   */
  public boolean isLanguageChangeAllowed() {
    return flag(SCORE_CHANGE_LANGUAGE);
  }

  /**
   * @return whether rejected pages stay out of the index
   */
  public boolean isDropRejected() {
    return flag(INDEX_DROP_REJECTED);
  }
}
