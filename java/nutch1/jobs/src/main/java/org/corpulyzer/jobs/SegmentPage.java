package org.corpulyzer.jobs;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.net.protocols.Response;
import org.apache.nutch.parse.ParseText;
import org.apache.nutch.protocol.Content;
import org.corpulyzer.corpus.CorpusPage;
import org.corpulyzer.corpus.CrawlDescription;
import org.corpulyzer.corpus.Decisions;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.RowKeys;
import org.corpulyzer.engine.Settings;

/**
 * A page of several segments: what the newest successful fetch of a URL brought. A fetch that found
 * the page unchanged leaves it, and so does one that failed and is to be tried again. One holder
 * serves a whole task: {@link #read} points it at the next URL.
 */
final class SegmentPage implements CorpusPage {

  /** Outcome of the URL. */
  enum State {
    /** The URL does not read. */
    MALFORMED,
    /** Never fetched with success. */
    OTHER,
    /** A page that was fetched. */
    FETCHED,
    /** It was a page, and the server no longer has it. */
    GONE,
    /** It was a page, and redirects. */
    MOVED,
    /** A page that another one has the content of, by the CrawlDb. */
    DUPLICATE
  }

  private static final Text CONTENT_TYPE = new Text(Metadata.CONTENT_TYPE);

  private final Segments segments;
  private String id;
  private String url;
  private State state;
  private CrawlDatum fetch;
  private int segment;
  private Metadata parse;
  private String text;
  private Content content;

  /** Null if the files of hosts are not read. */
  private StoredRules rules;

  /** Null for decisions as stored. */
  private Decisions decisions;

  private String decision;

  SegmentPage(Segments segments) {
    this.segments = segments;
  }

  /**
   * @param millis time of the fetch
   * @return a file of a host with rules on the use of its pages
   */
  static SegmentPage ofFile(Segments segments, String url, Content file, long millis) {
    SegmentPage page = new SegmentPage(segments);
    page.id = RowKeys.of(url);
    page.url = url;
    page.state = State.FETCHED;
    page.fetch = new CrawlDatum(CrawlDatum.STATUS_FETCH_SUCCESS, 0);
    page.fetch.setFetchTime(millis);
    page.content = file;
    return page;
  }

  /** Takes the rules of the hosts, which are those of the page's host while it is read. */
  void setRules(StoredRules newRules) {
    rules = newRules;
  }

  /**
   * @return the files of the page's host with rules on the use of its pages
   */
  List<CorpusPage> hostFiles() {
    return rules.files();
  }

  @Override
  public String robotsFile() {
    return rules == null ? null : rules.robots(url);
  }

  @Override
  public String tdmFile() {
    return rules == null ? null : rules.tdm(url);
  }

  /** Makes decisions again that were made by other settings. */
  void decideBy(Decisions present) {
    decisions = present;
  }

  /**
   * @return description of the crawl for WARC files
   */
  static CrawlDescription description(Configuration conf, Segments segments) {
    return new CrawlDescription(
        "Corpulyzer on Apache Nutch 1",
        segments.name(),
        conf.get(Settings.LANGUAGE_TARGET),
        conf.get("http.agent.name"),
        conf.get("http.agent.email", conf.get("http.agent.url")));
  }

  /**
   * @return whether the page is left out because of its row in CrawlDb
   */
  static boolean dropsPage(byte status) {
    return status == CrawlDatum.STATUS_DB_GONE
        || status == CrawlDatum.STATUS_DB_DUPLICATE
        || status == CrawlDatum.STATUS_DB_REDIR_TEMP
        || status == CrawlDatum.STATUS_DB_REDIR_PERM;
  }

  /**
   * @param parts of a URL, the statuses first; of those behind, only what is of the page is held in
   *     memory
   */
  void read(PageKey key, Iterable<PagePart> parts) {
    id = key.id();
    url = key.url();
    fetch = null;
    segment = -1;
    parse = null;
    text = null;
    content = null;
    decision = null;
    CrawlDatum newest = null;
    byte inCrawlDb = 0;
    for (PagePart part : parts) {
      switch (part.kind()) {
        case CRAWLDB:
          inCrawlDb = ((CrawlDatum) part.value()).getStatus();
          break;
        case FETCH:
          CrawlDatum datum = (CrawlDatum) part.value();
          newest =
              datum.getStatus() == CrawlDatum.STATUS_FETCH_RETRY ? newest : newer(newest, datum);
          if (datum.getStatus() == CrawlDatum.STATUS_FETCH_SUCCESS
              && newer(fetch, datum) == datum) {
            fetch = datum;
            segment = part.segment();
          }
          break;
        default:
          if (part.segment() == segment) {
            add(part);
          }
      }
    }
    state =
        id.isEmpty()
            ? State.MALFORMED
            : fetch == null ? State.OTHER : state(newest.getStatus(), inCrawlDb);
  }

