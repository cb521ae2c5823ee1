package org.corpulyzer.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.CompareFilter.CompareOp;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.corpulyzer.engine.PageKeys;

/** What the crawl itself does in Nutch's table: the columns are those of gora-hbase-mapping.xml. */
final class WebTable {
  static final TableName NAME = TableName.valueOf("webpage");
  static final byte[] FETCH = bytes("f");
  static final byte[] STATUS = bytes("st");
  static final byte[] BATCH = bytes("bid");
  static final byte[] MARKS = bytes("mk");
  private static final byte[] METADATA = bytes("mtdt");
  private static final byte[] GENERATE_MARK = bytes("_gnmrk_");

  private final Connection connection;

  WebTable(Connection connection) {
    this.connection = connection;
  }

  boolean exists() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.tableExists(NAME);
    }
  }

  /** Those of the row keys that have no row. */
  List<String> missing(List<String> keys) throws IOException {
    if (!exists()) {
      return keys;
    }
    List<String> missing = new ArrayList<>();
    try (Table table = connection.getTable(NAME)) {
      for (int from = 0; from < keys.size(); from += 1000) {
        List<String> some = keys.subList(from, Math.min(keys.size(), from + 1000));
        List<Get> gets = new ArrayList<>();
        for (String key : some) {
          gets.add(new Get(bytes(key)));
        }
        boolean[] found = table.existsAll(gets);
        for (int i = 0; i < found.length; i++) {
          if (!found[i]) {
            missing.add(some.get(i));
          }
        }
      }
    }
    return missing;
  }

  /** The version of the first record by key; null when there is none. */
  String recordVersion() throws IOException {
    if (!exists()) {
      return null;
    }
    byte[] version = bytes(PageKeys.VERSION);
    try (Table table = connection.getTable(NAME); ResultScanner rows = table.getScanner(new Scan().addColumn(METADATA, version))) {
      Result first = rows.next();
      return first == null ? null : Bytes.toString(first.getValue(METADATA, version));
    }
  }

  /** Takes a batch's generate mark from every row, after a generate phase that did not end. */
  void abandon(String batch) throws IOException {
    if (!exists()) {
      return;
    }
    Scan scan = new Scan().addColumn(MARKS, GENERATE_MARK);
    scan.setFilter(equal(MARKS, GENERATE_MARK, batch));
    try (Table table = connection.getTable(NAME);
        BufferedMutator mutator = connection.getBufferedMutator(NAME);
        ResultScanner rows = table.getScanner(scan)) {
      for (Result row : rows) {
        mutator.mutate(new Delete(row.getRow()).addColumns(MARKS, GENERATE_MARK));
      }
    }
  }

  /**
   * Gives every row of a batch its generate mark again, after an update phase that did not end. The update takes a row's mark when it
   * writes the row; links from such a row to rows that were not yet written would be lost if the update went on without it.
   */
  void restore(String batch) throws IOException {
    Scan scan = new Scan().addColumn(FETCH, BATCH).addColumn(MARKS, GENERATE_MARK);
    scan.setFilter(equal(FETCH, BATCH, batch));
    try (Table table = connection.getTable(NAME);
        BufferedMutator mutator = connection.getBufferedMutator(NAME);
        ResultScanner rows = table.getScanner(scan)) {
      for (Result row : rows) {
        if (!row.containsColumn(MARKS, GENERATE_MARK)) {
          mutator.mutate(new Put(row.getRow()).addColumn(MARKS, GENERATE_MARK, bytes(batch)));
        }
      }
    }
  }

  private static SingleColumnValueFilter equal(byte[] family, byte[] qualifier, String value) {
    SingleColumnValueFilter filter = new SingleColumnValueFilter(family, qualifier, CompareOp.EQUAL, bytes(value));
    filter.setFilterIfMissing(true);
    return filter;
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
