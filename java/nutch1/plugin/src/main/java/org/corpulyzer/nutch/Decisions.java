package org.corpulyzer.nutch;

import org.apache.nutch.parse.ParseData;
import org.corpulyzer.engine.PageKeys;

/** The decision of the parse filter on a page. */
final class Decisions {
  private Decisions() {}

  /**
   * @return whether the page was kept
   */
  static boolean isKept(ParseData parseData) {
    return hasDecision(parseData)
        && parseData.getParseMeta().get(PageKeys.DECISION).startsWith("keep");
  }

  /**
   * @return whether the parse filter read the page
   */
  static boolean hasDecision(ParseData parseData) {
    return parseData.getParseMeta().get(PageKeys.DECISION) != null;
  }
}
