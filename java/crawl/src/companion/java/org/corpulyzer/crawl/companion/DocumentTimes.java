package org.corpulyzer.crawl.companion;

import java.util.HashMap;
import java.util.Map;

/**
 * Time that the documents of each host took in a round. A host whose documents are slow is left for
 * the rest of the round, so that it does not keep the readers from the documents of others.
 */
final class DocumentTimes {
  private final long mostMillis;
  private String round = "";
  private final Map<String, Long> millis = new HashMap<>();

  DocumentTimes(long mostMillis) {
    this.mostMillis = mostMillis;
  }

  /** Returns whether the documents of a host took all their time in the round. */
  synchronized boolean isOver(String of, String host) {
    return of.equals(round) && millis.getOrDefault(host, 0L) >= mostMillis;
  }

  /** Adds the time of a document. Another round begins anew. */
  synchronized void add(String of, String host, long took) {
    if (!of.equals(round)) {
      round = of;
      millis.clear();
    }
    millis.merge(host, took, Long::sum);
  }
}
