package org.corpulyzer.nutch1.jobs;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.corpulyzer.corpus.KeyHash;

/**
 * Chooses the hosts of which a row gets the score of probes: of all hosts that may be probed, those with the smallest hashes of their
 * names, at most as many as the budget allows. The choice does not depend on the order of hosts, and it stays the same from run to run
 * until a chosen host is fetched. The choice is one number, the largest hash chosen, so memory is bounded by the budget.
 */
final class ProbeChoice {

  private static final class Candidate {
    private final long hash;
    private final boolean probeStored;
    private final boolean plainStored;

    Candidate(long hash, boolean probeStored, boolean plainStored) {
      this.hash = hash;
      this.probeStored = probeStored;
      this.plainStored = plainStored;
    }
  }

  private final KeyHash hashes = new KeyHash();
  private final PriorityQueue<Candidate> chosen = new PriorityQueue<>(Comparator.<Candidate>comparingLong(c -> c.hash).reversed());
  private final long budget;
  private long candidates;
  private long plainChanges;

  /**
   * @param budget hosts that may be chosen by all reducers of a job
   * @param part the number of this reducer
   * @param parts the number of reducers
   */
  ProbeChoice(long budget, int part, int parts) {
    this.budget = budget / parts + (part < budget % parts ? 1 : 0);
  }

  /** @return the number by which a host is chosen, not negative */
  static long hash(KeyHash hashes, String host) {
    return hashes.of(host.getBytes(StandardCharsets.UTF_8)) >>> 1;
  }

  /**
   * Adds a host that may be probed.
   *
   * @param probeStored whether its rows have the scores of a host that is probed
   * @param plainStored whether its rows have the scores of a host that is not
   */
  void add(String host, boolean probeStored, boolean plainStored) {
    candidates++;
    if (!plainStored) {
      plainChanges++;
    }
    chosen.add(new Candidate(hash(hashes, host), probeStored, plainStored));
    if (chosen.size() > budget) {
      chosen.remove();
    }
  }

  /** @return the largest hash of a chosen host; -1 if none is chosen */
  long threshold() {
    return budget == 0 ? -1 : candidates <= budget ? Long.MAX_VALUE : chosen.peek().hash;
  }

  /** @return how many hosts may be probed */
  long candidates() {
    return candidates;
  }

  /** @return how many of them are chosen */
  long chosen() {
    return chosen.size();
  }

  /** @return how many of the hosts that may be probed have a row with another score than it gets */
  long changedHosts() {
    return plainChanges + chosen.stream().filter(c -> !c.probeStored).count() - chosen.stream().filter(c -> !c.plainStored).count();
  }
}
