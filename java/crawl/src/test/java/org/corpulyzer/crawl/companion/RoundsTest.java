package org.corpulyzer.crawl.companion;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.crawl.Generator;
import org.apache.nutch.crawl.Injector;
import org.apache.nutch.fetcher.Fetcher;
import org.apache.nutch.parse.ParseSegment;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.engine.PageKeys;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Rounds of Nutch's own jobs with the plugins, on a web that a proxy on loopback serves. */
public class RoundsTest {
  private static final String URDU =
      "<p>شہری انتظامیہ کے ایک افسر نے بتایا کہ کام اگلے مہینے تک مکمل کر لیا جائے گا اور اس دوران"
          + " گاڑیوں کے لیے متبادل راستہ کھلا رہے گا۔ انہوں نے لوگوں سے درخواست کی کہ وہ کام کے"
          + " دوران تعاون کریں اور احتیاط سے گزریں۔</p>";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private Path crawlDb;
  private Path segments;
  private int port;

  @Test(timeout = 600_000)
  public void sitemapsRedirectsAndUnchangedPagesGoTheirWayThroughCrawlDb() throws Exception {
    crawlDb = folder.getRoot().toPath().resolve("crawldb");
    segments = folder.getRoot().toPath().resolve("segments");
    Path seeds = folder.newFolder("seeds").toPath();
    Files.write(
        seeds.resolve("seeds.txt"),
        "http://a.test/\nhttp://b.test/\n".getBytes(StandardCharsets.UTF_8));
    try (RawServer web = new RawServer(RoundsTest::answer)) {
      port = web.port();
      run(new Injector(), crawlDb.toString(), seeds.toString());

      round(0);
      Map<String, CrawlDatum> rows = rows();
      assertStatus(CrawlDatum.STATUS_DB_FETCHED, rows.get("http://a.test/"));
      assertTrue(Long.parseLong(meta(rows.get("http://a.test/"), PageKeys.TARGET_BYTES)) > 300);
      assertEquals("0", meta(rows.get("http://a.test/map.xml"), PageKeys.LIST_MARK));
      assertStatus(CrawlDatum.STATUS_DB_UNFETCHED, rows.get("http://b.test/"));
      assertEquals(
          "a host without robots.txt for now is asked again later",
          1,
          rows.get("http://b.test/").getRetriesSinceFetch());
      assertEquals(0, web.count("http://b.test/"));
      assertNull(
          "robots.txt forbids it, so it is a row that is not fetched",
          meta(rows.get("http://a.test/private"), PageKeys.LANGUAGES));

      round(0);
      rows = rows();
      assertStatus(CrawlDatum.STATUS_DB_REDIR_PERM, rows.get("http://a.test/old"));
      assertStatus(CrawlDatum.STATUS_DB_UNFETCHED, rows.get("http://a.test/new"));
      assertStatus(CrawlDatum.STATUS_DB_GONE, rows.get("http://a.test/private"));
      assertEquals(0, web.count("/private"));
      assertStatus(CrawlDatum.STATUS_DB_UNFETCHED, rows.get("http://a.test/from-map"));
      assertNull(rows.get("http://elsewhere.test/"));

      round(31);
      rows = rows();
      assertStatus(CrawlDatum.STATUS_DB_NOTMODIFIED, rows.get("http://a.test/"));
      assertNotNull("figures stay", meta(rows.get("http://a.test/"), PageKeys.LANGUAGES));
      assertStatus(CrawlDatum.STATUS_DB_FETCHED, rows.get("http://a.test/from-map"));
      assertTrue(
          Long.parseLong(meta(rows.get("http://a.test/from-map"), PageKeys.TARGET_BYTES)) > 300);
    }
  }

  private static void answer(RawServer.Request request, OutputStream out) throws Exception {
    switch (request.target) {
      case "http://a.test/robots.txt":
        RawServer.head(out, 200, "Content-Type: text/plain");
        out.write(
            "User-agent: *\nDisallow: /private\nSitemap: http://a.test/map.xml\n"
                .getBytes(StandardCharsets.UTF_8));
        break;
      case "http://b.test/robots.txt":
        RawServer.head(out, 503);
        break;
      case "http://a.test/":
        if ("\"1\"".equals(request.headers.get("If-None-Match"))) {
          RawServer.head(out, 304);
        } else {
          RawServer.page(
              out,
              "<title>a</title>" + URDU.repeat(3) + "<a href=/old>x</a><a href=/private>y</a>",
              "ETag: \"1\"");
        }
        break;
      case "http://a.test/map.xml":
        RawServer.head(out, 200, "Content-Type: application/xml");
        out.write(
            ("<urlset"
                 + " xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://a.test/from-map</loc></url>"
                 + "<url><loc>http://elsewhere.test/</loc></url></urlset>")
                .getBytes(StandardCharsets.UTF_8));
        break;
      case "http://a.test/old":
        RawServer.head(out, 301, "Location: /new");
        break;
      default:
        RawServer.page(out, URDU.repeat(3));
    }
  }

  private void round(int days) throws Exception {
    run(
        new Generator(),
        crawlDb.toString(),
        segments.toString(),
        "-adddays",
        Integer.toString(days));
    String segment;
    try (java.util.stream.Stream<Path> all = Files.list(segments)) {
      segment = all.max(java.util.Comparator.naturalOrder()).get().toString();
    }
    run(new Fetcher(), segment);
    run(new ParseSegment(), segment);
    run(new CrawlDb(), crawlDb.toString(), segment);
  }

  private void run(Tool tool, String... args) throws Exception {
    Configuration conf = Plugins.configuration();
    conf.set("hadoop.tmp.dir", folder.getRoot().toPath().resolve("tmp").toString());
    conf.set("http.proxy.host", "127.0.0.1");
    conf.setInt("http.proxy.port", port);
    conf.unset(UrlFilter.ALLOW);
    conf.set("db.parsemeta.to.crawldb", String.join(",", PageKeys.FIGURES));
    assertEquals(tool.getClass().getSimpleName(), 0, ToolRunner.run(conf, tool, args));
  }

  private Map<String, CrawlDatum> rows() throws Exception {
    Map<String, CrawlDatum> rows = new TreeMap<>();
    Configuration conf = NutchConfiguration.create();
    org.apache.hadoop.fs.Path data =
        new org.apache.hadoop.fs.Path(crawlDb.resolve("current/part-r-00000/data").toUri());
    try (SequenceFile.Reader reader =
        new SequenceFile.Reader(conf, SequenceFile.Reader.file(data))) {
      Text url = new Text();
      for (CrawlDatum row = new CrawlDatum(); reader.next(url, row); row = new CrawlDatum()) {
        rows.put(url.toString(), row);
      }
    }
    return rows;
  }

  private static String meta(CrawlDatum row, String key) {
    return row.getMetaData().get(new Text(key)) == null
        ? null
        : row.getMetaData().get(new Text(key)).toString();
  }

  private static void assertStatus(byte status, CrawlDatum row) {
    assertNotNull(row);
    assertEquals(
        row.toString(),
        CrawlDatum.getStatusName(status),
        CrawlDatum.getStatusName(row.getStatus()));
  }
}
