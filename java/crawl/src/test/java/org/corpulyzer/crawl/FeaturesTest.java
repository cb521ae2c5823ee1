package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.corpulyzer.crawl.companion.RawServer;
import org.corpulyzer.engine.PageKeys;
import org.junit.Rule;
import org.junit.Test;

/** Tests the features of docs/crawler.md, each in a whole crawl. */
public class FeaturesTest {
  private static final String DATE = "Tue, 15 Nov 1994 12:45:26 GMT";
  private static final String ETAG = "ETag: \"v1\"";

  /** Of a page, as in docs/crawler.md. */
  private static final int MAX_LINKS = 200;

  private static final String ODT = "application/vnd.oasis.opendocument.text";

  @Rule public final TestCrawl folder = new TestCrawl();

  @Test(timeout = 200_000)
  public void sitemapsFeedsAlternatesCodingsAndDocumentsBringPages() throws Exception {
    try (RawServer web = new RawServer(FeaturesTest::answer)) {
      crawl(
          "http://a.test/\nhttp://b.test/\n",
          "--proxy",
          "127.0.0.1:" + web.port(),
          "--rounds",
          "5",
          "--documents",
          "--frontier");
      assertTrue(
          "a list without its mark",
          Files.readAllLines(folder.out().resolve(Frontier.FILE)).stream()
              .anyMatch(line -> line.matches("http://a.test/more.xml\t.*\ta sitemap or feed")));
      Set<String> asked =
          web.requests.stream().map(request -> request.target).collect(Collectors.toSet());
      String corpus = String.join("\n", Corpus.lines(folder.corpus()));
      for (String page :
          new String[] {
            "a.test/",
            "a.test/ur/",
            "a.test/map/1",
            "a.test/map/ur/1",
            "a.test/map/2",
            "a.test/rss/1",
            "b.test/",
            "b.test/atom/1",
            "a.test/text.odt"
          }) {
        assertTrue(page + " of " + asked + folder.output(), asked.contains("http://" + page));
        assertTrue(page + " of " + corpus, corpus.contains("\"url\":\"http://" + page + "\""));
      }
      assertFalse(asked.contains("http://a.test/private"));
    }
  }

  @Test(timeout = 400_000)
  public void documentsAreCollectedFromAWarcFileAsTheCrawlHasThem() throws Exception {
    String links = "<a href=/1.odt>x</a><a href=/reserved.odt>x</a><a href=/hidden.odt>x</a>";
    try (RawServer web =
        new RawServer(
            (request, out) -> {
              String type = "Content-Type: " + ODT;
              switch (request.target.replace("http://e.test/", "")) {
                case "":
                  RawServer.page(out, page(links));
                  break;
                case "1.odt":
                  RawServer.head(out, 200, type);
                  out.write(odt());
                  break;
                case "reserved.odt":
                  RawServer.head(out, 200, type, "TDM-Reservation: 1");
                  out.write(odt());
                  break;
                case "hidden.odt":
                  RawServer.head(out, 200, type, "X-Robots-Tag: noindex");
                  out.write(odt());
                  break;
                default:
                  RawServer.head(out, 404);
              }
            })) {
      String[] options = {
        "--proxy",
        "127.0.0.1:" + web.port(),
        "--rounds",
        "2",
        "--delay",
        "0",
        "--documents",
        "--dedup",
        "none",
        "--format",
        "jsonl"
      };
      crawl("http://e.test/\n", options);
      List<String> crawled = Corpus.lines(folder.corpus());
      assertEquals(crawled.toString(), 3, crawled.size());
      String all = String.join("\n", crawled);
      assertFalse("its header forbids to index it", all.contains("hidden.odt"));
      for (String line : crawled) {
        assertEquals(line, line.contains("reserved.odt"), line.contains("\"reservation\""));
        assertEquals(line, line.contains(".odt\""), line.contains("\"kind\":\"document\""));
      }
      options[options.length - 1] = "warc";
      crawl("http://e.test/\n", options);
      assertEquals(
          crawled.stream().map(CrawlTest::withoutRoundAndFraction).collect(Collectors.toList()),
          collected("documents", "--documents"));
    }
    assertEquals("the page alone", 1, collected("pages").size());
  }

