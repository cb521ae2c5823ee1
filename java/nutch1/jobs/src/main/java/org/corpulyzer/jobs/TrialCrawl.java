package org.corpulyzer.jobs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.crawl.Generator;
import org.apache.nutch.crawl.Injector;
import org.apache.nutch.fetcher.Fetcher;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.parse.ParseSegment;
import org.corpulyzer.corpus.TrialPage;
import org.corpulyzer.engine.PageKeys;

/**
 * A crawl of one page, from a server of its own on the loopback address, with the configuration and
 * the plugins of a Nutch home: inject, generate, fetch, parse, updatedb with scores, generate
 * again, export. Its data is in a temporary folder, which {@link #close} removes, and its jobs run
 * in this JVM.
 */
final class TrialCrawl implements AutoCloseable {

  /** A step that did not do its work; the message is a sentence without the full stop. */
  static final class FailedException extends Exception {
    private static final long serialVersionUID = 1;

    FailedException(String sentence) {
      super(sentence);
    }
  }

  private static final String LINKED = "/next";

  /** The first line of a stack trace. */
  private static final Pattern CAUSE =
      Pattern.compile("^(Caused by: )?[a-z]+(\\.\\w+)+(Exception|Error)(: |$)");

  private final TrialPage page;
  private final boolean scoresRows;
  private final HttpServer server;
  private final File root;
  private final Configuration conf;

  /**
   * @param home the configuration of the home
   * @param page the page that the server has
   * @param storesScores whether updatedb writes the scores that the generator reads
   * @throws IOException if the server or the folder cannot be made
   */
  TrialCrawl(Configuration home, TrialPage page, boolean storesScores) throws IOException {
    this.page = page;
    this.scoresRows = storesScores;
    root = Files.createTempDirectory("corpulyzer-doctor").toFile();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    conf = local(home);
  }

