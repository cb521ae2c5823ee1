package org.corpulyzer.jobs;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.corpulyzer.engine.HostScore;
import org.corpulyzer.engine.HostTotals;

/** What is added up over a host's rows. One mutable object serves a whole task. */
final class HostSums implements Writable {

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
  void clear() {
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

  void addPage() {
    pages++;
  }

  /**
   * @param bytes bytes in the target language
   * @param read whether the page has figures
   */
  void addFetched(long bytes, boolean read) {
    targetBytes = Math.addExact(targetBytes, bytes);
    fetchedPages++;
    if (!read) {
      unreadPages++;
    }
  }

  /**
   * @param injected whether the row is an injected seed
   * @param other whether it has the score of rows that were found on no page in the target language
   * @param score the row's stored score, or null when it has none
   */
  void addStored(boolean injected, boolean other, Cell score) {
    (injected ? seedScore : other ? otherScore : rowScore).add(score);
  }

  /**
   * Adds the stored score of a row that may probe the host, in the place of {@link #addStored}; rows come in the order of their keys.
   *
   * @param score the row's stored score, or null when it has none
   */
  void addProbe(String key, Cell score) {
    if (firstProbe.isEmpty()) {
      firstProbe = key;
      probeScore.add(score);
    } else {
      rowScore.add(score);
    }
  }

  /** Adds that a row was found on a page without a word in the target language. */
  void addElsewhere() {
    elsewhere = true;
  }

  void add(HostSums other) {
    targetBytes = Math.addExact(targetBytes, other.targetBytes);
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
    if (firstProbe.isEmpty() || Bytes.compareTo(HBase.utf8(other.firstProbe), HBase.utf8(firstProbe)) < 0) {
      rowScore.add(probeScore);
      probeScore.clear();
      probeScore.add(other.probeScore);
      firstProbe = other.firstProbe;
    } else {
      rowScore.add(other.probeScore);
    }
  }

  HostTotals totals() {
    return new HostTotals(targetBytes, fetchedPages, unreadPages);
  }

  /** @return rows of the host, fetched or not */
  long pages() {
    return pages;
  }

  /** @return key of the row that probes the host; empty when none does */
  String probe() {
    return fetchedPages == 0 && !elsewhere ? firstProbe : "";
  }

  /** @return whether every row has this score stored */
  boolean isStored(HostScore score) {
    return rowScore.isEverywhere(score.rows()) && seedScore.isEverywhere(score.injected()) && otherScore.isEverywhere(score.other())
        && probeScore.isEverywhere(probe().isEmpty() ? score.rows() : score.probe());
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
