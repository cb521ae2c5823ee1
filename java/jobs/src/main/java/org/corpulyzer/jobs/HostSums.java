package org.corpulyzer.jobs;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Writable;
import org.corpulyzer.engine.HostTotals;

/** What is added up over a host's rows. One mutable object serves a whole task. */
final class HostSums implements Writable {

  private long targetBytes;
  private long fetchedPages;
  private long pages;

  /** Starts again from nothing. */
  void clear() {
    targetBytes = 0;
    fetchedPages = 0;
    pages = 0;
  }

  void addPage() {
    pages++;
  }

  /** @param bytes bytes in the target language */
  void addFetched(long bytes) {
    targetBytes = Math.addExact(targetBytes, bytes);
    fetchedPages++;
  }

  void add(HostSums other) {
    targetBytes = Math.addExact(targetBytes, other.targetBytes);
    fetchedPages += other.fetchedPages;
    pages += other.pages;
  }

  HostTotals totals() {
    return new HostTotals(targetBytes, fetchedPages);
  }

  /** @return rows of the host, fetched or not */
  long pages() {
    return pages;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeLong(targetBytes);
    out.writeLong(fetchedPages);
    out.writeLong(pages);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    targetBytes = in.readLong();
    fetchedPages = in.readLong();
    pages = in.readLong();
  }
}
