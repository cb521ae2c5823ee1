package org.corpulyzer.corpus;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableComparator;
import org.corpulyzer.engine.HostScore;
import org.corpulyzer.engine.HostTotals;

/** Sums over the rows of a host. One mutable object serves a whole task. */
public final class HostSums implements Writable {

  private long targetBytes;
  private long fetchedPages;
  private long unreadPages;
  private long pages;
  private final StoredScore rowScore = new StoredScore();
  private final StoredScore seedScore = new StoredScore();
  private final StoredScore otherScore = new StoredScore();
  /** The first row, by row key, that may probe the host; empty when there is none. Its score is apart from the other rows'. */
  private String firstProbe = "";
  private final StoredScore probeScore = new StoredScore();
  private boolean elsewhere;

  /** Starts again from nothing. */
  public void clear() {
    targetBytes = 0;
    fetchedPages = 0;
    unreadPages = 0;
    pages = 0;
    rowScore.clear();
    seedScore.clear();
    otherScore.clear();
    firstProbe = "";
    probeScore.clear();
    elsewhere = false;
  }

  /** Adds a row, fetched or not. */
  public void addPage() {
    pages++;
  }

  /**
   * Adds a fetched page.
   *
   * @param bytes bytes in the target language
   * @param read whether the page has figures
   */
  public void addFetched(long bytes, boolean read) {
    targetBytes = sum(targetBytes, bytes);
    fetchedPages++;
    if (!read) {
      unreadPages++;
    }
  }

  /**
   * Adds a row's stored score.
   *
   * @param injected whether the row is an injected seed
   * @param other whether it has the score of rows that were found on no page in the target language
   * @param score the row's stored score, or NaN when it has none
   */
  public void addStored(boolean injected, boolean other, float score) {
    (injected ? seedScore : other ? otherScore : rowScore).add(score);
  }

  /**
   * Adds the stored score of a row that may probe the host, instead of {@link #addStored}. Rows must be added in the order of their keys.
   *
   * @param key the row's key, not empty
   * @param score the row's stored score, or NaN when it has none
   */
  public void addProbe(String key, float score) {
    if (firstProbe.isEmpty()) {
      firstProbe = key;
      probeScore.add(score);
    } else {
      rowScore.add(score);
    }
  }

  /** Adds that a row was found on a page without a word in the target language. */
  public void addElsewhere() {
    elsewhere = true;
  }

  /** Adds the sums over other rows of the same host. */
  public void add(HostSums other) {
    targetBytes = sum(targetBytes, other.targetBytes);
    fetchedPages += other.fetchedPages;
    unreadPages += other.unreadPages;
    pages += other.pages;
    rowScore.add(other.rowScore);
    seedScore.add(other.seedScore);
    otherScore.add(other.otherScore);
    addFirstProbe(other);
    elsewhere |= other.elsewhere;
  }

  private void addFirstProbe(HostSums other) {
    if (other.firstProbe.isEmpty()) {
      return;
    }
    if (firstProbe.isEmpty() || isBefore(other.firstProbe, firstProbe)) {
      rowScore.add(probeScore);
      probeScore.clear();
      probeScore.add(other.probeScore);
      firstProbe = other.firstProbe;
    } else {
      rowScore.add(other.probeScore);
    }
  }

  /** Sums of figures stop at the largest number, so that figures that somebody made up do not stop a job. */
  private static long sum(long a, long b) {
    return a + b < 0 ? Long.MAX_VALUE : a + b;
  }

  /** Keys sort by their UTF-8 bytes. */
  private static boolean isBefore(String key, String other) {
    byte[] a = key.getBytes(StandardCharsets.UTF_8);
    byte[] b = other.getBytes(StandardCharsets.UTF_8);
    return WritableComparator.compareBytes(a, 0, a.length, b, 0, b.length) < 0;
  }

  /** @return what the host's score is computed from */
  public HostTotals totals() {
    return new HostTotals(targetBytes, fetchedPages, unreadPages);
  }

  /** @return rows of the host, fetched or not */
  public long pages() {
    return pages;
  }

  /**
   * @return key of the row that may probe the host: the first by key of those that may, while nothing of the host is fetched and none of
   *     its rows was found on a page without a word in the target language; empty when there is none
   */
  public String probe() {
    return fetchedPages == 0 && !elsewhere ? firstProbe : "";
  }

  /**
   * @param probed whether the row {@link #probe} has the score of probes
   * @return whether every row has its score stored
   */
  public boolean isStored(HostScore score, boolean probed) {
    return rowScore.isEverywhere(score.rows()) && seedScore.isEverywhere(score.injected()) && otherScore.isEverywhere(score.other())
        && probeScore.isEverywhere(probed ? score.probe() : score.rows());
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeLong(targetBytes);
    out.writeLong(fetchedPages);
    out.writeLong(unreadPages);
    out.writeLong(pages);
    rowScore.write(out);
    seedScore.write(out);
    otherScore.write(out);
    Text.writeString(out, firstProbe);
    probeScore.write(out);
    out.writeBoolean(elsewhere);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    targetBytes = in.readLong();
    fetchedPages = in.readLong();
    unreadPages = in.readLong();
    pages = in.readLong();
    rowScore.readFields(in);
    seedScore.readFields(in);
    otherScore.readFields(in);
    firstProbe = Text.readString(in);
    probeScore.readFields(in);
    elsewhere = in.readBoolean();
  }
}
