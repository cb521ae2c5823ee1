package org.corpulyzer.nutch;

import org.apache.hadoop.io.MapWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.parse.Outlink;
import org.corpulyzer.engine.LinkCounts;
import org.corpulyzer.engine.LinkSigns;
import org.corpulyzer.engine.PageKeys;

/** Counts of the links to a row, for policy pages: {@link PageKeys#LINK_COUNTS}. */
final class LinkTag {
  private static final Text KEY = new Text(PageKeys.LINK_COUNTS);

  private LinkTag() {}

  static boolean isIn(CrawlDatum datum) {
    return datum.getMetaData().containsKey(KEY);
  }

  private static String of(CrawlDatum datum) {
    Writable value = datum.getMetaData().get(KEY);
    return value == null ? null : value.toString();
  }

  private static void set(CrawlDatum datum, LinkCounts counts) {
    if (counts.isEmpty()) {
      datum.getMetaData().remove(KEY);
    } else {
      datum.getMetaData().put(new Text(KEY), new Text(counts.toString()));
    }
  }

  /** Writes what a page tells about a link into the link, which gives it to its row. */
  static void write(Outlink link, LinkSigns signs) {
    String told = signs.of(link.getToUrl());
    boolean isAlternate = signs.isAlternate(link.getToUrl());
    if (told.isEmpty() && !isAlternate) {
      return;
    }
    MapWritable metadata = link.getMetadata() == null ? new MapWritable() : link.getMetadata();
    if (!told.isEmpty()) {
      metadata.put(new Text(KEY), new Text(told));
    }
    if (isAlternate) {
      metadata.put(new Text(PageKeys.ALTERNATE_MARK), new Text(PageKeys.MARK_SET));
    }
    link.setMetadata(metadata);
  }

  /**
   * Counts a link of a page in place of what the parser wrote into it. If the language of the
   * anchor is unknown, it is that of the page.
   *
   * @param isRead whether the page was read; otherwise its language is unknown, and only its
   *     alternates count
   * @param isExternal whether the page is on another host
   * @param isInTarget whether the page is in a target language
   */
  static void count(CrawlDatum link, boolean isRead, boolean isExternal, boolean isInTarget) {
    String parsed = of(link);
    LinkCounts counts = new LinkCounts();
    if (isRead) {
      boolean isAnchorInTarget =
          has(parsed, PageKeys.ANCHOR_IN_TARGET)
              || isInTarget && !has(parsed, PageKeys.ANCHOR_IN_OTHER);
      counts.addLink(isExternal, isInTarget, isAnchorInTarget);
    }
    if (RowMark.ALTERNATE.isSet(link)) {
      counts.addHreflang(true);
    } else if (has(parsed, PageKeys.HREFLANG_OTHER)) {
      counts.addHreflang(false);
    }
    set(link, counts);
  }

  private static boolean has(String parsed, String sign) {
    return parsed != null && parsed.contains(sign);
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
      counts.add(of(link));
    }
    set(datum, counts);
  }
}