  /** The lines that the command collects from the crawl's WARC file. */
  private List<String> collected(String name, String... more) throws Exception {
    String root = System.getProperty("corpulyzer.root");
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("corpulyzer.programs") + "/corpulyzer");
    command.addAll(
        Arrays.asList(
            "collect",
            folder.out().resolve("corpus.warc.gz").toString(),
            "--language",
            "ur",
            "--out",
            folder.path(name).toString()));
    command.addAll(Arrays.asList(more));
    ProcessBuilder process = new ProcessBuilder(command).redirectErrorStream(true);
    process
        .environment()
        .put(
            "CORPULYZER_DOCUMENTS",
            root + "/java/crawl/build/dist/plugins/corpulyzer-companion/corpulyzer-companion.jar");
    process.environment().put("JAVA_HOME", System.getProperty("java.home"));
    process.redirectOutput(folder.path(name + ".log").toFile());
    int code = process.start().waitFor();
    assertEquals(new String(Files.readAllBytes(folder.path(name + ".log"))), 0, code);
    return Corpus.lines(folder.path(name).resolve("urd/corpus.jsonl.zst"));
  }

  @Test(timeout = 200_000)
  public void anAlternateInTheLanguageOfTheCrawlIsKeptOfAPageWithTooManyLinks() throws Exception {
    StringBuilder links = new StringBuilder();
    for (int link = 0; link < 2 * MAX_LINKS; link++) {
      links.append("<a href=/").append(link).append(">x</a>");
    }
    links.append("<link rel=alternate hreflang=en href=/en/>");
    links.append("<link rel=alternate hreflang=ur-PK href=/ur/>");
    try (RawServer web =
        new RawServer(
            (request, out) -> {
              if (request.target.equals("http://c.test/")) {
                RawServer.page(out, page(links.toString()));
              } else {
                RawServer.head(out, 404);
              }
            })) {
      crawl("http://c.test/\n", "--proxy", "127.0.0.1:" + web.port(), "--rounds", "1");
    }
    Set<String> rows = CrawlFiles.rows(folder.data()).keySet();
    assertTrue(rows.toString(), rows.contains("http://c.test/ur/"));
    assertFalse(rows.contains("http://c.test/en/"));
    assertEquals(1 + MAX_LINKS, rows.size());
  }

  @Test(timeout = 200_000)
  public void alternatesInTheLanguageOfTheCrawlAreFetchedBeforeOtherPagesOfTheirHost()
      throws Exception {
    StringBuilder links = new StringBuilder();
    for (int link = 0; link < MAX_LINKS - 2; link++) {
      links.append("<a href=/").append(link).append(">x</a>");
    }
    links.append("<link rel=alternate hreflang=ur href=/ur/1>");
    links.append("<link rel=alternate hreflang=ur-PK href=/ur/2>");
    try (RawServer web =
        new RawServer(
            (request, out) -> {
              if (request.target.equals("http://c.test/")) {
                RawServer.page(out, page(links.toString()));
              } else if (request.target.contains("/ur/")) {
                RawServer.page(out, page(""));
              } else {
                RawServer.head(out, 404);
              }
            })) {
      // A round of two pages takes one page of a host.
      String proxy = "127.0.0.1:" + web.port();
      crawl("http://c.test/\n", "--proxy", proxy, "--top", "2", "--rounds", "3");
      assertEquals(1, web.count("http://c.test/ur/1"));
      assertEquals(1, web.count("http://c.test/ur/2"));
      assertEquals("robots.txt and tdmrep.json too", 5, web.requests.size());
    }
  }

  @Test(timeout = 200_000)
  public void aPageThatIsDueAgainIsAskedForWithItsTagAndTheCorpusHasItsNewestText()
      throws Exception {
    Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    Map<String, Integer> fetches = new ConcurrentHashMap<>();
    try (RawServer web =
        new RawServer(
            (request, out) -> {
              boolean isFirst = fetches.merge(request.target, 1, Integer::sum) == 1;
              String date = "Last-Modified: " + DATE;
              if (request.target.endsWith("/robots.txt") || !isFirst && isAt(request, "/gone")) {
                RawServer.head(out, 404);
              } else if (!isFirst && isAt(request, "/same")) {
                RawServer.head(out, 304);
              } else {
                RawServer.page(out, page("").replace("خبر", isFirst ? "old" : "new"), date, ETAG);
              }
            })) {
      String seeds = "http://d.test/same\nhttp://d.test/other\nhttp://d.test/gone\n";
      String proxy = "127.0.0.1:" + web.port();
      crawl(seeds, "--proxy", proxy, "--rounds", "1", "--delay", "0");
      assertEquals(3, Corpus.lines(folder.corpus()).size());
      String before = figures("http://d.test/same");
      CrawlFiles.makeDue(folder.data());
      crawl(seeds, "--proxy", proxy, "--rounds", "2", "--delay", "0");

      for (String page : new String[] {"/same", "/other", "/gone"}) {
        List<RawServer.Request> asked =
            web.requests.stream()
                .filter(request -> isAt(request, page))
                .collect(Collectors.toList());
        assertEquals(page, 2, asked.size());
        assertFalse(asked.get(0).headers.containsKey("If-Modified-Since"));
        assertFalse(asked.get(0).headers.containsKey("If-None-Match"));
        // As in Nutch, the time of the fetch that made the row.
        Instant since =
            ZonedDateTime.parse(
                    asked.get(1).headers.get("If-Modified-Since"),
                    DateTimeFormatter.RFC_1123_DATE_TIME)
                .toInstant();
        assertTrue(since.toString(), !since.isBefore(start) && since.isBefore(Instant.now()));
        assertEquals("\"v1\"", asked.get(1).headers.get("If-None-Match"));
      }
      assertEquals(before, figures("http://d.test/same"));
      assertEquals(
          CrawlDatum.STATUS_DB_NOTMODIFIED,
          CrawlFiles.rows(folder.data()).get("http://d.test/same").getStatus());
      List<String> corpus = Corpus.lines(folder.corpus());
      assertEquals(corpus.toString(), 2, corpus.size());
      for (String line : corpus) {
        boolean isSame = line.contains("\"url\":\"http://d.test/same\"");
        assertTrue(line, isSame || line.contains("\"url\":\"http://d.test/other\""));
        assertTrue(line, line.contains("\"title\":\"" + (isSame ? "old" : "new") + "\""));
      }
    }
  }

  private static boolean isAt(RawServer.Request request, String path) {
    return request.target.equals("http://d.test" + path);
  }

  private String figures(String url) throws IOException {
    return CrawlFiles.rows(folder.data())
        .get(url)
        .getMetaData()
        .get(new Text(PageKeys.LANGUAGES))
        .toString();
  }

  @Test(timeout = 200_000)
  public void aHostThatMovedToHttpsIsKnownAfterARestart() throws Exception {
    try (RawServer web = new RawServer(FeaturesTest::answer)) {
      String proxy = "127.0.0.1:" + web.port();
      crawl("http://b.test/\nhttp://moved.test/\n", "--proxy", proxy, "--rounds", "1");
      assertEquals(1, web.count("http://moved.test/"));
      assertEquals(
          Collections.singletonList("moved.test"),
          Files.readAllLines(folder.data().resolve("https-hosts.txt")));
      String seeds = "http://b.test/\nhttp://moved.test/2\n";
      int code = folder.runChild(150, seeds, "--proxy", proxy, "--rounds", "2", "--no-report");
      assertEquals(folder.output(), 0, code);
      assertEquals(0, web.count("http://moved.test/2"));
      assertTrue(CrawlFiles.rows(folder.data()).keySet().contains("https://moved.test/2"));
    }
  }

  @Test(timeout = 200_000)
  public void http2IsSpokenWithAHostThatHasIt() throws Exception {
    HeldCertificate certificate =
        new HeldCertificate.Builder().addSubjectAlternativeName("localhost").build();
    try (MockWebServer server = new MockWebServer()) {
      server.useHttps(
          new HandshakeCertificates.Builder()
              .heldCertificate(certificate)
              .build()
              .sslSocketFactory());
      server.enqueue(new MockResponse.Builder().code(404).build());
      server.enqueue(new MockResponse.Builder().code(404).build());
      server.enqueue(
          new MockResponse.Builder()
              .code(200)
              .setHeader("content-type", "text/html; charset=utf-8")
              .body(page(""))
              .build());
      server.start(InetAddress.getByName("127.0.0.1"), 0);
      crawl(
          "https://localhost:" + server.getPort() + "/page\n",
          "--allow-private",
          "localhost",
          "--rounds",
          "1");
      assertEquals("/robots.txt", server.takeRequest().getTarget());
      assertEquals("/.well-known/tdmrep.json", server.takeRequest().getTarget());
      RecordedRequest request = server.takeRequest();
      assertEquals("HTTP/2", request.getVersion());
    }
  }

  private static void answer(RawServer.Request request, OutputStream out) throws Exception {
    String xml = "Content-Type: application/xml";
    switch (request.target) {
      case "http://a.test/robots.txt":
        RawServer.head(out, 200, "Content-Type: text/plain");
        out.write(bytes("User-agent: *\nDisallow: /private\nSitemap: http://a.test/maps.xml\n"));
        break;
      case "http://a.test/":
        RawServer.head(out, 200, "Content-Type: text/html; charset=utf-8", "Content-Encoding: br");
        out.write(
            brotli(
                bytes(
                    page(
                        "<link rel=alternate hreflang=ur href=/ur/><link rel=alternate"
                            + " type=application/rss+xml href=/feed.rss><a href=/private>p</a><a"
                            + " href=/text.odt>t</a>"))));
        break;
      case "http://a.test/ur/":
        RawServer.head(
            out, 200, "Content-Type: text/html; charset=utf-8", "Content-Encoding: zstd");
        out.write(Zstd.compress(bytes(page(""))));
        break;
      case "http://a.test/maps.xml":
        RawServer.head(out, 200, xml);
        out.write(
            bytes(
                "<sitemapindex"
                    + " xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><sitemap><loc>http://a.test/map.xml</loc>"
                    + "</sitemap></sitemapindex>"));
        break;
      case "http://a.test/map.xml":
        RawServer.head(out, 200, xml);
        out.write(
            bytes(
                "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'"
                    + " xmlns:xhtml='http://www.w3.org/1999/xhtml'><url><loc>http://a.test/map/1</loc><xhtml:link"
                    + " rel='alternate' hreflang='ur' href='http://a.test/map/ur/1'/></url>"
                    + "<url><loc>http://a.test/more.xml</loc></url></urlset>"));
        break;
      case "http://a.test/more.xml":
        RawServer.head(out, 200, xml);
        out.write(
            bytes(
                "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
                    + "<url><loc>http://a.test/map/2</loc></url></urlset>"));
        break;
      case "http://a.test/feed.rss":
        RawServer.head(out, 200, "Content-Type: application/rss+xml");
        out.write(
            bytes(
                "<rss version='2.0'><channel><item><link>http://a.test/rss/1</link></item></channel></rss>"));
        break;
      case "http://b.test/":
        RawServer.page(out, page("<link rel=alternate type=application/atom+xml href=/feed.atom>"));
        break;
      case "http://b.test/feed.atom":
        RawServer.head(out, 200, "Content-Type: application/atom+xml");
        out.write(
            bytes(
                "<feed xmlns='http://www.w3.org/2005/Atom'><entry><link"
                    + " href='http://b.test/atom/1'/></entry></feed>"));
        break;
      case "http://a.test/text.odt":
        RawServer.head(out, 200, "Content-Type: " + ODT);
        out.write(odt());
        break;
      case "http://moved.test/":
        RawServer.head(out, 301, "Location: https://moved.test/");
        break;
      default:
        if (request.target.endsWith("/robots.txt") || request.target.endsWith(":443")) {
          RawServer.head(out, 404);
        } else {
          RawServer.page(out, page(""));
        }
    }
  }

  private static String page(String head) {
    return "<!doctype html><html lang=ur><head><meta charset=utf-8><title>خبر</title>"
        + head
        + "</head><body><p>"
        + TinyWeb.URDU.repeat(8)
        + "</p></body></html>";
  }

  /** A stream of one part that is not compressed (RFC 7932, 9.2); Java has no encoder. */
  private static byte[] brotli(byte[] plain) throws IOException {
    int head = plain.length - 1 << 4 | 1 << 20;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(new byte[] {(byte) head, (byte) (head >> 8), (byte) (head >> 16)});
    out.write(plain);
    out.write(3);
    return out.toByteArray();
  }

  private static byte[] odt() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(bytes)) {
      String[] entries = {
        "mimetype",
        ODT,
        "content.xml",
        "<office:document-content"
            + " xmlns:office='urn:oasis:names:tc:opendocument:xmlns:office:1.0'><office:body><office:text><text:p"
            + " xmlns:text='urn:oasis:names:tc:opendocument:xmlns:text:1.0'>"
            + TinyWeb.URDU.repeat(8)
            + "</text:p></office:text></office:body></office:document-content>"
      };
      for (int i = 0; i < entries.length; i += 2) {
        out.putNextEntry(new ZipEntry(entries[i]));
        out.write(bytes(entries[i + 1]));
        out.closeEntry();
      }
    }
    return bytes.toByteArray();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void crawl(String seeds, String... more) throws Exception {
    List<String> options = new ArrayList<>(Arrays.asList(more));
    options.add("--no-report");
    int code = folder.run(seeds, options.toArray(new String[0]));
    assertEquals(folder.output(), 0, code);
  }
}
