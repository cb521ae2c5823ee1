package org.corpulyzer.crawl;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.util.StringUtil;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.jobs.RowBytes;

/**
 * Pages that were fetched again in a later round. The corpus has the newest fetch of a page that
 * changed, and no page that is gone. A page that has the same signature keeps its earlier record. A
 * page is generated again with a row that shows the earlier fetch, so only such pages are in
 * memory, with 48 bytes each, and 48 bytes for each fetch without a change.
 */
final class Refetched {
  private static final Text VERSION = new Text(PageKeys.VERSION);

  /**
   * By the fingerprint of the URL: the last round with another response, and whether the page was
   * gone then.
   */
  private final Map<Long, int[]> last = new HashMap<>();

  /** Fetches that found a page with the signature that it had, see {@link #repeat}. */
  private final Set<Long> repeats = new HashSet<>();

  private Refetched() {}

  static Refetched none() {
    return new Refetched();
  }

  /** Reads the segments, oldest first. */
  static Refetched of(Configuration conf, List<Segment> segments) throws IOException {
    Refetched all = new Refetched();
    for (Segment segment : segments) {
      if (isIn(conf, segment)) {
        all.add(conf, segment);
      }
    }
    return all;
  }

  /**
   * @return whether any page of a segment was fetched before
   */
  static boolean isIn(Configuration conf, Segment segment) throws IOException {
    try (SortedRecords<CrawlDatum> rows =
        new SortedRecords<>(conf, segment.file(CrawlDatum.GENERATE_DIR_NAME), new CrawlDatum())) {
      while (rows.next()) {
        if (wasFetched(rows.value())) {
          return true;
        }
      }
      return false;
    }
  }

  static boolean wasFetched(CrawlDatum row) {
    // Figures stay in a row after a failed fetch, which makes its status that of an unfetched page
    // again.
    return isFetched(row.getStatus()) || row.getMetaData().containsKey(VERSION);
  }

  private static boolean isFetched(int status) {
    return status == CrawlDatum.STATUS_DB_FETCHED
        || status == CrawlDatum.STATUS_DB_NOTMODIFIED
        || status == CrawlDatum.STATUS_DB_DUPLICATE;
  }

  /**
   * @return whether the row is of a page that was fetched before, and did not turn out to be gone
   *     or moved
   */
  static boolean isPage(RowBytes row) {
    return isFetched(row.status())
        || row.status() == CrawlDatum.STATUS_DB_UNFETCHED && row.has(VERSION);
  }

  /**
   * @param parse what the parser found; null if the page was not parsed
   * @return whether the page has the signature that its row had before the fetch
   */
  static boolean isSame(byte[] signature, ParseData parse) {
    String hex = parse == null ? null : parse.getContentMeta().get(Nutch.SIGNATURE_KEY);
    return hex != null && signature != null && hex.equals(StringUtil.toHexString(signature));
  }

  private static long repeat(long page, int round) {
    return page ^ round * 0x9e3779b97f4a7c15L;
  }

  private void add(Configuration conf, Segment segment) throws IOException {
    Map<Long, byte[]> signatures = new HashMap<>();
    try (SortedRecords<CrawlDatum> rows =
        new SortedRecords<>(conf, segment.file(CrawlDatum.GENERATE_DIR_NAME), new CrawlDatum())) {
      while (rows.next()) {
        if (wasFetched(rows.value())) {
          long page = Fingerprint.of(rows.key().toString());
          last.putIfAbsent(page, new int[2]);
          signatures.put(page, rows.value().getSignature());
        }
      }
    }
    try (SortedRecords<CrawlDatum> answers =
            new SortedRecords<>(conf, segment.data(CrawlDatum.FETCH_DIR_NAME), new CrawlDatum());
        SortedRecords<ParseData> parses =
            new SortedRecords<>(conf, segment.data(ParseData.DIR_NAME), new ParseData())) {
      while (answers.next()) {
        long page = Fingerprint.of(answers.key().toString());
        int[] known = last.get(page);
        int status = answers.value().getStatus();
        if (known == null || !isOther(status)) {
          continue;
        }
        boolean isPage = status == CrawlDatum.STATUS_FETCH_SUCCESS;
        // A page that was gone has no record to keep.
        if (isPage
            && known[1] == 0
            && isSame(signatures.get(page), parses.seek(answers.key()) ? parses.value() : null)) {
          repeats.add(repeat(page, segment.round()));
        } else {
          known[0] = segment.round();
          known[1] = isPage ? 0 : 1;
        }
      }
    }
  }

  /** A page that was not modified, or that could not be had this time, stays as it was. */
  private static boolean isOther(int status) {
    return status == CrawlDatum.STATUS_FETCH_SUCCESS
        || status == CrawlDatum.STATUS_FETCH_GONE
        || status == CrawlDatum.STATUS_FETCH_REDIR_PERM
        || status == CrawlDatum.STATUS_FETCH_REDIR_TEMP;
  }

  /**
   * @return whether another fetch has the page's record: a later one with another response, or an
   *     earlier one with the same page
   */
  boolean isReplaced(SegmentPage page) {
    if (last.isEmpty()) {
      return false;
    }
    long fingerprint = Fingerprint.of(page.url());
    int[] known = last.get(fingerprint);
    return known != null
        && (known[0] > page.round() || repeats.contains(repeat(fingerprint, (int) page.round())));
  }

  /**
   * @return whether the last response was that the page is gone or has moved
   */
  boolean isGone(SegmentPage page) {
    int[] known = last.isEmpty() ? null : last.get(Fingerprint.of(page.url()));
    return known != null && known[0] > page.round() && known[1] == 1;
  }
}
