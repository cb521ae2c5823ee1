package org.corpulyzer.nutch;

import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.corpulyzer.engine.LinkCounts;
import org.corpulyzer.engine.PageKeys;

/** Counts of the links to a row, for policy pages: {@link PageKeys#LINK_COUNTS}. */
final class LinkTag {
  private static final Text KEY = new Text(PageKeys.LINK_COUNTS);

  /** A power of two, so that no score is rounded. */
  private static final float STEP = 1f / 32;

  /** A score that is counts is above this and below 2. */
  private static final float BASE = 1;

  private LinkTag() {}

  static boolean isIn(CrawlDatum datum) {
    return datum.getMetaData().containsKey(KEY);
  }

  private static String of(CrawlDatum datum) {
    Writable value = datum.getMetaData().get(KEY);
    return value == null ? null : value.toString();
  }

  static void set(CrawlDatum datum, LinkCounts counts) {
    if (counts.isEmpty()) {
      datum.getMetaData().remove(KEY);
    } else {
      datum.getMetaData().put(new Text(KEY), new Text(counts.toString()));
    }
  }

  /**
   * Writes counts into the score of a link without metadata: making metadata takes more time than
   * everything else that is done with a link.
   *
   * @return whether there are counts
   */
  static boolean setScore(CrawlDatum link, LinkCounts counts) {
    int code = counts.code();
    if (code > 0) {
      link.setScore(BASE + code * STEP);
    }
    return code > 0;
  }

  /**
   * @return whether the score of a link is its counts
   */
  static boolean isScore(CrawlDatum link) {
    return link.getScore() > BASE && link.getScore() <= BASE + LinkCounts.MAX_CODE * STEP;
  }

  /**
   * Adds links to the counts of a row that is not fetched yet.
   *
   * @param old the row before the update, or null
   */
  static void update(CrawlDatum old, CrawlDatum datum, Iterable<CrawlDatum> links) {
    if (datum.getStatus() != CrawlDatum.STATUS_DB_UNFETCHED) {
      return;
    }
    // A new row has the metadata of one of its links, which is among the links too.
    LinkCounts counts = new LinkCounts();
    if (old != null) {
      counts.add(of(old));
    }
    for (CrawlDatum link : links) {
      if (isScore(link)) {
        counts.add(Math.round((link.getScore() - BASE) / STEP));
      } else {
        counts.add(of(link));
      }
    }
    set(datum, counts);
  }
}
