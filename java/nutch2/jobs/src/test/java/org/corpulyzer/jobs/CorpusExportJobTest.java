package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
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
import org.corpulyzer.fixtures.ExportContract;
import org.corpulyzer.fixtures.Printed;
import org.corpulyzer.fixtures.WarcRecords;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TestName;

/** {@link ExportContract} on HBase, and what only rows of a table have. */
public class CorpusExportJobTest extends ExportContract {

  @Rule public final TestName test = new TestName();

  /** Of this test, with two regions. */
  private CrawlForTests crawl;

  private Configuration conf;

  @Before
  public void open() throws Exception {
    crawl = new CrawlForTests(HBaseForTests.shared(), name(), "example.b");
    conf = crawl.conf();
  }

  @After
  public void close() throws IOException {
    crawl.close();
  }

  private String name() {
    return "export-" + test.getMethodName();
  }

  @Override
  protected void store(List<Page> pages) throws IOException {
    for (Page page : pages) {
      crawl.put(page.url, row(page));
    }
    crawl.flush();
  }

  @Override
  protected void set(String key, String value) {
    conf.set(key, value);
  }

  @Override
  protected int run(String... args) throws Exception {
    CorpusExportJob export = new CorpusExportJob();
    export.setConf(conf);
    return export.run(args);
  }

  @Override
  protected String stored() {
    return name() + "_webpage";
  }

