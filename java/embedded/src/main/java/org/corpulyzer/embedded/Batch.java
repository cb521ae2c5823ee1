package org.corpulyzer.embedded;

/** Nutch's name of a round's rows; it holds the round, so that a row tells when it was fetched. */
final class Batch {
  private Batch() {}

  static String id(int round, long millis) {
    return "round-" + round + "-" + millis;
  }

  /** The round in a batch id; 0 when it is not one of ours. */
  static int round(String id) {
    String[] parts = id.split("-");
    try {
      return parts.length == 3 && parts[0].equals("round") ? Integer.parseInt(parts[1]) : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
