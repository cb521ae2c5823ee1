package org.corpulyzer.jobs;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.avro.util.Utf8;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.nutch.parse.HTMLMetaTags;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseFilter;
import org.apache.nutch.parse.ParseStatusCodes;
import org.apache.nutch.plugin.Extension;
import org.apache.nutch.plugin.ExtensionPoint;
import org.apache.nutch.plugin.PluginDescriptor;
import org.apache.nutch.plugin.PluginRepository;
import org.apache.nutch.plugin.PluginRuntimeException;
import org.apache.nutch.storage.ParseStatus;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.corpus.DoctorTool;
import org.corpulyzer.corpus.PluginCheck;
import org.corpulyzer.corpus.TrialPage;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;

/**
 * Examines a Nutch as its jobs would find it: {@code bin/nutch org.corpulyzer.jobs.Doctor [-script
 * FILE]}. Prints a line for each check (see {@link DoctorTool}) and exits with 1 when something
 * fails.
 */
public final class Doctor extends DoctorTool {
  private static final String PARSE_FILTER = "org.corpulyzer.nutch.WebAmParseFilter";
  private static final String SCORING_FILTER = "org.corpulyzer.nutch.LrlScoringFilter";
  private static final String MEM_STORE = "org.apache.gora.memory.store.MemStore";
  private static final String HBASE_STORE = "org.apache.gora.hbase.store.HBaseStore";

  /**
   * Ours, by its name: its class does not load where Gora's is missing, which is found out below.
   */
  private static final String STRICT_STORE = "org.corpulyzer.jobs.StrictHBaseStore";

  /**
   * Bytes of the longest page to store, with room for the rest of its cell:
   * hbase.client.keyvalue.maxsize is 10 MiB.
   */
  private static final int MAX_CONTENT = 8 << 20;

  /** Bytes below which pages of three-byte scripts are cut often. */
  private static final int MIN_CONTENT = 1 << 20;

  /** Time limit for a response of HBase, in seconds. */
  private static final int HBASE_SECONDS = 20;

  private PluginDescriptor plugin;

  /**
   * @param out where the findings go
   */
  public Doctor(PrintStream out) {
    super(out, false, PARSE_FILTER, SCORING_FILTER);
  }

  /** Takes Hadoop's generic options, e.g. {@code -D key=value}. */
  public static void main(String[] args) throws Exception {
    main(NutchConfiguration::create, new Doctor(System.out), args);
  }

  @Override
  protected Plugin plugin() {
    plugin = PluginRepository.get(getConf()).getPluginDescriptor(PluginCheck.ID);
    return plugin == null ? null : new Plugin(plugin.getClassLoader(), plugin.getPluginPath());
  }

  @Override
  protected String updateClass() {
    return LrlDbUpdaterJob.class.getName();
  }

  @Override
  protected String withoutStoredScores(Settings settings) {
    boolean needsScores =
        settings != null
            && settings.scorePolicy() == Settings.ScorePolicy.PAGES
            && getConf().get(Settings.SCORE_SOURCE, "").trim().isEmpty();
    return needsScores ? null : "the generator adds hosts up itself";
  }

  @Override
  protected void checkLine(Settings settings) {
    checkStore();
    findings()
        .contentLimit(
            MIN_CONTENT,
            MAX_CONTENT,
            MAX_CONTENT,
            "HBase refuses cells above 10 MiB (hbase.client.keyvalue.maxsize)");
    checkTimeouts(settings);
    checkPages(settings, Settings::scoreSourceOfWebTable);
  }

  /** Nothing: the tables of a trial would be in the crawl's own HBase. */
  @Override
  protected void tryCrawl(Settings settings) {}

  @Override
  protected void checkCrawlDb(String folder) {
    throw new UnsupportedOperationException("Nutch 2.4 has no CrawlDb");
  }

  @Override
  protected Reading read(TrialPage trial) throws PluginRuntimeException {
    WebPage page = WebPage.newBuilder().build();
    page.setBaseUrl(new Utf8(trial.url()));
    page.setContentType(new Utf8("text/html"));
    page.setContent(ByteBuffer.wrap(trial.html()));
    ParseStatus status = ParseStatus.newBuilder().build();
    status.setMajorCode((int) ParseStatusCodes.SUCCESS);
    Parse parse = new Parse("", "", new Outlink[0], status);
    ((ParseFilter) filter(PARSE_FILTER)).filter(trial.url(), page, parse, new HTMLMetaTags(), null);
    ByteBuffer languages = page.getMetadata().get(new Utf8(PageKeys.LANGUAGES));
    return new Reading(
        languages == null ? null : StandardCharsets.UTF_8.decode(languages.duplicate()).toString(),
        parse.getText());
  }

  @Override
  protected List<String> extensions(String point, String attribute) {
    ExtensionPoint found = PluginRepository.get(getConf()).getExtensionPoint(point);
    List<String> values = new ArrayList<>();
    for (Extension extension : found == null ? new Extension[0] : found.getExtensions()) {
      String value =
          attribute.equals("plugin")
              ? extension.getDescriptor().getPluginId()
              : extension.getAttribute(attribute);
      values.add(value == null ? "" : value);
    }
    return values;
  }

