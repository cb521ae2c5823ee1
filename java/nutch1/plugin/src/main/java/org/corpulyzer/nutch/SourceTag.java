package org.corpulyzer.nutch;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Map.Entry;
import java.util.TreeMap;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.corpulyzer.engine.PageKeys;

/**
 * The source of a row of CrawlDb: the list that its seed is from, as in Nutch's seed lists with
 * {@code source=NAME}. A new row gets the source of the page that links to it, and keeps it. If
 * pages of several sources link to a new row in one update, the source of most of these links
 * counts, of equal ones the first by name.
 *
 * <p>The metadata of a content passes the source from the row to the links of the page. The target
 * of an HTTP redirect has the source of the row that redirects. The target of a meta refresh has
 * none unless a page also links to it, because Nutch calls no filter for it.
 */
final class SourceTag {
  private static final Text KEY = new Text(PageKeys.SOURCE);

  private SourceTag() {}

  static boolean isIn(CrawlDatum datum) {
    return datum.getMetaData().containsKey(KEY);
  }

  /**
   * @return the source, or null
   */
  static String of(CrawlDatum datum) {
    Writable value = datum.getMetaData().get(KEY);
    return value == null ? null : value.toString();
  }

  /** Removes the source from the row if it is null. */
  private static void set(CrawlDatum datum, String source) {
    if (source == null) {
      datum.getMetaData().remove(KEY);
    } else {
      datum.getMetaData().put(new Text(KEY), new Text(source));
    }
  }

  /** Sets the source of a content, also over a header field with this name. */
  static void write(String source, Metadata content) {
    if (source == null) {
      content.remove(PageKeys.CONTENT_SOURCE);
    } else {
      content.set(PageKeys.CONTENT_SOURCE, source);
    }
  }

  /** Gives the links of a page its source, if it has one. */
  static void pass(Metadata content, Collection<Entry<Text, CrawlDatum>> links) {
    String source = content.get(PageKeys.CONTENT_SOURCE);
    if (source != null) {
      links.forEach(link -> set(link.getValue(), source));
    }
  }

  /**
   * Sets the source of a row after an update.
   *
   * @param old the row before the update, or null
   * @param links those links to it that may have a source
   */
  static void update(CrawlDatum old, CrawlDatum datum, Iterable<CrawlDatum> links) {
    if (old != null) {
      // A seed without a source stays without, also if pages of another source link to it.
      if (isIn(old) || isIn(datum)) {
        set(datum, of(old));
      }
      return;
    }
    Map<String, Integer> counts = new TreeMap<>();
    for (CrawlDatum link : links) {
      String source = of(link);
      if (source != null) {
        counts.merge(source, 1, Integer::sum);
      }
    }
    if (!counts.isEmpty()) {
      int most = Collections.max(counts.values());
      counts.values().removeIf(count -> count < most);
      set(datum, counts.keySet().iterator().next());
    }
  }
}
