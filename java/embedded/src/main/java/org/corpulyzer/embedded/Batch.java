package org.corpulyzer.embedded;

/** Nutch's name of a round's rows; it holds the round, so that a row tells when it was fetched. */
final class Batch {
  private Batch() {}

  static String id(int round, long millis) {
    return "round-" + round + "-" + millis;
  }
}
