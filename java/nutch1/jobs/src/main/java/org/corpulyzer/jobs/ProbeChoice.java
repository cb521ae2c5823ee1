package org.corpulyzer.jobs;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.corpulyzer.corpus.KeyHash;
import org.corpulyzer.engine.HostScore;

/**
 * Chooses the hosts of which a row gets the score of probes, at most as many as the budget allows:
 * first those with a strong probe, then others up to their share of the budget. Among equal hosts
 * the smallest hashes of their names decide. The choice does not depend on the order of hosts, and
 * it stays the same from run to run until a chosen host is fetched or better ones are found. It is
 * two numbers, the largest hashes chosen, so memory is bounded by the budget.
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

  /** The candidates with the smallest hashes, up to a number. */
  private static final class Smallest {
    private final PriorityQueue<Candidate> kept =
        new PriorityQueue<>(Comparator.<Candidate>comparingLong(c -> c.hash).reversed());
    private long limit;

    Smallest(long limit) {
      this.limit = limit;
    }

    void add(Candidate candidate) {
      kept.add(candidate);
      reduceTo(limit);
    }

    void reduceTo(long most) {
      limit = most;
      while (kept.size() > most) {
        kept.remove();
      }
    }

    long largest() {
      return kept.isEmpty() ? -1 : kept.peek().hash;
    }
  }

  private final KeyHash hashes = new KeyHash();
  private final long budget;
  private final Smallest strong;
  private final Smallest weak;
  private long candidates;
  private long plainChanges;

  /**
   * @param budget hosts that may be chosen by all reducers of a job
   * @param part the number of this reducer
   * @param parts the number of reducers
   */
  ProbeChoice(long budget, int part, int parts) {
    this.budget = share(budget, part, parts);
    strong = new Smallest(this.budget);
    weak =
        new Smallest(
            Math.min(
                this.budget, share((budget * HostScore.WEAK_PERCENT + 99) / 100, part, parts)));
  }

  private static long share(long all, int part, int parts) {
    return all / parts + (part < all % parts ? 1 : 0);
  }

  /**
   * @return the number by which a host is chosen, not negative
   */
  static long hash(KeyHash hashes, String host) {
    return hashes.of(host.getBytes(StandardCharsets.UTF_8)) >>> 1;
  }

  /**
   * Adds a host that may be probed.
   *
   * @param isStrong whether its probe comes before others
   * @param probeStored whether its rows have the scores of a host that is probed
   * @param plainStored whether its rows have the scores of a host that is not
   */
  void add(String host, boolean isStrong, boolean probeStored, boolean plainStored) {
    candidates++;
    if (!plainStored) {
      plainChanges++;
    }
    (isStrong ? strong : weak).add(new Candidate(hash(hashes, host), probeStored, plainStored));
    weak.reduceTo(Math.min(weak.limit, budget - strong.kept.size()));
  }

  /**
   * @param isStrong which of the two kinds of hosts
   * @return the largest hash of a chosen host; -1 if none is chosen
   */
  long threshold(boolean isStrong) {
    return (isStrong ? strong : weak).largest();
  }

  /**
   * @return how many hosts may be probed
   */
  long candidates() {
    return candidates;
  }

  /**
   * @return how many of them are chosen
   */
  long chosen() {
    return strong.kept.size() + (long) weak.kept.size();
  }

  /**
   * @return the number of hosts that may be probed and have a row whose score changes
   */
  long changedHosts() {
    List<Candidate> chosen = new ArrayList<>(strong.kept);
    chosen.addAll(weak.kept);
    return plainChanges
        + chosen.stream().filter(c -> !c.probeStored).count()
        - chosen.stream().filter(c -> !c.plainStored).count();
  }
}
