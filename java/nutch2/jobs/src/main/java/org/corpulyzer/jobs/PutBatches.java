package org.corpulyzer.jobs;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/**
 * Writes to a table, many puts a call: as many bytes as HBase's own {@code hbase.client.write.buffer} says. HBase's BufferedMutator
 * looks every waiting put up again for as long as the put's region is busy; since a task's rows are neighbours, their region mostly
 * is, and that took a quarter of a task's time.
 */
final class PutBatches implements Closeable {

  private final Table table;
  private final long mostBytes;
  private final List<Put> waiting = new ArrayList<>();
  private long waitingBytes;

  /** @param table stays open */
  PutBatches(Table table) {
    this.table = table;
    // The default is that of hbase-default.xml.
    this.mostBytes = table.getConfiguration().getLong("hbase.client.write.buffer", 2 << 20);
  }

  /** Writes a put at the latest when {@link #close} returns. Either throws when one is lost. */
  void add(Put put) throws IOException {
    waiting.add(put);
    waitingBytes += put.heapSize();
    if (waitingBytes >= mostBytes) {
      write();
    }
  }

  private void write() throws IOException {
    try {
      table.batch(waiting, new Object[waiting.size()]);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted while writing to " + table.getName()).initCause(e);
    }
    waiting.clear();
    waitingBytes = 0;
  }

  @Override
  public void close() throws IOException {
    if (!waiting.isEmpty()) {
      write();
    }
  }
}
