package org.corpulyzer.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.CompareFilter.CompareOp;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.DbUpdaterJob;
import org.apache.nutch.crawl.GeneratorJob;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.storage.StorageUtils;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.corpus.ScoreSummary;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.jobs.LrlScoreJob;

/**
 * One thing to measure, in a process of its own: its heap is that of the tasks, which run in it.
 * Prints what it found as {@code name value}, seconds and processor seconds of its own among it.
 */
final class Step {

  /** A crawl without rows: what a job costs then is its start-up. */
  static final String EMPTY = "empty";

  /** The work to measure. */
  private interface Body {
    void run() throws Exception;
  }

  private final Configuration conf;
  private final String crawl;

  private Step(Configuration conf, String crawl) {
    this.conf = conf;
    this.crawl = crawl;
  }

  /**
   * {@code <crawl> <step> <argument>... [-- <step> <argument>...]...}, and the benchmark's system
   * properties.
   */
  public static void main(String[] args) throws Exception {
    int from = 1;
    while (from < args.length) {
      int to = from;
      while (to < args.length && !args[to].equals("--")) {
        to++;
      }
      Configuration conf = configuration();
      conf.set(Nutch.CRAWL_ID_KEY, args[0]);
      new Step(conf, args[0]).run(args[from], Arrays.copyOfRange(args, from + 1, to));
      from = to + 1;
    }
    // Gora leaves connections open.
    System.exit(0);
  }

  /**
   * @return Nutch's configuration with the benchmark's HBase and the plugin
   */
  static Configuration configuration() {
    Configuration conf = NutchConfiguration.create();
    conf.set("hbase.zookeeper.quorum", "127.0.0.1");
    conf.set("hbase.zookeeper.property.clientPort", System.getProperty("bench.port"));
    conf.set("hadoop.tmp.dir", new File(System.getProperty("bench.folder"), "tmp").getPath());
    conf.set("storage.data.store.class", "org.apache.gora.hbase.store.HBaseStore");
    conf.set("plugin.folders", System.getProperty("bench.plugins"));
    conf.set("plugin.includes", "nutch-extensionpoints|corpulyzer");
    conf.set(Settings.LANGUAGE_TARGET, "ur");
    conf.set(Settings.NATIVE_PATH, System.getProperty(Settings.NATIVE_PATH));
    conf.setInt("generate.max.count", 50);
    conf.set("generate.count.mode", "host");
    conf.set("partition.url.mode", "byHost");
    conf.setInt("mapreduce.task.io.sort.mb", 16);
    // The client's own pauses would be most of a short job.
    conf.setInt("mapreduce.client.completion.pollinterval", 20);
    conf.setInt("mapreduce.client.progressmonitor.pollinterval", 20);
    conf.setLong(Settings.SCORE_MARGIN_MILLIS, 0);
    return conf;
  }

  private static void print(String name, Object value) {
    System.out.println(name + ' ' + value);
  }

  private static void timed(String name, Body body) throws Exception {
    long cpu = cpuNanos();
    long start = System.nanoTime();
    body.run();
    print(name, String.format(Locale.ROOT, "%.3f", (System.nanoTime() - start) / 1e9));
    print(name + ".cpu", String.format(Locale.ROOT, "%.3f", (cpuNanos() - cpu) / 1e9));
  }

  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private void run(String step, String[] args) throws Exception {
    switch (step) {
      case "fill":
        fill(Integer.parseInt(args[0]), Integer.parseInt(args[1]), Boolean.parseBoolean(args[2]));
        break;
      case "drop":
        drop();
        break;
      case "scan":
        scan(TableName.valueOf(EMPTY + "_webpage"));
        timed("seconds", () -> print("rows", scan(table())));
        break;
      case "score":
        score(args);
        break;
      case "generate":
        conf.set(Settings.SCORE_SOURCE, args[0]);
        tool(
            new GeneratorJob(),
            "-topN",
            args[1],
            "-batchId",
            args[2],
            "-noFilter",
            "-noNorm",
            "-crawlId",
            crawl);
        break;
      case "fetch":
        print("rows", fetch(Integer.parseInt(args[1]), args[0]));
        break;
      case "updatedb":
        conf.set(Settings.SCORE_SOURCE, args[0]);
        tool(new DbUpdaterJob(), args[1], "-crawlId", crawl);
        break;
      case "caching":
        timed(
            "seconds",
            () -> {
              if (!CachingJob.run(conf)) {
                throw new IllegalStateException("the caching job failed");
              }
            });
        break;
      default:
        throw new IllegalArgumentException(step);
    }
  }

