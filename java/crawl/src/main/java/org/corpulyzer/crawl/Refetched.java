package org.corpulyzer.crawl;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.corpulyzer.engine.PageKeys;

/**
 * Pages that were fetched again in a later round. The corpus has only the newest fetch of a page,
 * and no page that is gone. A page is generated again with a row that shows the earlier fetch, so
 * only such pages are in memory, with 48 bytes each.
 */
final class Refetched {
  private static final Text VERSION = new Text(PageKeys.VERSION);

  /**
   * By the fingerprint of the URL: the last round with another response, and whether the page was
   * gone then.
   */
  private final Map<Long, int[]> last = new HashMap<>();

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

  private static boolean wasFetched(CrawlDatum row) {
    int status = row.getStatus();
    // Figures stay in a row after a failed fetch, which makes its status that of an unfetched page
    // again.
    return status == CrawlDatum.STATUS_DB_FETCHED
        || status == CrawlDatum.STATUS_DB_NOTMODIFIED
        || status == CrawlDatum.STATUS_DB_DUPLICATE
        || row.getMetaData().containsKey(VERSION);
  }

  private void add(Configuration conf, Segment segment) throws IOException {
    try (SortedRecords<CrawlDatum> rows =
        new SortedRecords<>(conf, segment.file(CrawlDatum.GENERATE_DIR_NAME), new CrawlDatum())) {
      while (rows.next()) {
        if (wasFetched(rows.value())) {
          last.putIfAbsent(Fingerprint.of(rows.key().toString()), new int[2]);
        }
      }
    }
    try (SortedRecords<CrawlDatum> answers =
        new SortedRecords<>(conf, segment.data(CrawlDatum.FETCH_DIR_NAME), new CrawlDatum())) {
      while (answers.next()) {
        int[] known = last.get(Fingerprint.of(answers.key().toString()));
        if (known != null && isOther(answers.value().getStatus())) {
          known[0] = segment.round();
          known[1] = answers.value().getStatus() == CrawlDatum.STATUS_FETCH_SUCCESS ? 0 : 1;
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
   * @return whether a later round got another response than this page
   */
  boolean isReplaced(SegmentPage page) {
    int[] known = last.isEmpty() ? null : last.get(Fingerprint.of(page.url()));
    return known != null && known[0] > page.round();
  }

  /**
   * @return whether the last response was that the page is gone or has moved
   */
  boolean isGone(SegmentPage page) {
    int[] known = last.isEmpty() ? null : last.get(Fingerprint.of(page.url()));
    return known != null && known[0] > page.round() && known[1] == 1;
  }
}
