package org.corpulyzer.jobs;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.HostTally;
import org.corpulyzer.engine.LanguageBytes;
import org.corpulyzer.engine.PageKeys;

/**
 * The fields of a CrawlDb row that the jobs read. One object is used for a whole part: {@link
 * #read} sets the row.
 */
final class PageRow implements HostTally.Row {

  private static final Text VERSION = new Text(PageKeys.VERSION);
  private static final Text LANGUAGES = new Text(PageKeys.LANGUAGES);
  private static final Text DECISION = new Text(PageKeys.DECISION);
  private static final Text RAW_BYTES = new Text(PageKeys.RAW_BYTES);
  private static final Text INJECTED = new Text(PageKeys.INJECTED_MARK);
  private static final Text FOUND = new Text(PageKeys.FOUND_MARK);
  private static final Text ELSEWHERE = new Text(PageKeys.ELSEWHERE_MARK);
  private static final Text LIST = new Text(PageKeys.LIST_MARK);

  private final boolean zeroesDuplicates;
  private byte status;
  private float score;
  private CrawlDatum datum;

  /** Null if the row was read from an object. */
  private RowBytes bytes;

  private Text url = new Text();

  /** Rows of which duplicates count like any page. */
  PageRow() {
    this(false);
  }

  /**
   * @param zeroesDuplicates whether duplicates count as 0 bytes
   */
  PageRow(boolean zeroesDuplicates) {
    this.zeroesDuplicates = zeroesDuplicates;
  }

  /**
   * Sets the URL, which a probe is named by.
   *
   * @param key the URL; it must not change until the row is added to a host's sums
   */
  PageRow at(Text key) {
    url = key;
    return this;
  }

  PageRow read(CrawlDatum row) {
    datum = row;
    bytes = null;
    status = row.getStatus();
    score = row.getScore();
    return this;
  }

  PageRow read(RowBytes row) {
    datum = null;
    bytes = row;
    status = row.status();
    score = row.score();
    return this;
  }

  @Override
  public String key() {
    return url.toString();
  }

  /**
   * @return whether the page counts in its host's mean: fetched, found unchanged when fetched
   *     again, or a duplicate, which is a fetched page that Nutch's dedup marked; a sitemap or a
   *     feed is no page
   */
  @Override
  public boolean isFetched() {
    return (status == CrawlDatum.STATUS_DB_FETCHED
            || status == CrawlDatum.STATUS_DB_NOTMODIFIED
            || status == CrawlDatum.STATUS_DB_DUPLICATE)
        && !(has(LIST) && !has(DECISION));
  }

  @Override
  public boolean isInjected() {
    return has(INJECTED);
  }

  /**
   * @return whether the page was found on a page in the target language
   */
  @Override
  public boolean isFound() {
    return has(FOUND);
  }

  /**
   * @return whether the page was found on a page without a word in the target language
   */
  @Override
  public boolean isElsewhere() {
    return has(ELSEWHERE);
  }

  @Override
  public boolean isUntried() {
    return status == CrawlDatum.STATUS_DB_UNFETCHED;
  }

  /**
   * @return whether the page counts as 0 bytes because another one has its signature
   */
  boolean isZeroed() {
    return zeroesDuplicates && status == CrawlDatum.STATUS_DB_DUPLICATE;
  }

  /**
   * @return whether a fetched page has figures, so that its language is known
   */
  @Override
  public boolean isRead() {
    return has(LANGUAGES) || has(DECISION);
  }

  /**
   * @return decision and reason, or null
   */
  String decision() {
    return text(DECISION);
  }

  /**
   * @return record version of the figures, or null
   */
  String version() {
    return text(VERSION);
  }

  /**
   * @return bytes per language, or null
   */
  String languages() {
    return text(LANGUAGES);
  }

  /**
   * @param language ISO 639-3
   * @return the page's bytes in a language, 0 when it has no figures or {@link #isZeroed}, -1 when
   *     they are malformed
   */
  @Override
  public long bytesIn(String language) {
    if (isZeroed()) {
      return 0;
    }
    try {
      return LanguageBytes.targetBytes(languages(), language);
    } catch (CorpulyzerException e) {
      return -1;
    }
  }

  @Override
  public boolean addBytesIn(List<String> codes, long[] sums) {
    if (isZeroed()) {
      return true;
    }
    Map<String, Long> bytes;
    try {
      bytes = LanguageBytes.parse(languages());
    } catch (CorpulyzerException e) {
      return false;
    }
    for (int i = 0; i < sums.length; i++) {
      // Sums stop at the largest number.
      long sum = sums[i] + bytes.getOrDefault(codes.get(i), 0L);
      sums[i] = sum < 0 ? Long.MAX_VALUE : sum;
    }
    return true;
  }

  /**
   * @return raw bytes of the page as text, or null
   */
  String rawBytesText() {
    return text(RAW_BYTES);
  }

  @Override
  public long rawBytes() {
    return HostTally.bytes(rawBytesText());
  }

  float score() {
    return score;
  }

  byte status() {
    return status;
  }

  /** Sets the status, here and not in what the row was read from. */
  PageRow withStatus(byte other) {
    status = other;
    return this;
  }

  /**
   * @return the signature; null or empty if there is none
   */
  byte[] signature() {
    return bytes == null ? datum.getSignature() : bytes.signature();
  }

  /**
   * @return when the page was fetched last, in milliseconds since 1970, as far as the time of its
   *     next fetch shows
   */
  long lastFetch() {
    return bytes == null
        ? datum.getFetchTime() - 1000L * datum.getFetchInterval()
        : bytes.fetchTime() - 1000L * bytes.fetchInterval();
  }

  private boolean has(Text key) {
    return bytes == null ? datum.getMetaData().containsKey(key) : bytes.has(key);
  }

  private String text(Text key) {
    if (bytes != null) {
      return bytes.text(key);
    }
    Writable value = datum.getMetaData().get(key);
    return value == null ? null : value.toString();
  }
}
