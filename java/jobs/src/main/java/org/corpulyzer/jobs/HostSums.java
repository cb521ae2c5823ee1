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
  private long pages;
  private final StoredScore rowScore = new StoredScore();
  private final StoredScore seedScore = new StoredScore();
  private final StoredScore otherScore = new StoredScore();
  private long probes;
  /** The first row, by row key, that may probe the host; empty when there is none. */
  private String firstProbe = "";

  /** Starts again from nothing. */
  void clear() {
    targetBytes = 0;
    fetchedPages = 0;
    pages = 0;
    rowScore.clear();
    seedScore.clear();
    otherScore.clear();
    probes = 0;
    firstProbe = "";
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
   * @param other whether it has the score of rows that were found on no page in the target language
   * @param score the row's stored score, or null when it has none
   */
  void addStored(boolean injected, boolean other, Cell score) {
    (injected ? seedScore : other ? otherScore : rowScore).add(score);
  }

  /** Adds a row that may probe the host; rows come in the order of their keys. */
  void addProbe(String key) {
    firstProbe = probes++ == 0 ? key : firstProbe;
  }

  void add(HostSums other) {
    targetBytes = Math.addExact(targetBytes, other.targetBytes);
    fetchedPages += other.fetchedPages;
    pages += other.pages;
    rowScore.add(other.rowScore);
    seedScore.add(other.seedScore);
    otherScore.add(other.otherScore);
    boolean first = probes == 0 || other.probes > 0 && Bytes.compareTo(HBase.utf8(other.firstProbe), HBase.utf8(firstProbe)) < 0;
    firstProbe = first ? other.firstProbe : firstProbe;
    probes += other.probes;
  }

  HostTotals totals() {
    return new HostTotals(targetBytes, fetchedPages);
  }

  /** @return rows of the host, fetched or not */
  long pages() {
    return pages;
  }

  /** @return key of the row that probes the host; empty when none does */
  String probe() {
    return fetchedPages == 0 && probes >= HostScore.PROBE_EVIDENCE ? firstProbe : "";
  }

  /** @return whether every row has this score stored; of a host with a probe that is not known */
  boolean isStored(HostScore score) {
    return probe().isEmpty() && rowScore.isEverywhere(score.rows()) && seedScore.isEverywhere(score.injected())
        && otherScore.isEverywhere(score.other());
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeLong(targetBytes);
    out.writeLong(fetchedPages);
    out.writeLong(pages);
    rowScore.write(out);
    seedScore.write(out);
    otherScore.write(out);
    out.writeLong(probes);
    Text.writeString(out, firstProbe);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    targetBytes = in.readLong();
    fetchedPages = in.readLong();
    pages = in.readLong();
    rowScore.readFields(in);
    seedScore.readFields(in);
    otherScore.readFields(in);
    probes = in.readLong();
    firstProbe = Text.readString(in);
  }
}
