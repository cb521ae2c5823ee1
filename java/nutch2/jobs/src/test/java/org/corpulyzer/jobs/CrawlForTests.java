package org.corpulyzer.jobs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.util.Utf8;
import org.apache.gora.store.DataStore;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HColumnDescriptor;
import org.apache.hadoop.hbase.HTableDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.storage.StorageUtils;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.NutchConfiguration;
import org.apache.nutch.util.TableUtil;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;

/**
 * A crawl of its own on the shared HBase: rows go in through Gora, as Nutch writes them, and cells
 * come out as HBase has them.
 */
final class CrawlForTests implements AutoCloseable {

  static final byte[] SCORE_FAMILY = HBase.utf8("s");
  static final byte[] SCORE_QUALIFIER = HBase.utf8("s");

  private final Configuration conf;
  private final Connection connection;
  private final DataStore<String, WebPage> store;
  private final TableName name;

  /**
   * @param splits row keys at which regions of the web table begin
   */
  CrawlForTests(HBaseForTests hbase, String crawlId, String... splits) throws Exception {
    conf = configuration(hbase);
    conf.set(Nutch.CRAWL_ID_KEY, crawlId);
    connection = HBase.connect(conf);
    name = TableName.valueOf(crawlId + "_webpage");
    if (splits.length > 0) {
      createSplit(splits);
    }
    Configuration ofStore = new Configuration(conf);
    // HBase's client turns in a loop while a buffer that is full is sent.
    ofStore.setLong("hbase.client.write.buffer", 64 << 20);
    store = StorageUtils.createWebStore(ofStore, String.class, WebPage.class);
  }

  private void createSplit(String... splits) throws IOException {
    HTableDescriptor table = new HTableDescriptor(name);
    for (String family : new String[] {"p", "f", "s", "il", "ol", "stm", "h", "mtdt", "mk"}) {
      table.addFamily(new HColumnDescriptor(family).setMaxVersions(1));
    }
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(table, Arrays.stream(splits).map(HBase::utf8).toArray(byte[][]::new));
    }
  }

  /**
   * @return Nutch's configuration with this storage and the tests' plugins, for Urdu, without a
   *     crawl id
   */
  static Configuration configuration(HBaseForTests hbase) {
    Configuration conf = NutchConfiguration.create();
    hbase.configure(conf);
    conf.set("storage.data.store.class", "org.apache.gora.hbase.store.HBaseStore");
    conf.set("plugin.includes", "nutch-extensionpoints|test-scoring|corpulyzer");
    conf.set(Settings.LANGUAGE_TARGET, "ur");
    conf.set(Settings.NATIVE_PATH, System.getProperty(Settings.NATIVE_PATH));
    return conf;
  }

  Configuration conf() {
    return new Configuration(conf);
  }

  TableName name() {
    return name;
  }

  Connection connection() {
    return connection;
  }

  /**
   * @return a page as after parse; {@code languages} may be null for a page that was not parsed
   */
  static WebPage page(int status, String languages) {
    WebPage page = WebPage.newBuilder().build();
    page.setStatus(status);
    page.setFetchTime(1L);
    if (languages != null) {
      page.setContent(ByteBuffer.wrap(HBase.utf8("<p>content that scoring must not load</p>")));
      metadata(page, PageKeys.LANGUAGES, languages);
      metadata(page, PageKeys.DECISION, "keep enough");
    }
    return page;
  }

  static void metadata(WebPage page, String key, String value) {
    page.getMetadata().put(new Utf8(key), ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)));
  }

  void put(String url, WebPage page) throws IOException {
    putKey(TableUtil.reverseUrl(url), page);
  }

  void putKey(String key, WebPage page) {
    store.put(key, page);
  }

  WebPage get(String url) throws IOException {
    return store.get(TableUtil.reverseUrl(url));
  }

  void flush() {
    store.flush();
  }

  /**
   * @return the stored score of a page; null when there is none
   */
  Float score(String url) throws IOException {
    try (Table table = connection.getTable(name)) {
      byte[] value =
          table
              .get(new Get(HBase.utf8(TableUtil.reverseUrl(url))))
              .getValue(SCORE_FAMILY, SCORE_QUALIFIER);
      return value == null ? null : Bytes.toFloat(value);
    }
  }

  /**
   * @return every cell of the web table, all versions: its coordinates to its timestamp and value
   */
  Map<String, String> cells() throws IOException {
    return cells(name);
  }

  Map<String, String> cells(TableName of) throws IOException {
    Map<String, String> cells = new TreeMap<>();
    try (Table table = connection.getTable(of);
        ResultScanner rows = table.getScanner(new Scan().setMaxVersions())) {
      for (Result row : rows) {
        for (Cell cell : row.rawCells()) {
          cells.merge(
              Bytes.toStringBinary(CellUtil.cloneRow(cell))
                  + " "
                  + Bytes.toString(CellUtil.cloneFamily(cell))
                  + ":"
                  + Bytes.toStringBinary(CellUtil.cloneQualifier(cell)),
              cell.getTimestamp() + " " + Bytes.toStringBinary(CellUtil.cloneValue(cell)),
              (a, b) -> a + ", " + b);
        }
      }
    }
    return cells;
  }

  boolean exists(TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.tableExists(table);
    }
  }

  /** Makes HBase refuse every write to a table, or take them again. */
  void setReadOnly(TableName table, boolean readOnly) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      HTableDescriptor changed = new HTableDescriptor(admin.getTableDescriptor(table));
      changed.setReadOnly(readOnly);
      admin.disableTable(table);
      admin.modifyTable(table, changed);
      admin.enableTable(table);
    }
  }

  /** Lets an observer of the tests sit in the regions of the web table. */
  void observe(Class<?> observer) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      HTableDescriptor changed = new HTableDescriptor(admin.getTableDescriptor(name));
      changed.addCoprocessor(observer.getName());
      admin.disableTable(name);
      admin.modifyTable(name, changed);
      admin.enableTable(name);
    }
  }

  int regions() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getTableRegions(name).size();
    }
  }

  @Override
  public void close() throws IOException {
    store.close();
    connection.close();
  }
}