  private TableName table() {
    return TableName.valueOf(crawl + "_webpage");
  }

  private void fill(int rows, int pagesPerHost, boolean content) throws Exception {
    Configuration empty = new Configuration(conf);
    empty.set(Nutch.CRAWL_ID_KEY, EMPTY);
    StorageUtils.createWebStore(empty, String.class, WebPage.class).close();
    SyntheticWeb web = new SyntheticWeb(1, rows, pagesPerHost, content);
    print("hosts", web.hosts().size());
    print("largest", web.largestHost());
    Path files = new Path(new File(System.getProperty("bench.folder"), "load-" + crawl).toURI());
    timed(
        "seconds",
        () -> WebTableFiles.fill(conf, table(), web, rows, Math.max(2, rows / 125_000), files));
  }

  private void drop() throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin()) {
      for (TableName name : admin.listTableNames(crawl + "_.*")) {
        admin.disableTable(name);
        admin.deleteTable(name);
      }
    }
  }

  /** Reads the columns of both passes, as a program would that does nothing else. */
  private long scan(TableName table) throws Exception {
    Scan scan = new Scan();
    scan.setCacheBlocks(false);
    scan.addColumn(Bytes.toBytes("f"), Bytes.toBytes("st"));
    scan.addColumn(Bytes.toBytes("s"), Bytes.toBytes("s"));
    scan.addColumn(Bytes.toBytes("mk"), Bytes.toBytes("_injmrk_"));
    for (String key : new String[] {PageKeys.VERSION, PageKeys.LANGUAGES, PageKeys.DECISION}) {
      scan.addColumn(Bytes.toBytes("mtdt"), Bytes.toBytes(key));
    }
    long rows = 0;
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Table web = connection.getTable(table);
        ResultScanner results = web.getScanner(scan)) {
      for (Result row : results) {
        rows += row.rawCells().length > 0 ? 1 : 0;
      }
    }
    return rows;
  }

  /** The passes, after those of a crawl without rows. */
  private void score(String[] args) throws Exception {
    List<String> wanted = new ArrayList<>(Arrays.asList(args));
    String[] empty = {"-crawlId", EMPTY};
    ToolRunner.run(new Configuration(conf), new LrlScoreJob(), empty);
    timed("startup", () -> ToolRunner.run(new Configuration(conf), new LrlScoreJob(), empty));
    wanted.addAll(Arrays.asList("-crawlId", crawl));
    LrlScoreJob job = new LrlScoreJob();
    Configuration logged = new Configuration(conf);
    logged.setBoolean(Settings.SCORE_INCREMENTAL, true);
    timed(
        "seconds",
        () -> {
          if (ToolRunner.run(logged, job, wanted.toArray(new String[0])) != 0) {
            throw new IllegalStateException("the score job failed");
          }
        });
    ScoreSummary summary = job.summary();
    for (ScoreCounter counter : ScoreCounter.values()) {
      print(counter.name(), summary.get(counter));
    }
    if (summary.toString().contains("(incremental")) {
      print("incremental", "true");
    }
  }

  private void tool(Tool tool, String... args) throws Exception {
    timed(
        "seconds",
        () -> {
          int code = ToolRunner.run(conf, tool, args);
          if (code != 0) {
            throw new IllegalStateException(tool.getClass().getName() + " answered " + code);
          }
        });
  }

  /** Does to a generated batch what fetch and parse do. */
  private long fetch(int rows, String batch) throws Exception {
    SyntheticWeb web = new SyntheticWeb(1, rows, 0, true);
    byte[] markers = Bytes.toBytes("mk");
    byte[] mark = Bytes.toBytes("_gnmrk_");
    Scan scan = new Scan().addColumn(markers, mark);
    SingleColumnValueFilter ofBatch =
        new SingleColumnValueFilter(markers, mark, CompareOp.EQUAL, Bytes.toBytes(batch));
    ofBatch.setFilterIfMissing(true);
    scan.setFilter(ofBatch);
    long fetched = 0;
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Table table = connection.getTable(table());
        BufferedMutator writer = connection.getBufferedMutator(table());
        ResultScanner results = table.getScanner(scan)) {
      for (Result row : results) {
        Put put = new Put(row.getRow());
        for (Cell cell : web.fetchedRow(row.getRow(), batch)) {
          put.add(cell);
        }
        writer.mutate(put);
        fetched++;
      }
    }
    return fetched;
  }
}
