package org.corpulyzer.jobs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.apache.avro.util.Utf8;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.protocol.ProtocolStatusUtils;
import org.apache.nutch.storage.WebPage;
import org.corpulyzer.corpus.DocumentFormat;
import org.corpulyzer.corpus.JobFailedException;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.engine.Statement;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.netpreserve.jwarc.HttpResponse;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcResponse;
import org.netpreserve.jwarc.WarcTargetRecord;
import org.netpreserve.jwarc.WarcTruncationReason;
import org.netpreserve.jwarc.Warcinfo;

public class CorpusExportJobTest {

  private static final String TEXT = "یہ \"اردو\" ہے۔\nدوسری سطر\twith \\ and \u2028 𐍈";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  /** A page as the fetcher and the parser leave it. */
  private static WebPage page(String decision, String text, String content, String... headers) {
    WebPage page = CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "urd:60,eng:9,und:3");
    page.setProtocolStatus(ProtocolStatusUtils.STATUS_SUCCESS);
    page.setContent(content == null ? null : ByteBuffer.wrap(utf8(content)));
    page.setContentType(new Utf8("text/html"));
    page.setText(new Utf8(text));
    page.setTitle(new Utf8("عنوان"));
    page.setBatchId(new Utf8("1700000000-99"));
    page.setSignature(ByteBuffer.wrap(new byte[] {1, (byte) 0xab}));
    for (int i = 0; i < headers.length; i += 2) {
      page.getHeaders().put(new Utf8(headers[i]), new Utf8(headers[i + 1]));
    }
    CrawlForTests.metadata(page, PageKeys.DECISION, decision);
    CrawlForTests.metadata(page, PageKeys.RAW_BYTES, "1234");
    CrawlForTests.metadata(page, PageKeys.VISIBLE_BYTES, "99");
    CrawlForTests.metadata(page, PageKeys.MAIN_BYTES, "72");
    CrawlForTests.metadata(page, PageKeys.LANGUAGE_SET, "urd:87,eng:13");
    CrawlForTests.metadata(page, PageKeys.CHARSET, "utf-8");
    CrawlForTests.metadata(page, PageKeys.VERSION, "2 web-am/1");
    CrawlForTests.metadata(page, "_ip_", "127.0.0.1");
    return page;
  }

  /**
   * Pages of every sort on three hosts; the regions of most tests begin at b.example and c.example.
   */
  private static void fill(CrawlForTests crawl) throws IOException {
    crawl.put("http://a.example/", page("keep 60 bytes", TEXT, "<p>" + TEXT));
    WebPage unchanged = page("keep", "unchanged", "<p>unchanged");
    unchanged.setStatus((int) CrawlStatus.STATUS_NOTMODIFIED);
    crawl.put("http://a.example:8080/x?y=1", unchanged);
    crawl.put(
        "http://a.example/keeper",
        page("keeper of nothing", "its decision only begins like keep", "<p>x"));
    crawl.put("http://b.example/rejected", page("reject too few bytes", "rejected", "<p>rejected"));
    crawl.put("http://b.example/noindex", page("reject noindex", "", "<p>noindex"));
    crawl.put("http://b.example/empty", page("keep", "", "<p>"));
    crawl.put("http://c.example/", page("keep", "no content", null));
    WebPage gone = page("keep", "gone", "<p>gone");
    gone.setStatus((int) CrawlStatus.STATUS_GONE);
    crawl.put("http://c.example/gone", gone);
    crawl.put("http://c.example/unparsed", CrawlForTests.page(CrawlStatus.STATUS_FETCHED, null));
    crawl.put("http://c.example/unfetched", CrawlForTests.page(CrawlStatus.STATUS_UNFETCHED, null));
    crawl.putKey("no host at all", page("keep", "malformed", "<p>malformed"));
    crawl.flush();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the standard output of the command, which must succeed. */
  private static String export(Configuration conf, String... args) throws Exception {
    CorpusExportJob export = new CorpusExportJob();
    export.setConf(conf);
    PrintStream stdout = System.out;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try {
      System.setOut(new PrintStream(said, true, "UTF-8"));
      assertEquals(0, export.run(args));
    } finally {
      System.setOut(stdout);
    }
    return said.toString("UTF-8");
  }

  private interface Action {
    void run() throws Exception;
  }

  /** Returns the text that the action writes to standard error. */
  private static String error(Action action) throws Exception {
    PrintStream stderr = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try {
      System.setErr(new PrintStream(said, true, "UTF-8"));
      action.run();
    } finally {
      System.setErr(stderr);
    }
    return said.toString("UTF-8");
  }

  private File out(String name) {
    return new File(folder.getRoot(), name);
  }

  private static List<File> files(File out, String extension) {
    File[] files =
        out.listFiles((dir, name) -> name.startsWith("corpus-") && name.endsWith(extension));
    Arrays.sort(files);
    return Arrays.asList(files);
  }

  private static List<String> lines(File out, String extension) throws IOException {
    List<String> lines = new ArrayList<>();
    for (File file : files(out, extension)) {
      try (BufferedReader in =
          new BufferedReader(
              new InputStreamReader(
                  new GZIPInputStream(Files.newInputStream(file.toPath())),
                  StandardCharsets.UTF_8))) {
        for (String line; (line = in.readLine()) != null; ) {
          lines.add(line);
        }
      }
    }
    return lines;
  }

  private static List<String> urls(List<String> lines) {
    List<String> urls = new ArrayList<>();
    for (String line : lines) {
      urls.add(line.replaceAll("(?s).*\"url\":\"([^\"]*)\".*", "$1"));
    }
    return urls;
  }

  @Test
  public void decisionsOfAnotherTargetAreMadeAgain() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(HBaseForTests.shared(), "export-target")) {
      crawl.put("http://a.example/", page("keep 60 bytes of urd, 50 wanted", TEXT, "<p>" + TEXT));
      WebPage sindhi = page("reject 0 bytes of urd, 50 wanted", "سنڌي", "<p>x");
      CrawlForTests.metadata(sindhi, PageKeys.LANGUAGES, "snd:90,eng:9");
      crawl.put("http://b.example/", sindhi);
      crawl.flush();
      Configuration conf = crawl.conf();
      conf.set(Settings.PAGE_MIN_BYTES, "50");
      export(conf, out("target-ur").getPath());
      assertEquals(
          Collections.singletonList("http://a.example/"),
          urls(lines(out("target-ur"), ".jsonl.gz")));
      conf.set(Settings.LANGUAGE_TARGET, "sd");
      export(conf, out("target-sd").getPath());
      assertEquals(
          Collections.singletonList("http://b.example/"),
          urls(lines(out("target-sd"), ".jsonl.gz")));
    }
  }

  @Test
  public void keptPagesOfAllRegionsAreLinesWithTextAndFigures() throws Exception {
    try (CrawlForTests crawl =
        new CrawlForTests(HBaseForTests.shared(), "export", "example.b", "example.c")) {
      long before = System.currentTimeMillis();
      fill(crawl);
      String said = export(crawl.conf(), out("kept").getPath());

      List<String> lines = lines(out("kept"), ".jsonl.gz");
      assertEquals(
          Arrays.asList("http://a.example/", "http://a.example:8080/x?y=1", "http://c.example/"),
          urls(lines));
      assertTrue(said, said.startsWith("CorpusExportJob: 3 pages of export_webpage in 2 files, "));
      assertTrue(
          said,
          said.contains(
              "\n  1 more have no text (nothing is main content, or they forbid indexing)\n"));
      assertTrue(said, said.contains("\n  1 rows have a key that is no reversed URL\n"));
      String line = lines.get(0);
      String time = line.replaceAll("(?s).*\"fetch_time\":\"([^\"]*)\".*", "$1");
      // Gora dates a put a millisecond back, so that it comes after its delete.
      assertTrue(
          time,
          Instant.parse(time).toEpochMilli() >= before - 1
              && Instant.parse(time).toEpochMilli() <= System.currentTimeMillis());
      assertEquals(
          "{\"id\":\"example.a:http/\",\"url\":\"http://a.example/\",\"host\":\"a.example\",\"fetch_time\":\""
              + time
              + "\",\"round\":1700000000,\"title\":\"عنوان\",\"text\":\"یہ \\\"اردو\\\" ہے۔\\n"
              + "دوسری سطر\\twith \\\\ and \u2028 𐍈\","
              + "\"charset\":\"utf-8\",\"content_type\":\"text/html\",\"raw_bytes\":1234,\"visible_bytes\":99,\"main_bytes\":72,\"languages\":{\"urd\":60,\"eng\":9,\"und\":3},\"language_set\":{\"urd\":87,\"eng\":13},\"decision\":\"keep"
              + " 60 bytes\",\"record_version\":\"2 web-am/1\",\"signature\":\"01ab\"}",
          line.replace("\\u2028", "\u2028").replace("\\uD800\\uDF48", "𐍈"));

      said = export(crawl.conf(), "-all", "-format", "jsonl", out("all").getPath());
      assertEquals(
          Arrays.asList(
              "http://a.example/",
              "http://a.example/keeper",
              "http://a.example:8080/x?y=1",
              "http://b.example/rejected",
              "http://c.example/"),
          urls(lines(out("all"), ".jsonl.gz")));
      assertTrue(
          said,
          said.contains("\n  2 of these were rejected by the parser\n")
              && said.contains("\n  2 more have no text ")
              && said.contains("\n  1 more were fetched and not parsed with the plugin\n"));

      export(crawl.conf(), "-format", "text", out("text").getPath());
      List<String> expected = new ArrayList<>(Arrays.asList(TEXT.split("\n")));
      expected.addAll(Arrays.asList("", "unchanged", "", "no content", ""));
      assertEquals(expected, lines(out("text"), ".txt.gz"));
    }
  }

  @Test
  public void pagesInAnotherLanguageOrWithMoreOfItNeedNoNewParse() throws Exception {
    try (CrawlForTests crawl =
        new CrawlForTests(HBaseForTests.shared(), "export-language", "example.b")) {
      String[] languages = {
        "urd:900,skr:300", "urd:300,skr:299", "skr:5000", "eng:900", "skr:x", "skr:700"
      };
      for (int i = 0; i < languages.length; i++) {
        WebPage page =
            page(languages[i].startsWith("urd") ? "keep" : "reject", "text " + i, "<p>" + i);
        CrawlForTests.metadata(page, PageKeys.LANGUAGES, languages[i]);
        if (i == 5) {
          CrawlForTests.metadata(page, PageKeys.JUNK, "letters");
        }
        crawl.put("http://" + "abc".charAt(i % 3) + ".example/" + i, page);
      }
      crawl.flush();
      export(crawl.conf(), "-language", "skr", "-minBytes", "300", out("skr").getPath());
      assertEquals(
          Arrays.asList("http://a.example/0", "http://c.example/2"),
          urls(lines(out("skr"), ".jsonl.gz")));
      export(crawl.conf(), "-minBytes", "301", "-format", "warc", out("more").getPath());
      assertEquals(
          Collections.singletonList("http://a.example/0"),
          new ArrayList<>(new TreeSet<>(new Records(files(out("more"), ".warc.gz")).targets)));
      export(crawl.conf(), "-language", "en", out("en").getPath());
      assertEquals(
          "by the threshold of the settings",
          Collections.singletonList("http://a.example/3"),
          urls(lines(out("en"), ".jsonl.gz")));
      CorpusExportJob export = new CorpusExportJob();
      export.setConf(crawl.conf());
      assertTrue(
          assertThrows(
                  CorpulyzerException.class,
                  () -> export.run(new String[] {"-language", "xx", out("xx").getPath()}))
              .getMessage()
              .contains("'xx'"));
    }
  }

  /**
   * The report of the command over an export equals the report of the job over the table, except
   * for the name of the corpus.
   */
  @Test
  public void aReportOnAllPagesIsTheReportOfTheTable() throws Exception {
    try (CrawlForTests crawl =
        new CrawlForTests(HBaseForTests.shared(), "export-report", "example.h4")) {
      Random random = new Random(3);
      for (int number = 0; number < 60; number++) {
        StringBuilder text = new StringBuilder("صفحہ ");
        for (int words = 5 + random.nextInt(60); words > 0; words--) {
          text.append("لفظ").append(random.nextInt(40)).append(words % 9 == 0 ? "۔\n" : " ");
        }
        WebPage page = page(number % 4 == 0 ? "reject x" : "keep y", text.toString().trim(), "<p>");
        page.setBatchId(new Utf8(number % 2 == 0 ? "1700000000-99" : "round-7-1700000000123"));
        byte[] signature = new byte[16];
        signature[0] = (byte) (number % 50);
        page.setSignature(ByteBuffer.wrap(signature));
        crawl.put("http://h" + number % 7 + ".example/" + number, page);
      }
      crawl.flush();
      export(crawl.conf(), "-all", out("pages").getPath());
      CorpusReportJob report = new CorpusReportJob();
      report.setConf(crawl.conf());
      assertEquals(0, report.run(new String[] {out("by-job").getPath()}));

      File log = out("report.log");
      int code =
          new ProcessBuilder(
                  System.getProperty("corpulyzer.root") + "/target/release/corpulyzer",
                  "report",
                  out("pages").getPath(),
                  "--language",
                  "ur",
                  "--out",
                  out("by-command").getPath())
              .redirectErrorStream(true)
              .redirectOutput(log)
              .start()
              .waitFor();
      assertEquals(new String(Files.readAllBytes(log.toPath()), StandardCharsets.UTF_8), 0, code);
      assertEquals(figures(out("by-job")), figures(out("by-command")));
    }
  }

  private static String figures(File report) throws IOException {
    String json =
        new String(
            Files.readAllBytes(new File(report, "report.json").toPath()), StandardCharsets.UTF_8);
    return json.substring(json.indexOf("\"figures\""), json.indexOf("\"ranking\""));
  }

  /**
   * The records of an export's files, with what is to be known of them after the file is closed.
   */
  private static final class Records {
    private final List<String> types = new ArrayList<>();
    private final List<String> targets = new ArrayList<>();
    private final Set<String> ids = new TreeSet<>();
    private final Map<String, byte[]> bodies = new HashMap<>();
    private final Map<String, Map<String, List<String>>> headers = new HashMap<>();
    private final Map<String, Map<String, List<String>>> http = new HashMap<>();
    private final Set<String> truncated = new HashSet<>();

    Records(List<File> files) throws IOException {
      for (File file : files) {
        try (WarcReader reader = new WarcReader(file.toPath())) {
          reader.calculateBlockDigest();
          reader.onWarning(
              warning -> {
                throw new AssertionError(warning);
              });
          for (WarcRecord record : reader) {
            read(record, file);
          }
        }
      }
    }

    private void read(WarcRecord record, File file) throws IOException {
      types.add(record.type());
      assertTrue(
          "ids are there once", record instanceof Warcinfo || ids.add(record.id().toString()));
      String name = record.type();
      if (record instanceof WarcTargetRecord) {
        String target = ((WarcTargetRecord) record).target();
        targets.add(target);
        name += " " + target;
      } else {
        assertEquals(file.getName(), record.headers().first("WARC-Filename").get());
      }
      headers.put(name, record.headers().map());
      if (!record.truncated().equals(WarcTruncationReason.NOT_TRUNCATED)) {
        truncated.add(name);
      }
      if (record instanceof WarcResponse) {
        HttpResponse answer = ((WarcResponse) record).http();
        assertEquals(200, answer.status());
        http.put(name, answer.headers().map());
        bodies.put(name, all(answer.body().stream()));
      } else {
        bodies.put(name, all(record.body().stream()));
      }
      assertEquals(name, record.blockDigest(), record.calculatedBlockDigest());
    }

    String body(String name) {
      return new String(bodies.get(name), StandardCharsets.UTF_8);
    }

    private static byte[] all(InputStream in) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      byte[] buffer = new byte[4096];
      for (int count; (count = in.read(buffer)) >= 0; ) {
        bytes.write(buffer, 0, count);
      }
      return bytes.toByteArray();
    }
  }

  @Test
  public void warcHasThePageAsFetchedAndItsFiguresForAnyReader() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(HBaseForTests.shared(), "warc", "example.b")) {
      fill(crawl);
      byte[] latin =
          new byte[] {
            '<', 'p', '>', (byte) 0xe9, 0, '\r', '\n', '\r', '\n', 'W', 'A', 'R', 'C', '/'
          };
      WebPage odd =
          page(
              "keep",
              "odd",
              "",
              "Content-Encoding",
              "gzip",
              "transfer-encoding",
              "chunked",
              "Content-Length",
              "7",
              "Content-Type",
              "text/html; charset=iso-8859-1",
              "X-Evil",
              "a\r\nWARC/1.0\r\n\r\nb",
              "no name",
              "x",
              "Server",
              "سرور");
      odd.setContent(ByteBuffer.wrap(latin));
      crawl.put("http://d.example/a b<c>%20کتاب", odd);
      WebPage cut = page("keep", "cut", "<p>cut", "content-length", "5000");
      crawl.put("http://d.example/cut", cut);
      crawl.flush();
      String said = export(crawl.conf(), "-format", "warc", out("warc").getPath());
      assertTrue(
          said,
          said.startsWith("CorpusExportJob: 4 pages ")
              && said.contains("\n  1 more have no stored content (fetcher.store.content)"));

      Records records = new Records(files(out("warc"), ".warc.gz"));
      assertEquals(
          Arrays.asList(
              "warcinfo",
              "response",
              "metadata",
              "response",
              "metadata",
              "warcinfo",
              "response",
              "metadata",
              "response",
              "metadata"),
          records.types);
      String oddUrl = "http://d.example/a%20b%3Cc%3E%20%DA%A9%D8%AA%D8%A7%D8%A8";
      assertEquals(
          new TreeSet<>(
              Arrays.asList(
                  "http://a.example/",
                  "http://a.example:8080/x?y=1",
                  oddUrl,
                  "http://d.example/cut")),
          new TreeSet<>(records.targets));
      assertEquals("<p>" + TEXT, records.body("response http://a.example/"));
      assertArrayEquals(latin, records.bodies.get("response " + oddUrl));
      Map<String, List<String>> http = records.http.get("response " + oddUrl);
      assertEquals(Collections.singletonList("gzip"), http.get("X-Crawler-Content-Encoding"));
      assertEquals(Collections.singletonList("chunked"), http.get("X-Crawler-transfer-encoding"));
      assertEquals(Collections.singletonList("7"), http.get("X-Crawler-Content-Length"));
      assertEquals(
          Collections.singletonList(String.valueOf(latin.length)), http.get("Content-Length"));
      assertEquals(Collections.singletonList("a WARC/1.0 b"), http.get("X-Evil"));
      assertEquals(
          Collections.singletonList("text/html; charset=iso-8859-1"), http.get("Content-Type"));
      assertEquals(
          new HashSet<>(Collections.singletonList("response http://d.example/cut")),
          records.truncated);
      assertEquals(
          Collections.singletonList("urd,eng"),
          records.headers.get("response " + oddUrl).get("WARC-Identified-Content-Language"));
      String figures = records.body("metadata http://a.example/");
      assertTrue(
          figures,
          figures.contains("crp.d: keep 60 bytes\r\n")
              && figures.contains("crp.l: urd:60,eng:9,und:3\r\n"));
      assertFalse("only figures", figures.contains("_ip_"));
      assertTrue(
          records.body("warcinfo"),
          records.body("warcinfo").contains("isPartOf: warc_webpage\r\n"));

      export(crawl.conf(), "-format", "warc", out("again").getPath());
      assertEquals("ids stay", records.ids, new Records(files(out("again"), ".warc.gz")).ids);
      export(crawl.conf(), "-format", "wet", out("wet").getPath());
      Records texts = new Records(files(out("wet"), ".warc.wet.gz"));
      assertEquals(TEXT, texts.body("conversion http://a.example/"));
      assertTrue(
          "a conversion names the response that it is made from",
          records.ids.contains(
              texts
                  .headers
                  .get("conversion http://a.example/")
                  .get("WARC-Refers-To")
                  .get(0)
                  .replaceAll("[<>]", "")));
      assertEquals(
          "text needs no content", "no content", texts.body("conversion http://c.example/"));
      assertTrue(Collections.disjoint(texts.ids, records.ids));
    }
  }

  @Test
  public void whateverStandsInARowTheFilesAreValid() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(HBaseForTests.shared(), "export-odd")) {
      WebPage page = page("keep", "text", "<p>text");
      page.setContentType(new Utf8("text/plain"));
      char[] query = new char[10_000];
      Arrays.fill(query, 'x');
      String longest = "http://a.example/?" + new String(query);
      for (String url : new String[] {"http://a.example/", "ftp://a.example/file", longest}) {
        crawl.put(url, page);
      }
      crawl.flush();
      try (Connection connection = HBase.connect(crawl.conf());
          Table table = connection.getTable(WebTable.of(crawl.conf()).name())) {
        Result row = table.get(new Get(HBase.utf8("example.a:http/")));
        // Of the same host as the row before, so that its key is looked at no further.
        for (int last = 0xfe; last <= 0xff; last++) {
          table.put(
              copy(
                  row,
                  Bytes.add(HBase.utf8("example.a:http/"), new byte[] {(byte) 0xff, (byte) last})));
        }
        byte[] family = HBase.utf8("h");
        byte[] odd = {'a', 0, '\n', (byte) 0xff, '\r', '\n', '\r', '\n'};
        table.put(
            copy(row, HBase.utf8("example.a:http/odd"))
                .addColumn(family, odd, odd)
                .addColumn(family, HBase.utf8("X"), odd)
                .addColumn(HBase.utf8("mtdt"), Bytes.add(HBase.utf8("crp."), odd), odd)
                .addColumn(HBase.utf8("f"), HBase.utf8("typ"), odd)
                .addColumn(HBase.utf8("p"), HBase.utf8("t"), odd));
        table.put(
            copy(row, HBase.utf8("example.a:http/status"))
                .addColumn(HBase.utf8("f"), HBase.utf8("st"), new byte[] {0, 0, 2}));
      }
      Set<String> urls =
          new TreeSet<>(
              Arrays.asList(
                  "ftp://a.example/file", "http://a.example/", longest, "http://a.example/odd"));
      String said = export(crawl.conf(), out("jsonl").getPath());
      assertTrue(
          said,
          said.startsWith("CorpusExportJob: 4 pages ")
              && said.contains("\n  2 rows have a key that is no reversed URL"));
      assertEquals(urls, new TreeSet<>(urls(lines(out("jsonl"), ".jsonl.gz"))));
      export(crawl.conf(), "-format", "wet", out("wet").getPath());
      Records texts = new Records(files(out("wet"), ".warc.wet.gz"));
      export(crawl.conf(), "-format", "warc", out("warc").getPath());
      Records records = new Records(files(out("warc"), ".warc.gz"));
      assertEquals(urls, new TreeSet<>(records.targets));
      assertEquals(
          "a file of no HTTP server has no HTTP head",
          "<p>text",
          records.body("resource ftp://a.example/file"));
      assertEquals(
          Collections.singletonList("text/plain"),
          records.headers.get("resource ftp://a.example/file").get("Content-Type"));
      assertFalse(
          "its payload is its block",
          records.headers.get("resource ftp://a.example/file").containsKey("WARC-Payload-Digest"));
      assertTrue(
          records.ids.contains(
              texts
                  .headers
                  .get("conversion ftp://a.example/file")
                  .get("WARC-Refers-To")
                  .get(0)
                  .replaceAll("[<>]", "")));
    }
  }

  private static Put copy(Result row, byte[] key) throws IOException {
    Put put = new Put(key);
    for (Cell cell : row.rawCells()) {
      put.addColumn(
          CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell), CellUtil.cloneValue(cell));
    }
    return put;
  }

  @Test
  public void aFailedExportLeavesNothingInTheWayOfTheNext() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(HBaseForTests.shared(), "export-failed")) {
      fill(crawl);
      Configuration conf = new Configuration(crawl.conf());
      // Only tasks read it.
      conf.set("crp.export.fileMiB", "no number");
      CorpusExportJob export = new CorpusExportJob();
      export.setConf(conf);
      String message =
          assertThrows(
                  JobFailedException.class, () -> export.run(new String[] {out("again").getPath()}))
              .getMessage();
      assertTrue(
          message,
          message.endsWith(
              " failed: java.lang.NumberFormatException: For input string: \"no number\"."));
      assertFalse(out("again").exists());
      assertTrue(
          export(crawl.conf(), out("again").getPath()).startsWith("CorpusExportJob: 3 pages "));
    }
  }

  @Test
  public void anotherFileBeginsAtTheSize() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(HBaseForTests.shared(), "export-size")) {
      Random random = new Random(5);
      for (int number = 0; number < 9; number++) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 500_000; i++) {
          text.append((char) ('a' + random.nextInt(26)));
        }
        crawl.put("http://a.example/" + number, page("keep", text.toString(), "<p>"));
      }
      crawl.flush();
      String said = export(crawl.conf(), "-fileSize", "1", out("parts").getPath());
      // Half a million letters are 300 kB, so a file is full with its fourth page.
      assertTrue(said, said.contains("9 pages of export-size_webpage in 3 files, "));
      List<File> files = files(out("parts"), ".jsonl.gz");
      assertEquals(
          "corpus-m-00000-00000.jsonl.gz corpus-m-00000-00001.jsonl.gz"
              + " corpus-m-00000-00002.jsonl.gz",
          files.get(0).getName() + " " + files.get(1).getName() + " " + files.get(2).getName());
      assertEquals(9, new HashSet<>(urls(lines(out("parts"), ".jsonl.gz"))).size());
    }
  }

  @Test
  public void regionServersReadNoContentThatIsNotAskedFor() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(HBaseForTests.shared(), "export-scan")) {
      fill(crawl);
      WebTablePage page = new WebTablePage(crawl.conf());
      Scan scan = page.scan(DocumentFormat.jsonl);
      assertFalse(scan.getFamilyMap().get(HBase.utf8("f")).contains(HBase.utf8("cnt")));
      scan = page.scan(DocumentFormat.warc);
      assertTrue(scan.getFamilyMap().get(HBase.utf8("f")).contains(HBase.utf8("cnt")));
      page.onlyKeptOrIn(scan, "urd");
      assertTrue(
          scan.doLoadColumnFamiliesOnDemand()
              && scan.getFilter().isFamilyEssential(HBase.utf8("mtdt"))
              && !scan.getFilter().isFamilyEssential(HBase.utf8("f")));
    }
  }

  @Test
  public void everyStatementOfAPageIsScannedAndWritten() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(HBaseForTests.shared(), "export-stated")) {
      Scan scan = new WebTablePage(crawl.conf()).scan(DocumentFormat.jsonl);
      WebPage page = page("keep", "text", "<p>text");
      for (Statement statement : Statement.values()) {
        CrawlForTests.metadata(page, statement.key(), statement.isJson() ? "[]" : "stated");
        assertTrue(
            statement.key() + " is no column of the scan",
            scan.getFamilyMap().get(HBase.utf8("mtdt")).contains(HBase.utf8(statement.key())));
      }
      crawl.put("http://a.example/", page);
      crawl.flush();
      export(crawl.conf(), out("out").getPath());
      String line = lines(out("out"), ".jsonl.gz").get(0);
      for (Statement statement : Statement.values()) {
        String value = statement.isJson() ? "[]" : "\"stated\"";
        assertTrue(line, line.contains("\"" + statement.field() + "\":" + value));
      }
    }
  }

  @Test
  public void whatIsWrongStopsBeforeAnyTaskWithASentence() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(HBaseForTests.shared(), "export-wrong")) {
      CorpusExportJob export = new CorpusExportJob();
      String out = out("out").getPath();
      for (String[] wrong :
          new String[][] {
            {},
            {"-format", "xml", out},
            {"-fileSize", "0", out},
            {"-what", out},
            {out, "more"},
            {"-all", "-language", "ur", out},
            {"-minBytes", "-1", out}
          }) {
        export.setConf(crawl.conf());
        assertEquals(Arrays.toString(wrong), -1, export.run(wrong));
      }
      assertTrue(
          error(() -> export.run(new String[] {"-format", "xml", out}))
              .startsWith("CorpusExportJob: '-format xml' is not allowed.\nUsage: "));
      assertTrue(
          error(() -> export.run(new String[] {}))
              .startsWith("CorpusExportJob: <out> is missing.\nUsage: "));
      String there = folder.newFolder("there").getPath();
      assertEquals(
          "The output " + there + " exists already: name a new folder.",
          assertThrows(CorpulyzerException.class, () -> export.run(new String[] {there}))
              .getMessage());
      assertTrue(
          assertThrows(
                  CorpulyzerException.class,
                  () -> export.run(new String[] {"-crawlId", "nobody", out}))
              .getMessage()
              .startsWith("HBase has no table 'nobody_webpage'"));
      assertFalse(new File(out).exists());
      String killed = folder.newFolder("killed").getPath();
      folder.newFolder("killed", "_temporary");
      assertEquals(
          "The output "
              + killed
              + " is of a job that runs or was killed: delete it when none runs, or name another.",
          assertThrows(CorpulyzerException.class, () -> export.run(new String[] {killed}))
              .getMessage());
      assertTrue(
          export(crawl.conf(), out)
              .startsWith("CorpusExportJob: 0 pages of export-wrong_webpage in 0 files, 0.0 MB: "));
    }
  }
}