  /** The home's configuration, for jobs in this JVM on files of this machine and one close host. */
  private Configuration local(Configuration home) {
    Configuration local = new Configuration(home);
    // Plugins keep the configuration that they were made with.
    local.set("nutch.conf.uuid", UUID.randomUUID().toString());
    local.set("fs.defaultFS", "file:///");
    local.set("mapreduce.framework.name", "local");
    local.set("hadoop.tmp.dir", new File(root, "tmp").getPath());
    local.set("mapreduce.jobtracker.staging.root.dir", new File(root, "staging").getPath());
    local.setInt("mapreduce.client.progressmonitor.pollinterval", 50);
    local.setInt("mapreduce.client.completion.pollinterval", 50);
    local.setInt("mapreduce.job.reduces", 1);
    local.setFloat("fetcher.server.delay", 0);
    // The filters of the home are for its own sites, and its proxy cannot reach this machine.
    local.setBoolean("parse.filter.urls", false);
    // Hadoop reads nutch-site.xml again when it loads the classes of its jobs, so that a property
    // that was only removed would be back.
    local.set("http.proxy.host", "");
    local.set("http.filter.ipaddress.exclude", "");
    local.set("http.filter.ipaddress.include", "");
    // A robots.txt that cannot be fetched would stop the crawl for five minutes.
    local.setBoolean("http.robots.503.defer.visits", false);
    return local;
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    byte[] body = new byte[0];
    if (path.equals("/") || path.equals(LINKED)) {
      String html = new String(page.html(), StandardCharsets.UTF_8);
      body =
          html.replace("</body>", "<p><a href=" + LINKED + ">+</a></p></body>")
              .getBytes(StandardCharsets.UTF_8);
    }
    exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
    exchange.sendResponseHeaders(body.length > 0 ? 200 : 404, body.length > 0 ? body.length : -1);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  private Path at(String name) {
    return new Path(new File(root, name).toURI());
  }

  /**
   * Crawls the page.
   *
   * @return what the crawl did, as the words of a finding
   * @throws FailedException for the first step that did not do what it is for
   */
  String run() throws FailedException, InterruptedException {
    long start = System.nanoTime();
    Path segment;
    step("inject", this::inject);
    segment = step("generate", this::generate);
    step("fetch", () -> fetch(segment));
    step("updatedb", () -> update(segment));
    checkRows();
    if (step("the second generate", this::generate) == null) {
      throw new FailedException("the trial crawl's second generate selects no page");
    }
    boolean isExported = step("CorpusExportJob", () -> export(segment));
    if (page.isInTarget() && !isExported) {
      throw new FailedException("the trial crawl's page is not in the exported corpus");
    }
    return "a trial crawl of one page works, from inject to export ("
        + (System.nanoTime() - start) / 1_000_000_000
        + " s)";
  }

  private interface Step<T> {
    T run() throws Exception;
  }

  /** The cause of the last failure in Nutch's log; empty if the log cannot be read. */
  private static String cause() {
    String folder = System.getProperty("hadoop.log.dir", "");
    File log = new File(folder, System.getProperty("hadoop.log.file", "hadoop.log"));
    try (Stream<String> lines = Files.lines(log.toPath(), StandardCharsets.ISO_8859_1)) {
      return lines
          .filter(line -> CAUSE.matcher(line).find())
          .reduce((first, second) -> second)
          .map(line -> ", because of " + line.replaceFirst("^Caused by: ", ""))
          .orElse("");
    } catch (IOException | RuntimeException e) {
      return "";
    }
  }

  private static <T> T step(String name, Step<T> step)
      throws FailedException, InterruptedException {
    // The findings are on standard output. On a busy machine the jobs take minutes.
    System.err.println("the trial crawl runs " + name);
    try {
      return step.run();
    } catch (InterruptedException | FailedException e) {
      throw e;
    } catch (Exception | LinkageError e) {
      throw new FailedException("the trial crawl fails in " + name + " (" + e + cause() + ")");
    }
  }

  private Void inject() throws Exception {
    File seeds = new File(root, "seeds");
    Files.createDirectory(seeds.toPath());
    Files.write(seeds.toPath().resolve("seeds.txt"), url("/").getBytes(StandardCharsets.US_ASCII));
    run(new Injector(), at("crawldb").toString(), at("seeds").toString(), "-noFilter");
    return null;
  }

  /** Returns the new segment; null if no page was selected. */
  private Path generate() throws IOException, InterruptedException, ClassNotFoundException {
    Path[] segments =
        new Generator(conf)
            .generate(
                at("crawldb"),
                at("segments"),
                1,
                1,
                System.currentTimeMillis(),
                false,
                true,
                false,
                1,
                null);
    return segments == null || segments.length == 0 ? null : segments[0];
  }

  private Void fetch(Path segment) throws Exception {
    if (segment == null) {
      throw new FailedException("the trial crawl's generate selects no page");
    }
    new Fetcher(conf).fetch(segment, 1);
    if (!Fetcher.isParsing(conf)) {
      new ParseSegment(conf).parse(segment);
    }
    return null;
  }

  private Void update(Path segment) throws Exception {
    CrawlDb updatedb = scoresRows ? new LrlCrawlDb(conf) : new CrawlDb(conf);
    updatedb.update(at("crawldb"), new Path[] {segment}, true, false, true, false);
    return null;
  }

  private void checkRows() throws FailedException {
    CrawlDatum fetched;
    CrawlDatum linked;
    try {
      fetched = row(url("/"));
      linked = row(url(LINKED));
    } catch (IOException e) {
      throw new FailedException("the trial crawl's CrawlDb cannot be read (" + e + ")");
    }
    if (fetched == null || fetched.getStatus() != CrawlDatum.STATUS_DB_FETCHED) {
      throw new FailedException(
          "the trial crawl did not fetch its page: the page's status is "
              + (fetched == null
                  ? "missing"
                  : CrawlDatum.getStatusName(fetched.getStatus()) + protocolStatus(fetched)));
    }
    Writable languages = fetched.getMetaData().get(new Text(PageKeys.LANGUAGES));
    if (languages == null || !languages.toString().startsWith(page.language() + ":")) {
      throw new FailedException(
          "the trial crawl fetched its page, whose languages are "
              + (languages == null ? "missing in CrawlDb" : languages));
    }
    if (linked == null) {
      throw new FailedException("the trial crawl did not find the link of its page");
    }
    if (scoresRows && page.isInTarget() && !(linked.getScore() > 0)) {
      throw new FailedException(
          "the trial crawl gave the score "
              + linked.getScore()
              + " to a page of a host with text in the language");
    }
  }

  /** What the protocol plugin said of the fetch, in parentheses; empty if it said nothing. */
  private static String protocolStatus(CrawlDatum row) {
    Writable status = row.getMetaData().get(Nutch.WRITABLE_PROTO_STATUS_KEY);
    return status == null ? "" : " (" + status + ")";
  }

  private CrawlDatum row(String url) throws IOException {
    File[] parts =
        new File(root, "crawldb/" + CrawlDb.CURRENT_NAME)
            .listFiles((folder, name) -> name.startsWith("part-"));
    for (File part : parts == null ? new File[0] : parts) {
      try (MapFile.Reader rows = new MapFile.Reader(new Path(part.toURI()), conf)) {
        CrawlDatum row = new CrawlDatum();
        if (rows.get(new Text(url), row) != null) {
          return row;
        }
      }
    }
    return null;
  }

  /** Returns whether the corpus has a page: it has a file only then. */
  private Boolean export(Path segment) throws Exception {
    run(new CorpusExportJob(), at("corpus").toString(), segment.toString());
    try (Stream<java.nio.file.Path> files = Files.walk(new File(root, "corpus").toPath())) {
      return files.anyMatch(file -> file.getFileName().toString().startsWith("corpus-"));
    }
  }

  private void run(Tool tool, String... arguments) throws Exception {
    int code = ToolRunner.run(conf, tool, arguments);
    if (code != 0) {
      throw new IOException("exit code " + code);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    FileUtil.fullyDelete(root);
  }
}
