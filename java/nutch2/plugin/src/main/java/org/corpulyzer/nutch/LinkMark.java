package org.corpulyzer.nutch;

import java.util.HashMap;
import java.util.List;
import org.apache.avro.util.Utf8;
import org.apache.nutch.scoring.ScoreDatum;
import org.apache.nutch.storage.WebPage;
import org.corpulyzer.engine.PageKeys;

/**
 * A marker of a row: the kind of page on which the row was found. It is a marker instead of
 * metadata, because Nutch's generator loads a row's markers but not its metadata. An update that
 * runs twice marks the same rows.
 */
enum LinkMark {
  /** The row was found on a page in the target language. */
  FOUND(PageKeys.FOUND_MARK),
  /** The row was found on a page without a word in the target language. */
  ELSEWHERE(PageKeys.ELSEWHERE_MARK);

  private static final Utf8 YES = new Utf8("y");
  private static final byte[] LINK_YES = {1};

  private final String key;
  private final Utf8 name;

  LinkMark(String key) {
    this.key = key;
    this.name = new Utf8(key);
  }

  /**
   * @return the mark with this key, or null if the key is null
   */
  static LinkMark of(String key) {
    return key == null ? null : FOUND.key.equals(key) ? FOUND : ELSEWHERE;
  }

  /** Marks the target of a link by the page with the link. */
  void send(ScoreDatum link) {
    link.setMeta(key, LINK_YES);
  }

  /** Marks a page once one of its links was sent so. */
  void receive(WebPage page, List<ScoreDatum> links) {
    if (!isSet(page) && links.stream().anyMatch(link -> link.getMeta(key) != null)) {
      if (page.getMarkers() == null) {
        page.setMarkers(new HashMap<>());
      }
      page.getMarkers().put(name, YES);
    }
  }

  boolean isSet(WebPage page) {
    return page.getMarkers() != null && page.getMarkers().get(name) != null;
  }
}
