package org.corpulyzer.jobs;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HColumnDescriptor;
import org.apache.hadoop.hbase.HTableDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.nutch.metadata.Nutch;
import org.corpulyzer.engine.HostTotals;
import org.corpulyzer.engine.RowKeys;

/**
 * Host records in {@code <crawlId>_corpulyzer_host}, values as text so that the HBase shell prints
 * them. The row key is the host with its colon: so hosts sort as their rows do in the web table,
 * and a pass over that table reads this one ahead, many hosts a call. One row more, which no host
 * has, is the {@link RunLog}'s.
 */
final class HBaseHostTable implements HostTable {

  static final byte[] FAMILY = HBase.utf8("h");
  private static final int READ_AHEAD = 256;

  private final Connection connection;
  private final Table table;
  private final PutBatches writer;

  /** Records that were read, and not requested yet. */
  private final Deque<HostRecord> ahead = new ArrayDeque<>();

  private HBaseHostTable(Connection connection, TableName name) throws IOException {
    this.connection = connection;
    this.table = connection.getTable(name);
    this.writer = PutBatches.to(table);
  }

  /**
   * @return the name of a crawl's host table
   */
  static TableName name(Configuration conf) {
    return TableName.valueOf(WebTable.prefix(conf.get(Nutch.CRAWL_ID_KEY, "")) + "corpulyzer_host");
  }

  /** Opens the table, which {@link #create} made. */
  static HBaseHostTable open(Configuration conf) throws IOException {
    return new HBaseHostTable(HBase.connect(conf), name(conf));
  }

  /** Makes the table unless it is there. */
  static void create(Configuration conf) throws IOException {
    try (Connection connection = HBase.connect(conf);
        Admin admin = connection.getAdmin()) {
      if (!admin.tableExists(name(conf))) {
        try {
          admin.createTable(
              new HTableDescriptor(name(conf))
                  .addFamily(new HColumnDescriptor(FAMILY).setMaxVersions(1)));
        } catch (IOException e) {
          // Another run of the same crawl created the table in the meantime. HBase reports this by
          // different exceptions.
          if (!admin.tableExists(name(conf))) {
            throw e;
          }
        }
      }
    }
  }

  /** Deletes the table. */
  static void drop(Configuration conf) throws IOException {
    try (Connection connection = HBase.connect(conf);
        Admin admin = connection.getAdmin()) {
      admin.disableTable(name(conf));
      admin.deleteTable(name(conf));
    }
  }

  @Override
  public void put(HostRecord record) throws IOException {
    // Stamped by the region server: the clock of the machine that runs the job may be behind that
    // of the run before.
    Put put = new Put(key(record.host()));
    add(put, "bytes", record.totals().targetBytes());
    add(put, "fetched", record.totals().fetchedPages());
    add(put, "unread", record.totals().unreadPages());
    add(put, "pages", record.pages());
    add(put, "score", record.score());
    add(put, "seed", record.seedScore());
    add(put, "other", record.otherScore());
    add(put, "pscore", record.probeScore());
    add(put, "probe", record.probe());
    add(put, "batch", record.batch());
    add(put, "time", record.time());
    add(put, "lang", record.language());
    add(put, "v", record.version());
    writer.add(put);
  }

  private static void add(Put put, String qualifier, Object value) {
    put.addColumn(FAMILY, HBase.utf8(qualifier), HBase.utf8(value.toString()));
  }

  @Override
  public HostRecord find(String host) throws IOException {
    byte[] wanted = key(host);
    dropBefore(wanted);
    if (ahead.isEmpty()) {
      readFrom(wanted);
    }
    HostRecord next = ahead.peek();
    return next != null && next.host().equals(host) ? next : null;
  }

  private void dropBefore(byte[] wanted) {
    while (!ahead.isEmpty() && Bytes.compareTo(key(ahead.peek().host()), wanted) < 0) {
      ahead.remove();
    }
  }

  private void readFrom(byte[] start) throws IOException {
    Scan scan = new Scan(start).addFamily(FAMILY);
    scan.setFilter(new PageFilter(READ_AHEAD));
    scan.setCaching(READ_AHEAD);
    scan.setSmall(true);
    try (ResultScanner rows = table.getScanner(scan)) {
      for (Result row = rows.next(); row != null && ahead.size() < READ_AHEAD; row = rows.next()) {
        if (!isLog(row)) {
          ahead.add(record(row));
        }
      }
    }
  }

  @Override
  public void forEach(Consumer<HostRecord> visitor) throws IOException {
    try (ResultScanner rows = table.getScanner(FAMILY)) {
      for (Result row : rows) {
        if (!isLog(row)) {
          visitor.accept(record(row));
        }
      }
    }
  }

  /**
   * @return target language of the first host, ISO 639-3; null if there is no host
   */
  static String language(Table table) throws IOException {
    Scan scan = new Scan().addColumn(FAMILY, HBase.utf8("lang"));
    scan.setCaching(2);
    try (ResultScanner rows = table.getScanner(scan)) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        if (!isLog(row)) {
          return text(row, "lang");
        }
      }
    }
    return null;
  }

  private static boolean isLog(Result row) {
    return Bytes.equals(row.getRow(), RunLog.KEY);
  }

  private static HostRecord record(Result row) {
    String key = Bytes.toString(row.getRow());
    return new HostRecord(
        key.substring(0, key.length() - 1),
        new HostTotals(
            number(row, "bytes"),
            number(row, "fetched"),
            Long.parseLong(later(row, "unread", "0"))),
        number(row, "pages"),
        Float.parseFloat(text(row, "score")),
        Float.parseFloat(text(row, "seed")),
        Float.parseFloat(later(row, "other", text(row, "score"))),
        Float.parseFloat(later(row, "pscore", text(row, "score"))),
        later(row, "probe", ""),
        text(row, "batch"),
        number(row, "time"),
        text(row, "lang"),
        text(row, "v"));
  }

  private static long number(Result row, String qualifier) {
    return Long.parseLong(text(row, qualifier));
  }

  /** A column that records of an earlier release do not have. */
  private static String later(Result row, String qualifier, String otherwise) {
    String text = text(row, qualifier);
    return text == null ? otherwise : text;
  }

  private static String text(Result row, String qualifier) {
    return Bytes.toString(row.getValue(FAMILY, HBase.utf8(qualifier)));
  }

  private static byte[] key(String host) {
    return HBase.utf8(RowKeys.startKey(host));
  }

  @Override
  public void close() throws IOException {
    try {
      writer.close();
    } finally {
      table.close();
      connection.close();
    }
  }
}
