package org.corpulyzer.cluster;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import org.apache.avro.util.Utf8;
import org.apache.gora.store.DataStore;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HColumnDescriptor;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionInfo;
import org.apache.hadoop.hbase.HTableDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.crawl.DbUpdaterJob;
import org.apache.nutch.storage.Mark;
import org.apache.nutch.storage.StorageUtils;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.NutchConfiguration;
import org.apache.nutch.util.TableUtil;

/**
 * A crawl's web table: rows go in through Gora, as Nutch writes them, and come out as HBase has
 * them.
 */
final class Crawl implements AutoCloseable {

  static final String BATCH = "1448180000-1234";

  /** Between the rows of the big host. */
  static final String MIDDLE_OF_BIG = "example.big:http/2";

  private static final byte[] STATUS_FAMILY = Bytes.toBytes("f");
  private static final byte[] STATUS = Bytes.toBytes("st");
  private static final byte[] SCORE = Bytes.toBytes("s");
  private static final byte[] METADATA = Bytes.toBytes("mtdt");
  private static final byte[] MARKS = Bytes.toBytes("mk");
  private static final int SPLIT_MILLIS = 60_000;
  private static final float UNKNOWN = 256;
  private static final float INJECTED = 1e9f;

  final String id;
  final TableName name;
  private final Cluster cluster;
  private final DataStore<String, WebPage> store;

  /**
   * @param splits row keys at which regions of the web table begin
   */
  Crawl(Cluster cluster, String id, String... splits) throws Exception {
    this.cluster = cluster;
    this.id = id;
    name = TableName.valueOf(id + "_webpage");
    HTableDescriptor table = new HTableDescriptor(name);
    for (String family : new String[] {"p", "f", "s", "il", "ol", "stm", "h", "mtdt", "mk"}) {
      table.addFamily(new HColumnDescriptor(family).setMaxVersions(1));
    }
    try (Admin admin = cluster.connection().getAdmin()) {
      admin.createTable(table, Arrays.stream(splits).map(Bytes::toBytes).toArray(byte[][]::new));
    }
    Configuration conf = NutchConfiguration.create();
    cluster.setClient(conf);
    // HBase's client turns in a loop while a buffer that is full is sent.
    conf.unset("hbase.client.write.buffer");
    conf.set("storage.data.store.class", "org.apache.gora.hbase.store.HBaseStore");
    conf.set("storage.crawl.id", id);
    store = StorageUtils.createWebStore(conf, String.class, WebPage.class);
  }

  /**
   * Puts pages as parse leaves them: a big host in two regions, small hosts around it, an injected
   * seed.
   */
  void fill() throws Exception {
    for (int i = 0; i < 120; i++) {
      put("http://big.example/" + (100 + i), parsed(i % 3 != 0, "urd:" + i * 10 + ",eng:70"));
    }
    for (int host = 0; host < 40; host++) {
      for (int i = 0; i <= host % 4; i++) {
        put(
            "http://" + (char) ('a' + host % 26) + host + ".example/" + i,
            parsed((host + i) % 2 == 0, host % 5 == 0 ? null : "eng:5,urd:" + host * i));
      }
    }
    WebPage seed = page(CrawlStatus.STATUS_UNFETCHED);
    seed.getMarkers().put(Mark.INJECT_MARK.getName(), new Utf8("y"));
    put("http://seed.example/", seed);
    store.flush();
  }

  private static WebPage page(byte status) {
    WebPage page = WebPage.newBuilder().build();
    page.setStatus((int) status);
    page.setFetchTime(1L);
    page.setFetchInterval(2592000);
    page.getMarkers().put(DbUpdaterJob.DISTANCE, new Utf8("0"));
    return page;
  }

  private static WebPage parsed(boolean fetched, String languages) {
    WebPage page = page(fetched ? CrawlStatus.STATUS_FETCHED : CrawlStatus.STATUS_UNFETCHED);
    if (languages != null) {
      page.getMetadata()
          .put(new Utf8("crp.l"), ByteBuffer.wrap(languages.getBytes(StandardCharsets.UTF_8)));
      page.getMetadata()
          .put(new Utf8("crp.d"), ByteBuffer.wrap("keep enough".getBytes(StandardCharsets.UTF_8)));
    }
    return page;
  }

  /** Puts a page as the fetcher leaves it, of the batch. */
  void putFetched(String url, String vector) throws IOException {
    putFetched(
        url,
        Files.readAllBytes(
            Paths.get(
                System.getProperty("corpulyzer.root"), "tests", "vectors", "parsefilter", vector)));
  }

  void putFetched(String url, byte[] html) throws IOException {
    WebPage page = page(CrawlStatus.STATUS_FETCHED);
    page.setBaseUrl(new Utf8(url));
    page.setContentType(new Utf8("text/html"));
    page.setContent(ByteBuffer.wrap(html));
    Mark.GENERATE_MARK.putMark(page, BATCH);
    Mark.FETCH_MARK.putMark(page, BATCH);
    put(url, page);
  }

