package org.corpulyzer.nutch;

import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;

/**
 * A mark of a CrawlDb row, in the row's metadata. An update that runs twice sets the same marks.
 */
enum RowMark {
  /** The row was found on a page in the target language. */
  FOUND(PageKeys.FOUND_MARK),
  /** The row was found on a page without a word in the target language. */
  ELSEWHERE(PageKeys.ELSEWHERE_MARK),
  /** The row was injected, or a redirect of an injected row leads to it. */
  INJECTED(PageKeys.INJECTED_MARK),
  /** A page names the row as its alternate in the language of the crawl. */
  ALTERNATE(PageKeys.ALTERNATE_MARK);

  /** The key for look-ups. It is never put into a datum, whose reader may change it in place. */
  private final Text key;

  RowMark(String key) {
    this.key = new Text(key);
  }

  /**
   * @return the mark with this key, or null if the key is null
   */
  static RowMark of(String key) {
    for (RowMark mark : values()) {
      if (mark.key.toString().equals(key)) {
        return mark;
      }
    }
    return null;
  }

  /**
   * @return whether the mark counts under {@link Settings#scoresByLinks} only
   */
  boolean isOfLinks() {
    return this == FOUND || this == ELSEWHERE;
  }

  void set(CrawlDatum datum) {
    datum.getMetaData().put(new Text(key), new Text(PageKeys.MARK_SET));
  }

  boolean isSet(CrawlDatum datum) {
    return datum.getMetaData().containsKey(key);
  }
}