  private static CrawlDatum newer(CrawlDatum one, CrawlDatum other) {
    return one == null || other.getFetchTime() >= one.getFetchTime() ? other : one;
  }

  private void add(PagePart part) {
    switch (part.kind()) {
      case CONTENT:
        content = (Content) part.value();
        break;
      case PARSE:
        parse = (Metadata) part.value();
        break;
      default:
        text = ((ParseText) part.value()).getText();
    }
  }

  private static State state(byte newest, byte inCrawlDb) {
    if (newest == CrawlDatum.STATUS_FETCH_GONE || inCrawlDb == CrawlDatum.STATUS_DB_GONE) {
      return State.GONE;
    }
    boolean isPage =
        newest == CrawlDatum.STATUS_FETCH_SUCCESS || newest == CrawlDatum.STATUS_FETCH_NOTMODIFIED;
    if (!isPage
        || inCrawlDb == CrawlDatum.STATUS_DB_REDIR_TEMP
        || inCrawlDb == CrawlDatum.STATUS_DB_REDIR_PERM) {
      return State.MOVED;
    }
    return inCrawlDb == CrawlDatum.STATUS_DB_DUPLICATE ? State.DUPLICATE : State.FETCHED;
  }

  State state() {
    return state;
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public String url() {
    return url;
  }

  @Override
  public String host() {
    return RowKeys.reverse(RowKeys.host(id));
  }

  @Override
  public long round() {
    return segments.round(segment, parse == null ? null : parse.get(Nutch.SEGMENT_NAME_KEY), fetch);
  }

  @Override
  public long fetchMillis() {
    return fetch.getFetchTime();
  }

  @Override
  public String title() {
    return parse == null ? "" : CorpusPage.orEmpty(parse.get(SegmentInput.TITLE));
  }

  @Override
  public String text() {
    return CorpusPage.orEmpty(text);
  }

  @Override
  public byte[] utf8Text() {
    return text == null ? null : CorpusPage.super.utf8Text();
  }

  @Override
  public String contentType() {
    Writable type = fetch.getMetaData().get(CONTENT_TYPE);
    return type != null
        ? type.toString()
        : content == null ? "" : CorpusPage.orEmpty(content.getContentType());
  }

  @Override
  public byte[] signature() {
    String digits = parse == null ? null : parse.get(Nutch.SIGNATURE_KEY);
    if (digits == null || !digits.matches("([0-9a-fA-F]{2}){1,64}")) {
      return null;
    }
    byte[] signature = new byte[digits.length() / 2];
    for (int i = 0; i < signature.length; i++) {
      signature[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), 16);
    }
    return signature;
  }

  @Override
  public byte[] content() {
    return content == null ? null : content.getContent();
  }

  /** Without Nutch's own entries among the header lines. */
  @Override
  public Map<String, List<String>> headers() {
    Map<String, List<String>> headers = new TreeMap<>();
    if (content != null) {
      for (String name : content.getMetadata().names()) {
        boolean isNutch =
            name.startsWith("_")
                || name.startsWith("nutch.")
                || name.startsWith(Response.TRUNCATED_CONTENT);
        if (!isNutch) {
          headers.put(name, Arrays.asList(content.getMetadata().getValues(name)));
        }
      }
    }
    return headers;
  }

  @Override
  public String responseHead() {
    return stored(Response.RESPONSE_HEADERS);
  }

  @Override
  public String request() {
    return stored(Response.REQUEST);
  }

  @Override
  public String ipAddress() {
    return stored(Response.IP_ADDRESS);
  }

  private String stored(String key) {
    return content == null ? null : content.getMetadata().get(key);
  }

  @Override
  public String truncation() {
    String isTruncated = stored(Response.TRUNCATED_CONTENT);
    if (isTruncated == null) {
      return null;
    }
    String reason =
        CorpusPage.orEmpty(stored(Response.TRUNCATED_CONTENT_REASON)).toLowerCase(Locale.ROOT);
    return !isTruncated.equals("true")
        ? ""
        : reason.matches("length|time|disconnect") ? reason : "unspecified";
  }

  @Override
  public Map<String, String> figures() {
    if (parse == null) {
      return Collections.emptyMap();
    }
    Map<String, String> figures = new TreeMap<>();
    for (String name : parse.names()) {
      if (name.startsWith(SegmentInput.FIGURES)) {
        figures.put(name, figure(name));
      }
    }
    return figures;
  }

  @Override
  public String figure(String key) {
    String stored = parse == null ? null : parse.get(key);
    if (stored == null || decisions == null || !key.equals(PageKeys.DECISION)) {
      return stored;
    }
    if (decision == null) {
      decision = decisions.of(this, stored);
    }
    return decision;
  }

  /**
   * @return whether the parser had figures of it
   */
  boolean hasFigures() {
    return figure(PageKeys.LANGUAGES) != null;
  }
}