  @Override
  protected void startScoringFilter() throws PluginRuntimeException {
    filter(SCORING_FILTER);
  }

  private Object filter(String type) throws PluginRuntimeException {
    for (Extension extension : plugin.getExtensions()) {
      if (extension.getClazz().equals(type)) {
        return extension.getExtensionInstance();
      }
    }
    throw new PluginRuntimeException("plugin.xml does not name " + type);
  }

  private void checkStore() {
    String store = getConf().get("storage.data.store.class", MEM_STORE);
    if (store.equals(MEM_STORE)) {
      findings()
          .fail(
              "storage.data.store.class is MemStore, which loses all data when a command ends",
              "set it to " + HBASE_STORE + " in nutch-site.xml");
    } else if (!store.equals(HBASE_STORE) && !store.equals(STRICT_STORE)) {
      findings()
          .warn(
              "storage.data.store.class is " + store + ", and Corpulyzer's jobs need HBase",
              "set it to " + HBASE_STORE);
    } else {
      try {
        Class.forName(store, false, getConf().getClassLoader());
        findings()
            .check(
                getConf().getResource("gora-hbase-mapping.xml") != null,
                "the store is HBase",
                "the conf folder has no gora-hbase-mapping.xml",
                "copy it from Nutch's sources");
        checkHBase();
      } catch (ClassNotFoundException | LinkageError e) {
        findings()
            .fail(
                "storage.data.store.class is " + store + ", but lib has not its jars (" + e + ")",
                "switch gora-hbase on in ivy/ivy.xml and build Nutch again");
      }
    }
  }

  /**
   * Returns whether one of the ZooKeeper servers accepts a connection. HBase's client would try for
   * minutes.
   */
  private static void requireZooKeeper(Configuration conf) throws IOException {
    String[] hosts = conf.getStrings("hbase.zookeeper.quorum", "localhost");
    int port = conf.getInt("hbase.zookeeper.property.clientPort", 2181);
    IOException failure = null;
    for (String host : hosts) {
      String[] parts = host.trim().split(":", 2);
      try (Socket socket = new Socket()) {
        socket.connect(
            new InetSocketAddress(parts[0], parts.length > 1 ? Integer.parseInt(parts[1]) : port),
            HBASE_SECONDS * 1000 / hosts.length);
        return;
      } catch (IOException | RuntimeException e) {
        failure =
            new IOException(
                "no ZooKeeper at "
                    + host.trim()
                    + (parts.length > 1 ? "" : ":" + port)
                    + ": "
                    + e.getMessage());
      }
    }
    throw failure;
  }

  /**
   * Connects to HBase in a thread that ends with this process, because its client tries for minutes
   * by default and has no limit for the whole.
   */
  private void checkHBase() {
    FutureTask<String> asked = new FutureTask<>(() -> askHBase(getConf()));
    Thread thread = new Thread(asked, "HBase");
    thread.setDaemon(true);
    thread.start();
    String fix = "start HBase, or set hbase.zookeeper.quorum in conf/hbase-site.xml";
    try {
      findings().ok("HBase answers at " + asked.get(HBASE_SECONDS, TimeUnit.SECONDS));
    } catch (TimeoutException e) {
      findings().fail("HBase does not answer within " + HBASE_SECONDS + " s", fix);
    } catch (ExecutionException e) {
      findings().fail("HBase does not answer (" + reason(e.getCause()) + ")", fix);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The first line of the innermost cause: HBase's client only counts its attempts above it. */
  static String reason(Throwable failure) {
    Throwable innermost = failure;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    return String.valueOf(innermost.getMessage() == null ? innermost : innermost.getMessage())
        .split("\\R", 2)[0];
  }

  private static String askHBase(Configuration given) throws IOException {
    Configuration conf = HBase.configuration(given);
    requireZooKeeper(conf);
    conf.setInt("hbase.client.retries.number", 1);
    conf.setInt("hbase.rpc.timeout", HBASE_SECONDS * 500);
    conf.setInt("hbase.client.operation.timeout", HBASE_SECONDS * 500);
    conf.setInt("zookeeper.recovery.retry", 0);
    try (Connection connection = HBase.connect(conf);
        Admin admin = connection.getAdmin()) {
      return admin.getClusterStatus().getMaster().getHostAndPort();
    }
  }

  /**
   * Nutch 2.4 reads the two keys the wrong way round: sitemap.parser.timeout bounds the parse of
   * pages.
   */
  private void checkTimeouts(Settings settings) {
    int pages = getConf().getInt("sitemap.parser.timeout", 30);
    int sitemaps = getConf().getInt("parser.timeout", 30);
    findings()
        .advise(
            pages == sitemaps,
            "sitemap.parser.timeout and parser.timeout are both " + pages + " s",
            "parser.timeout is "
                + sitemaps
                + " s, but Nutch 2.4 has swapped its keys: sitemap.parser.timeout ("
                + pages
                + " s) bounds pages",
            "set both alike");
    findings().parseTimeout(settings, "sitemap.parser.timeout", pages);
  }
}
