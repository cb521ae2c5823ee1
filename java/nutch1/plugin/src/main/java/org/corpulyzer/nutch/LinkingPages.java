package org.corpulyzer.nutch;

import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.corpulyzer.engine.HostTotals;
import org.corpulyzer.engine.PageKeys;

/**
 * The pages of a host that link to one of its rows: their target bytes and their number, for {@code
 * corpulyzer.score.source=row}. Links and rows have them in their metadata.
 *
 * <p>Error against the exact score: the mean is that of the pages that link to the row, not of all
 * fetched pages of the host. A page that is fetched again, and a segment that updatedb reads twice,
 * count once more. A row that no page of its host links to has the score of unknown hosts. Nutch
 * keeps {@code db.max.outlinks.per.page} links of a page and {@code db.update.max.inlinks} links of
 * a row.
 */
final class LinkingPages {

  private static final Text KEY = new Text(PageKeys.LINKING_PAGES);

  private long bytes;
  private long pages;

  /** Writes one page into a link. */
  static void set(CrawlDatum link, long bytes) {
    LinkingPages one = new LinkingPages();
    one.bytes = bytes;
    one.pages = 1;
    one.writeTo(link);
  }

  static void remove(CrawlDatum datum) {
    datum.getMetaData().remove(KEY);
  }

  static boolean isIn(CrawlDatum datum) {
    return datum.getMetaData().containsKey(KEY);
  }

  /** Adds the pages of a link or a row. Adds none if it has no sum, or the sum is invalid. */
  void add(CrawlDatum datum) {
    Writable value = datum.getMetaData().get(KEY);
    String[] numbers = value == null ? new String[0] : value.toString().split(" ");
    if (numbers.length == 2
        && numbers[0].matches("[0-9]{1,18}")
        && numbers[1].matches("[0-9]{1,18}")) {
      bytes = sum(bytes, Long.parseLong(numbers[0]));
      pages = sum(pages, Long.parseLong(numbers[1]));
    }
  }

  private static long sum(long a, long b) {
    // {@link #add} reads 18 digits.
    return Math.min(a + b, 999_999_999_999_999_999L);
  }

  boolean isEmpty() {
    return pages == 0;
  }

  HostTotals totals() {
    return new HostTotals(bytes, pages);
  }

  void writeTo(CrawlDatum datum) {
    datum.getMetaData().put(new Text(KEY), new Text(bytes + " " + pages));
  }
}