  private static WebPage row(Page page) {
    WebPage row = CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "");
    row.setProtocolStatus(ProtocolStatusUtils.STATUS_SUCCESS);
    row.setContent(ByteBuffer.wrap(page.content));
    row.setContentType(new Utf8(page.contentType));
    row.setText(new Utf8(page.text));
    row.setTitle(new Utf8("عنوان"));
    row.setBatchId(new Utf8("1700000000-99"));
    row.setSignature(ByteBuffer.wrap(new byte[] {1, (byte) 0xab}));
    for (int i = 0; i < page.headers.length; i += 2) {
      row.getHeaders().put(new Utf8(page.headers[i]), new Utf8(page.headers[i + 1]));
    }
    page.figures.forEach((key, value) -> CrawlForTests.metadata(row, key, value));
    CrawlForTests.metadata(row, "_ip_", "127.0.0.1");
    return row;
  }

  private static WebPage row(String decision, String text) {
    return row(new Page("", decision, text));
  }

  @Test
  public void rowsThatAreNoPagesAreCounted() throws Exception {
    long before = System.currentTimeMillis();
    WebPage unchanged = row("keep", "unchanged");
    unchanged.setStatus((int) CrawlStatus.STATUS_NOTMODIFIED);
    crawl.put("http://a.example/", unchanged);
    WebPage withoutContent = row("keep", "no content");
    withoutContent.setContent(null);
    crawl.put("http://c.example/", withoutContent);
    WebPage gone = row("keep", "gone");
    gone.setStatus((int) CrawlStatus.STATUS_GONE);
    crawl.put("http://c.example/gone", gone);
    crawl.put("http://c.example/unparsed", CrawlForTests.page(CrawlStatus.STATUS_FETCHED, null));
    crawl.put("http://c.example/unfetched", CrawlForTests.page(CrawlStatus.STATUS_UNFETCHED, null));
    crawl.putKey("no host at all", row("keep", "malformed"));
    crawl.flush();
    String said = export(file("kept").getPath());
    assertTrue(said, said.startsWith("CorpusExportJob: 2 pages of " + stored() + " in 2 files, "));
    assertTrue(said, said.contains("\n  1 rows have a key that is no reversed URL\n"));
    String line = lines(file("kept"), ".jsonl.gz").get(0);
    String time = line.replaceAll("(?s).*\"fetch_time\":\"([^\"]*)\".*", "$1");
    // Gora dates a put a millisecond back, so that it comes after its delete.
    assertTrue(
        time,
        Instant.parse(time).toEpochMilli() >= before - 1
            && Instant.parse(time).toEpochMilli() <= System.currentTimeMillis());
    assertEquals("1700000000", field(line, "round"));
    said = export("-all", file("all").getPath());
    assertTrue(said, said.contains("\n  1 more were fetched and not parsed with the plugin\n"));
    said = export("-format", "warc", file("warc").getPath());
    assertTrue(
        said,
        said.startsWith("CorpusExportJob: 1 pages ")
            && said.contains("\n  1 more have no stored content (fetcher.store.content)"));
    WarcRecords records = new WarcRecords(files(file("warc"), ".warc.gz"));
    assertFalse("only figures", records.body("metadata http://a.example/").contains("_ip_"));
    assertTrue(records.body("warcinfo").contains("isPartOf: " + stored() + "\r\n"));
    export("-format", "wet", file("wet").getPath());
    WarcRecords texts = new WarcRecords(files(file("wet"), ".warc.wet.gz"));
    assertEquals("text needs no content", "no content", texts.body("conversion http://c.example/"));
  }

  /**
   * The report of the command over an export equals the report of the job over the table, except
   * for the name of the corpus.
   */
  @Test
  public void aReportOnAllPagesIsTheReportOfTheTable() throws Exception {
    Random random = new Random(3);
    for (int number = 0; number < 60; number++) {
      StringBuilder text = new StringBuilder("صفحہ ");
      for (int words = 5 + random.nextInt(60); words > 0; words--) {
        text.append("لفظ").append(random.nextInt(40)).append(words % 9 == 0 ? "۔\n" : " ");
      }
      WebPage page = row(number % 4 == 0 ? "reject x" : "keep y", text.toString().trim());
      page.setBatchId(new Utf8(number % 2 == 0 ? "1700000000-99" : "round-7-1700000000123"));
      byte[] signature = new byte[16];
      signature[0] = (byte) (number % 50);
      page.setSignature(ByteBuffer.wrap(signature));
      crawl.put("http://h" + number % 7 + ".example/" + number, page);
    }
    crawl.flush();
    export("-all", file("pages").getPath());
    CorpusReportJob report = new CorpusReportJob();
    report.setConf(conf);
    assertEquals(0, report.run(new String[] {file("by-job").getPath()}));

    File log = file("report.log");
    int code =
        new ProcessBuilder(
                System.getProperty("corpulyzer.programs") + "/corpulyzer",
                "report",
                file("pages").getPath(),
                "--language",
                "ur",
                "--out",
                file("by-command").getPath())
            .redirectErrorStream(true)
            .redirectOutput(log)
            .start()
            .waitFor();
    assertEquals(new String(Files.readAllBytes(log.toPath()), StandardCharsets.UTF_8), 0, code);
    assertEquals(figures(file("by-job")), figures(file("by-command")));
  }

  private static String figures(File report) throws IOException {
    String json =
        new String(
            Files.readAllBytes(new File(report, "report.json").toPath()), StandardCharsets.UTF_8);
    return json.substring(json.indexOf("\"figures\""), json.indexOf("\"ranking\""));
  }

  @Test
  public void whateverStandsInARowTheFilesAreValid() throws Exception {
    WebPage page = row("keep", "text");
    page.setContentType(new Utf8("text/plain"));
    char[] query = new char[10_000];
    Arrays.fill(query, 'x');
    String longest = "http://a.example/?" + new String(query);
    for (String url : new String[] {"http://a.example/", "ftp://a.example/file", longest}) {
      crawl.put(url, page);
    }
    crawl.flush();
    try (Connection connection = HBase.connect(conf);
        Table table = connection.getTable(WebTable.of(conf).name())) {
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
    String said = export(file("jsonl").getPath());
    assertTrue(
        said,
        said.startsWith("CorpusExportJob: 4 pages ")
            && said.contains("\n  2 rows have a key that is no reversed URL"));
    assertEquals(urls, new TreeSet<>(urls(file("jsonl"))));
    export("-format", "warc", file("warc").getPath());
    WarcRecords records = new WarcRecords(files(file("warc"), ".warc.gz"));
    assertEquals(urls.size(), records.pages().size());
    assertEquals(
        "a file of no HTTP server has no HTTP head",
        "<p>text",
        records.body("resource ftp://a.example/file"));
    assertEquals(
        Collections.singletonList("text/plain"),
        records.headers.get("resource ftp://a.example/file").get("Content-Type"));
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
  public void regionServersReadNoContentThatIsNotAskedFor() throws Exception {
    WebTablePage page = new WebTablePage(conf);
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

  @Test
  public void aTableThatIsNotThereIsNamed() throws Exception {
    assertTrue(
        refused("-crawlId", "nobody", file("out").getPath())
            .startsWith("HBase has no table 'nobody_webpage'"));
    String said = Printed.err(() -> assertEquals(2, run()));
    assertTrue(said, said.startsWith("CorpusExportJob: <out> is missing.\nUsage: "));
    assertEquals(2, run(file("out").getPath(), "more"));
    assertFalse(file("out").exists());
  }
}
