package org.corpulyzer.nutch;

import java.util.HashMap;
import java.util.List;
import org.apache.avro.util.Utf8;
import org.apache.nutch.scoring.ScoreDatum;
import org.apache.nutch.storage.WebPage;
import org.corpulyzer.engine.PageKeys;

/**
 * The marker of rows that were found on a page in the target language. It is a marker and no metadata because Nutch's generator loads a
 * row's markers but not its metadata.
 */
final class FoundMark {

  private static final Utf8 NAME = new Utf8(PageKeys.FOUND_MARK);
  private static final Utf8 YES = new Utf8("y");
  private static final byte[] LINK_YES = {1};

  private FoundMark() {
  }

  /** Tells the page that a link leads to that it stands on a page in the target language. */
  static void send(ScoreDatum link) {
    link.setMeta(PageKeys.FOUND_MARK, LINK_YES);
  }

  /** Marks a page once one of its links was sent so. */
  static void receive(WebPage page, List<ScoreDatum> links) {
    if (!isSet(page) && links.stream().anyMatch(link -> link.getMeta(PageKeys.FOUND_MARK) != null)) {
      if (page.getMarkers() == null) {
        page.setMarkers(new HashMap<>());
      }
      page.getMarkers().put(NAME, YES);
    }
  }

  static boolean isSet(WebPage page) {
    return page.getMarkers() != null && page.getMarkers().get(NAME) != null;
  }
}
