package org.corpulyzer.jobs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** Small things that everything here does with HBase. */
final class HBase {

  /** Reading HBase's own defaults takes longer than most of what is asked of it. */
  private static final Configuration DEFAULTS = HBaseConfiguration.create();

  private HBase() {}

  /**
   * @return a copy of Nutch's configuration with HBase's defaults and the {@code hbase-site.xml} on
   *     the class path; Nutch's settings win
   */
  static Configuration configuration(Configuration conf) {
    Configuration merged = new Configuration(DEFAULTS);
    HBaseConfiguration.merge(merged, conf);
    return merged;
  }

  /**
   * @return a connection by {@link #configuration}
   */
  static Connection connect(Configuration conf) throws IOException {
    return ConnectionFactory.createConnection(configuration(conf));
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * @return a cell's value as text; null for no cell
   */
  static String text(Cell cell) {
    return cell == null
        ? null
        : new String(
            cell.getValueArray(),
            cell.getValueOffset(),
            cell.getValueLength(),
            StandardCharsets.UTF_8);
  }
}
