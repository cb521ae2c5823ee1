package org.corpulyzer.nutch;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.corpulyzer.engine.PageKeys;

/**
 * The way from the seeds to a row of CrawlDb: the number of links from a seed, and the number of
 * rejected pages in a row before the row. Rows and links have it in their metadata, as Nutch's
 * scoring-depth has its {@code _depth_}; the metadata of a content passes it from the row to the
 * links of the page. If several ways lead to a row, each number is the smallest of its own.
 *
 * <p>A page is parsed with the path that its row had when it was fetched. If a shorter way is found
 * later, its links are added when the page is fetched again.
 *
 * <p>The target of an HTTP redirect has the path of the row that redirects. The target of a meta
 * refresh has none unless a page also links to it, because Nutch calls no filter for it. A page
 * whose row has no path counts as a seed.
 */
final class LinkPath {

  /** Limits of the paths that are followed; {@link Integer#MAX_VALUE} for no limit. */
  static final class Limits {
    private final int tunnel;
    private final int hops;

    Limits(int tunnel, int hops) {
      this.tunnel = tunnel;
      this.hops = hops;
    }

    boolean areSet() {
      return tunnel < Integer.MAX_VALUE || hops < Integer.MAX_VALUE;
    }

    boolean allow(LinkPath path) {
      return path.rejected <= tunnel && path.hops <= hops;
    }
  }

  /** The path of a seed. */
  static final LinkPath START = new LinkPath(0, 0);

  private static final Text KEY = new Text(PageKeys.LINK_PATH);

  /** At most eight digits, so that a number that somebody made up does not overflow. */
  private static final String FORM = "[0-9]{1,8} [0-9]{1,8}";

  private final int hops;
  private final int rejected;

  private LinkPath(int hops, int rejected) {
    this.hops = hops;
    this.rejected = rejected;
  }

  /**
   * @param text what {@link #toString} returned
   * @return null for other texts and for null
   */
  static LinkPath parse(String text) {
    if (text == null || !text.matches(FORM)) {
      return null;
    }
    int blank = text.indexOf(' ');
    return new LinkPath(
        Integer.parseInt(text.substring(0, blank)), Integer.parseInt(text.substring(blank + 1)));
  }

  private static LinkPath of(CrawlDatum datum) {
    Writable value = datum.getMetaData().get(KEY);
    return value == null ? null : parse(value.toString());
  }

  /**
   * @return the path of a row; that of a seed if it has none
   */
  static LinkPath orStart(CrawlDatum datum) {
    LinkPath path = of(datum);
    return path == null ? START : path;
  }

  static boolean isIn(CrawlDatum datum) {
    return datum.getMetaData().containsKey(KEY);
  }

  /**
   * @param row the row before the update, or null
   * @param links the links to it
   * @return the smallest numbers of all of them; empty if none has a path
   */
  static Optional<LinkPath> shortest(CrawlDatum row, List<CrawlDatum> links) {
    return Stream.concat(Stream.ofNullable(row), links.stream())
        .map(LinkPath::of)
        .filter(Objects::nonNull)
        .reduce((a, b) -> new LinkPath(Math.min(a.hops, b.hops), Math.min(a.rejected, b.rejected)));
  }

  /**
   * @param isKept whether the page of this path was kept
   * @param isRejected whether it was rejected; a page that is neither was not read
   * @return the path of the links of the page
   */
  LinkPath next(boolean isKept, boolean isRejected) {
    return new LinkPath(hops + 1, isKept ? 0 : isRejected ? rejected + 1 : rejected);
  }

  void writeTo(CrawlDatum datum) {
    datum.getMetaData().put(new Text(KEY), new Text(toString()));
  }

  @Override
  public String toString() {
    return hops + " " + rejected;
  }
}
