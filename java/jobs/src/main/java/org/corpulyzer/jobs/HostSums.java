package org.corpulyzer.jobs;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.io.Writable;
import org.corpulyzer.engine.HostScore;
import org.corpulyzer.engine.HostTotals;

/** What is added up over a host's rows. One mutable object serves a whole task. */
final class HostSums implements Writable {

  private long targetBytes;
  private long fetchedPages;
  private long pages;
  private final StoredScore rowScore = new StoredScore();
  private final StoredScore seedScore = new StoredScore();

  /** Starts again from nothing. */
  void clear() {
    targetBytes = 0;
    fetchedPages = 0;
    pages = 0;
    rowScore.clear();
    seedScore.clear();
  }

  void addPage() {
    pages++;
  }

  /** @param bytes bytes in the target language */
  void addFetched(long bytes) {
    targetBytes = Math.addExact(targetBytes, bytes);
    fetchedPages++;
  }

  /**
   * @param injected whether the row is an injected seed
   * @param score the row's stored score, or null when it has none
   */
  void addStored(boolean injected, Cell score) {
    (injected ? seedScore : rowScore).add(score);
  }

  void add(HostSums other) {
    targetBytes = Math.addExact(targetBytes, other.targetBytes);
    fetchedPages += other.fetchedPages;
    pages += other.pages;
    rowScore.add(other.rowScore);
    seedScore.add(other.seedScore);
  }

  HostTotals totals() {
    return new HostTotals(targetBytes, fetchedPages);
  }

  /** @return rows of the host, fetched or not */
  long pages() {
    return pages;
  }

  /** @return whether every row has this score stored */
  boolean isStored(HostScore score) {
    return rowScore.isEverywhere(score.rows()) && seedScore.isEverywhere(score.injected());
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeLong(targetBytes);
    out.writeLong(fetchedPages);
    out.writeLong(pages);
    rowScore.write(out);
    seedScore.write(out);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    targetBytes = in.readLong();
    fetchedPages = in.readLong();
    pages = in.readLong();
    rowScore.readFields(in);
    seedScore.readFields(in);
  }
}