  /** Puts a page of the batch as parse leaves it, with links. */
  void putParsed(String url, String languages, String... links) throws IOException {
    WebPage page = parsed(true, languages);
    Mark.GENERATE_MARK.putMark(page, BATCH);
    Mark.FETCH_MARK.putMark(page, BATCH);
    Mark.PARSE_MARK.putMark(page, BATCH);
    for (String link : links) {
      page.getOutlinks().put(new Utf8(link), new Utf8("anchor"));
    }
    put(url, page);
  }

  private void put(String url, WebPage page) throws IOException {
    store.put(TableUtil.reverseUrl(url), page);
  }

  void flush() {
    store.flush();
  }

  int regions() throws IOException {
    try (Admin admin = cluster.connection().getAdmin()) {
      return admin.getTableRegions(name).size();
    }
  }

  /** Splits a region in the middle of its rows, and waits until both halves serve. */
  void split(HRegionInfo region) throws Exception {
    List<Result> rows = rows(region.getStartKey(), region.getEndKey());
    int regions = regions();
    try (Admin admin = cluster.connection().getAdmin()) {
      admin.splitRegion(region.getRegionName(), rows.get(rows.size() / 2).getRow());
    }
    long end = System.currentTimeMillis() + SPLIT_MILLIS;
    while (regions() == regions) {
      if (System.currentTimeMillis() > end) {
        throw new TimeoutException(region + " was not split");
      }
      Thread.sleep(50);
    }
    // Any region server may serve the regions now.
    rows(region.getStartKey(), region.getEndKey());
  }

  /**
   * @return every row as HBase has it
   */
  List<Result> rows() throws IOException {
    return rows(HConstants.EMPTY_START_ROW, HConstants.EMPTY_END_ROW);
  }

  private List<Result> rows(byte[] start, byte[] end) throws IOException {
    List<Result> rows = new ArrayList<>();
    try (Table table = cluster.connection().getTable(name);
        ResultScanner scanner = table.getScanner(new Scan(start, end).setMaxVersions())) {
      scanner.forEach(rows::add);
    }
    return rows;
  }

  /**
   * @return every cell but the scores, all versions: its coordinates to its timestamp and value
   */
  Map<String, String> cellsButScores() throws IOException {
    Map<String, String> cells = new TreeMap<>();
    for (Result row : rows()) {
      for (Cell cell : row.rawCells()) {
        if (!CellUtil.matchingColumn(cell, SCORE, SCORE)) {
          cells.merge(
              Bytes.toStringBinary(row.getRow())
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

  /**
   * @return a value as text, or null
   */
  String value(String url, String family, String qualifier) throws IOException {
    for (Result row : rows()) {
      if (Bytes.toString(row.getRow()).equals(TableUtil.reverseUrl(url))) {
        byte[] value = row.getValue(Bytes.toBytes(family), Bytes.toBytes(qualifier));
        return value == null ? null : Bytes.toString(value);
      }
    }
    return null;
  }

  /**
   * @return Algorithm 1 from the rows: row key to the mean of its host's bytes in Urdu over the
   *     fetched pages
   */
  static Map<String, Float> algorithm1(List<Result> rows) {
    Map<String, Long> bytes = new HashMap<>();
    Map<String, Integer> fetched = new HashMap<>();
    for (Result row : rows) {
      byte[] status = row.getValue(STATUS_FAMILY, STATUS);
      if (status != null && (Bytes.toInt(status) == 2 || Bytes.toInt(status) == 38)) {
        byte[] languages = row.getValue(METADATA, Bytes.toBytes("crp.l"));
        if (languages == null) {
          // A page that was never read is in no mean.
          continue;
        }
        long urdu =
            Arrays.stream(Bytes.toString(languages).split(","))
                .filter(l -> l.startsWith("urd:"))
                .mapToLong(l -> Long.parseLong(l.substring(4)))
                .sum();
        bytes.merge(host(row), urdu, Long::sum);
        fetched.merge(host(row), 1, Integer::sum);
      }
    }
    Map<String, Float> scores = new TreeMap<>();
    for (Result row : rows) {
      boolean injected = row.containsColumn(MARKS, Bytes.toBytes("_injmrk_"));
      scores.put(
          Bytes.toString(row.getRow()),
          fetched.containsKey(host(row))
              ? (float) ((double) bytes.get(host(row)) / fetched.get(host(row)))
              : injected ? INJECTED : UNKNOWN);
    }
    return scores;
  }

  /**
   * @return row key to stored score
   */
  static Map<String, Float> scores(List<Result> rows) {
    Map<String, Float> scores = new TreeMap<>();
    for (Result row : rows) {
      byte[] score = row.getValue(SCORE, SCORE);
      scores.put(Bytes.toString(row.getRow()), score == null ? null : Bytes.toFloat(score));
    }
    return scores;
  }

  private static String host(Result row) {
    String key = Bytes.toString(row.getRow());
    return key.substring(0, key.indexOf(':'));
  }

  @Override
  public void close() {
    store.close();
  }
}
