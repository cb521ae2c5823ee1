package org.corpulyzer.jobs;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/**
 * Writes to a table, many puts a call. HBase's BufferedMutator looks every waiting put up again for as long as the put's region is
 * busy; since a task's rows are neighbours, their region mostly is, and that took a quarter of a task's time.
 */
final class PutBatches implements Closeable {

  private static final int MOST = 1000;

  private final Table table;
  private final List<Put> waiting = new ArrayList<>(MOST);

  /** @param table stays open */
  PutBatches(Table table) {
    this.table = table;
  }

  /** Writes a put at the latest when {@link #close} returns. Either throws when one is lost. */
  void add(Put put) throws IOException {
    waiting.add(put);
    if (waiting.size() == MOST) {
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
  }

  @Override
  public void close() throws IOException {
    if (!waiting.isEmpty()) {
      write();
    }
  }
}
