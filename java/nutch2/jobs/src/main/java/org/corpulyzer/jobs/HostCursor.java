package org.corpulyzer.jobs;

import java.util.Locale;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.util.Bytes;
import org.corpulyzer.engine.RowKeys;

/** Reads row keys in order and finds the borders of hosts, mostly by comparing bytes. */
final class HostCursor {

  private static final byte[] HTTP_PORT = HBase.utf8("http:80");
  private static final byte[] HTTPS_PORT = HBase.utf8("https:443");

  private String host;

  /** The host and its colon, as every row of the host begins; empty while there is no host. */
  private byte[] prefix = {};

  private boolean normalisedHost;

  /**
   * @return whether this row is of another host than the row before, or malformed
   */
  boolean moveTo(Cell row) {
    if (prefix.length > 0 && startsWith(row, 0, prefix) && isLetter(row, prefix.length)) {
      return false;
    }
    String key = Bytes.toString(row.getRowArray(), row.getRowOffset(), row.getRowLength());
    // A key that is no UTF-8 was not written by Nutch, and two of them may read the same.
    if (RowKeys.isValid(key) && isWhole(row, HBase.utf8(key))) {
      host = RowKeys.host(key);
      prefix = HBase.utf8(RowKeys.startKey(host));
      normalisedHost =
          host.equals(host.toLowerCase(Locale.ROOT))
              && !host.startsWith(".")
              && !host.endsWith(".");
    } else {
      host = null;
      prefix = new byte[0];
    }
    return true;
  }

  /**
   * @return the current row's host, or null when its key is malformed
   */
  String host() {
    return host;
  }

  /**
   * @return whether the row's host is in lower case without an empty label, and its port is not the
   *     scheme's default
   */
  boolean isNormalised(Cell row) {
    return normalisedHost && !hasPort(row, HTTP_PORT) && !hasPort(row, HTTPS_PORT);
  }

  private static boolean isWhole(Cell row, byte[] key) {
    return key.length == row.getRowLength() && startsWith(row, 0, key);
  }

  private boolean hasPort(Cell row, byte[] port) {
    int end = prefix.length + port.length;
    return startsWith(row, prefix.length, port)
        && (row.getRowLength() == end || row.getRowArray()[row.getRowOffset() + end] == '/');
  }

  private static boolean startsWith(Cell row, int at, byte[] what) {
    return row.getRowLength() >= at + what.length
        && Bytes.equals(
            row.getRowArray(), row.getRowOffset() + at, what.length, what, 0, what.length);
  }

  private static boolean isLetter(Cell row, int at) {
    return row.getRowLength() > at
        && Character.isLetter(row.getRowArray()[row.getRowOffset() + at]);
  }
}
