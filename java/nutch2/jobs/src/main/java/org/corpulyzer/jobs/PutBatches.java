package org.corpulyzer.jobs;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/**
 * Writes to a table with many puts in a call, up to the bytes of HBase's {@code
 * hbase.client.write.buffer}. HBase's BufferedMutator checks every waiting put again while its
 * region is busy. The rows of a task are neighbours in mostly one region, and these checks took a
 * quarter of a task's time.
 */
final class PutBatches implements Closeable {

  private final Table table;

  /** The table's connection, if this opened them; else null. */
  private final Connection connection;

  private final long mostBytes;
  private final List<Put> waiting = new ArrayList<>();
  private long waitingBytes;

  private PutBatches(Table table, Connection connection) {
    this.table = table;
    this.connection = connection;
    // The default is that of hbase-default.xml.
    this.mostBytes = table.getConfiguration().getLong("hbase.client.write.buffer", 2 << 20);
  }

  /** Writes to a table that stays open. */
  static PutBatches to(Table table) {
    return new PutBatches(table, null);
  }

  /** Opens a table, which {@link #close} closes. */
  static PutBatches open(Configuration conf, TableName name) throws IOException {
    Connection connection = HBase.connect(conf);
    return new PutBatches(connection.getTable(name), connection);
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
      throw (IOException)
          new InterruptedIOException("interrupted while writing to " + table.getName())
              .initCause(e);
    }
    waiting.clear();
    waitingBytes = 0;
  }

  @Override
  public void close() throws IOException {
    try {
      if (!waiting.isEmpty()) {
        write();
      }
    } finally {
      if (connection != null) {
        table.close();
        connection.close();
      }
    }
  }
}
