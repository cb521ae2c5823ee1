package org.corpulyzer.crawl;

import java.util.Locale;

/** The steps of a round, in their order. */
enum Phase {
  GENERATE,
  FETCH,
  PARSE,
  UPDATE,
  CORPUS;

  /** The name on the console and in the state file. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Phase of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
