package org.corpulyzer.corpus;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableComparator;
import org.corpulyzer.engine.HostScore;
import org.corpulyzer.engine.HostTally;
import org.corpulyzer.engine.HostTotals;
import org.corpulyzer.engine.LinkEvidence;
import org.corpulyzer.engine.Targets;

/** Sums over the rows of a host. One mutable object serves a whole task. */
public final class HostSums implements Writable {

  private final HostTally tally = new HostTally();
  private long pages;
  private final StoredScore rowScore = new StoredScore();
  private final StoredScore seedScore = new StoredScore();
  private final StoredScore otherScore = new StoredScore();

  /** Of all rows but seeds, NaN if one has no score. */
  private float lowestScore = Float.POSITIVE_INFINITY;

  private float highestScore = Float.NEGATIVE_INFINITY;

  /** Of {@link HostTally#firstProbe}, apart from the scores of other rows. */
  private final StoredScore probeScore = new StoredScore();

  /** Sets all sums to 0. */
  public void clear() {
    tally.clear();
    pages = 0;
    rowScore.clear();
    seedScore.clear();
    otherScore.clear();
    probeScore.clear();
    lowestScore = Float.POSITIVE_INFINITY;
    highestScore = Float.NEGATIVE_INFINITY;
  }

  /**
   * Adds a row.
   *
   * @param row the row; rows must be added in the order of their keys
   * @param score its stored score, or NaN if it has none
   * @param explores whether the policy is explore, so that links and probes count
   * @return whether the figures of the page can be read, see {@link HostTally#addPage}
   */
  public boolean add(HostTally.Row row, float score, boolean explores, Targets targets) {
    addScore(row, score, explores);
    return tally.addPage(row, targets);
  }

  /**
   * Adds a row, see {@link #add(HostTally.Row, float, boolean, Targets)}.
   *
   * @param language target language, ISO 639-3
   */
  public boolean add(HostTally.Row row, float score, boolean explores, String language) {
    addScore(row, score, explores);
    return tally.addPage(row, language);
  }

  private void addScore(HostTally.Row row, float score, boolean explores) {
    pages++;
    if (!row.isInjected()) {
      lowestScore = Math.min(lowestScore, score);
      highestScore = Math.max(highestScore, score);
    }
    if (explores && tally.addLinks(row)) {
      probeScore.add(score);
    } else if (row.isInjected()) {
      seedScore.add(score);
    } else {
      (explores && !row.isFound() ? otherScore : rowScore).add(score);
    }
  }

  /**
   * @param parts sums over disjoint rows of one host
   * @return the sums over all of them
   */
  public static HostSums total(Iterable<HostSums> parts) {
    HostSums total = new HostSums();
    for (HostSums part : parts) {
      total.add(part);
    }
    return total;
  }

  /** Adds the sums over other rows of the same host. */
  public void add(HostSums other) {
    tally.add(other.tally);
    pages += other.pages;
    lowestScore = Math.min(lowestScore, other.lowestScore);
    highestScore = Math.max(highestScore, other.highestScore);
    rowScore.add(other.rowScore);
    seedScore.add(other.seedScore);
    otherScore.add(other.otherScore);
    addFirstProbe(other);
  }

  private void addFirstProbe(HostSums other) {
    String key = other.tally.firstProbe();
    if (key.isEmpty()) {
      return;
    }
    if (tally.firstProbe().isEmpty() || isBefore(key, tally.firstProbe())) {
      rowScore.add(probeScore);
      probeScore.clear();
      probeScore.add(other.probeScore);
      tally.setFirstProbe(key);
    } else {
      rowScore.add(other.probeScore);
    }
  }

  /** Keys sort by their UTF-8 bytes. */
  private static boolean isBefore(String key, String other) {
    byte[] a = key.getBytes(StandardCharsets.UTF_8);
    byte[] b = other.getBytes(StandardCharsets.UTF_8);
    return WritableComparator.compareBytes(a, 0, a.length, b, 0, b.length) < 0;
  }

  /**
   * @return the sums from which the host's score is computed
   */
  public HostTotals totals() {
    return tally.totals();
  }

  /**
   * @return rows of the host, fetched or not
   */
  public long pages() {
    return pages;
  }

  /**
   * @return key of the row that probes the host, see {@link HostTally#probe}
   */
  public String probe() {
    return tally.probe();
  }

  /**
   * @return whether the probe comes before others, see {@link LinkEvidence#isStrong}
   */
  public boolean isStrong() {
    return tally.links().isStrong();
  }

  /**
   * @param probed whether the row {@link #probe} has the score of probes
   * @return whether every row has its score stored
   */
  public boolean isStored(HostScore score, boolean probed) {
    if (tally.totals().isUnread() && score.stop() == null) {
      return seedScore.isEverywhere(score.injected())
          && (lowestScore > highestScore
              || score.unread(lowestScore, false) == lowestScore
                  && score.unread(highestScore, false) == highestScore);
    }
    return rowScore.isEverywhere(score.rows())
        && seedScore.isEverywhere(score.injected())
        && otherScore.isEverywhere(score.other())
        && probeScore.isEverywhere(probed ? score.probe(isStrong()) : score.rows());
  }

  @Override
  public void write(DataOutput out) throws IOException {
    tally.totals().write(out::writeLong);
    out.writeLong(pages);
    out.writeFloat(lowestScore);
    out.writeFloat(highestScore);
    rowScore.write(out);
    seedScore.write(out);
    otherScore.write(out);
    Text.writeString(out, tally.firstProbe());
    probeScore.write(out);
    out.writeLong(tally.links().found());
    out.writeLong(tally.links().elsewhere());
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    tally.clear();
    HostTotals totals = HostTotals.read(in::readLong);
    pages = in.readLong();
    lowestScore = in.readFloat();
    highestScore = in.readFloat();
    rowScore.readFields(in);
    seedScore.readFields(in);
    otherScore.readFields(in);
    tally.set(totals, Text.readString(in));
    probeScore.readFields(in);
    tally.links().add(in.readLong(), in.readLong());
  }
}
