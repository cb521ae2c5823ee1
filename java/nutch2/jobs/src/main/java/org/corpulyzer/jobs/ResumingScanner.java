package org.corpulyzer.jobs;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scan that continues after its last row if the scanner fails: the lease of a scanner on the
 * server expires if the task writes for a long time. If a scanner fails before its first row, the
 * scan fails.
 */
final class ResumingScanner implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(ResumingScanner.class);

  private final Table table;
  private final Scan scan;
  private ResultScanner rows;

  /** The last row that the open scanner gave, or null. */
  private Result last;

  ResumingScanner(Table table, Scan scan) throws IOException {
    this.table = table;
    this.scan = scan;
    this.rows = table.getScanner(scan);
  }

  /**
   * @return the next row, or null after the last
   */
  Result next() throws IOException {
    Result row;
    try {
      row = rows.next();
    } catch (IOException e) {
      if (last == null) {
        throw e;
      }
      LOG.info("Scanning again after row {}", Bytes.toStringBinary(last.getRow()), e);
      rows.close();
      // The least key after that row's.
      scan.setStartRow(Bytes.add(last.getRow(), new byte[1]));
      last = null;
      rows = table.getScanner(scan);
      row = rows.next();
    }
    if (row != null) {
      last = row;
    }
    return row;
  }

  @Override
  public void close() {
    rows.close();
  }
}
