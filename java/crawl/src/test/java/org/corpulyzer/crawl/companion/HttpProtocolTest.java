package org.corpulyzer.crawl.companion;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.net.protocols.Response;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.protocol.ProtocolOutput;
import org.apache.nutch.protocol.ProtocolStatus;
import org.corpulyzer.engine.PageKeys;
import org.junit.Test;

/**
 * Answers of all kinds of servers. A server on loopback serves one host, or any host as a proxy.
 */
public class HttpProtocolTest extends LoopbackTest {
  private static final byte[] TEXT = "متن ".repeat(500).getBytes(StandardCharsets.UTF_8);

  /** 64 MiB of zeros. */
  private static final String BROTLI_BOMB =
      "y///P/gnAOKxQCD3/o///3/wTwDEYRGA7v0f////4J8AiMMCAN37P/7//8E/ARCHBQC693/8"
          + "//+DfwIgDgsAdO//+P//B/8EQBwWAOje//H//w/+CYA4LADQvf/j//8f/BMAcVgAoHv/Nw==";

  public HttpProtocolTest() {
    conf.setInt("http.content.limit", 1 << 20);
  }

  @Test(timeout = 60_000)
  public void aTypeThatMayBeAPageIsRead() throws Exception {
    for (String mayBe :
        new String[] {
          "text/html",
          "TEXT/HTML; charset=utf-8",
          "application/xhtml+xml",
          "application/xml",
          "application/rss+xml",
          "text/plain",
          "utf-8"
        }) {
      RawServer server = pages(mayBe, "text");
      assertEquals(mayBe, "text", text(success(fetch(server.url("/page")))));
    }
  }

  @Test(timeout = 60_000)
  public void theTypeIsLookedForInWhatIsCalledHtmlAndDoesNotBeginSo() throws Exception {
    String[][] bodies = {
      {"<!doctype html><p>a", "text/html"},
      {"\n<html xmlns='http://www.w3.org/1999/xhtml'>", "text/html"},
      {"<?xml version='1.0'?><rss version='2.0'><channel/></rss>", "application/rss+xml"},
      {"%PDF-1.4 a", "application/pdf"},
      {"<p>a part of a page", "text/html"}
    };
    for (String[] body : bodies) {
      RawServer server = pages("text/html; charset=utf-8", body[0]);
      assertEquals(
          body[0], body[1], success(fetch(server.url("/page"))).getContent().getContentType());
    }
  }

  @Test(timeout = 60_000)
  public void aTypeInQuotesOrTwiceIsThatType() throws Exception {
    for (String type :
        new String[] {"\"text/html\"", "'text/html'; charset=utf-8", "text/html, text/html;a=b"}) {
      RawServer server = pages(type, "<!doctype html><p>a");
      assertEquals(
          type, "text/html", success(fetch(server.url("/page"))).getContent().getContentType());
    }
  }

  @Test(timeout = 60_000)
  public void ofAnotherTypeNothingIsReadAndTheConnectionIsClosed() throws Exception {
    for (String other :
        new String[] {
          "application/pdf",
          "image/png",
          "Video/MP4; codecs=x",
          "application/octet-stream",
          "application/json"
        }) {
      CountDownLatch closed = new CountDownLatch(1);
      RawServer server =
          pages(
              (request, out) -> {
                RawServer.head(out, 200, "Content-Type: " + other);
                endless(out, closed);
              });
      ProtocolOutput output = fetch(server.url("/page"));
      assertEquals(other, ProtocolStatus.GONE, output.getStatus().getCode());
      assertEquals("Content-Type " + other, output.getStatus().getMessage());
      assertNull(other, output.getContent());
      assertTrue(other, closed.await(30, TimeUnit.SECONDS));
    }
  }

  @Test(timeout = 60_000)
  public void documentsAreReadIfTheCrawlWantsThem() throws Exception {
    RawServer server = pages("application/pdf", "%PDF-1.4");
    conf.setBoolean(Types.DOCUMENTS, true);
    assertEquals("application/pdf", success(fetch(server.url("/a"))).getContent().getContentType());
    String bytes = "application/octet-stream";
    String office = zip("[Content_Types].xml", "<Types/>");
    String[][] documents = {
      {"%PDF-1.4", bytes, "application/pdf"},
      {"%PDF-1.4", "application/x-pdf", "application/pdf"},
      {"{\\rtf1 a}", "application/x-rtf", "application/rtf"},
      {"{\\rtf1 a}", bytes, "application/rtf"},
      {office, bytes, "application/x-tika-ooxml"},
      {office, "application/zip", "application/x-tika-ooxml"},
      {
        zip("mimetype", "application/vnd.oasis.opendocument.text"),
        "application/x-download",
        "application/vnd.oasis.opendocument.text"
      }
    };
    for (String[] document : documents) {
      RawServer other =
          pages(
              (request, out) -> {
                RawServer.head(out, 200, "Content-Type: " + document[1]);
                out.write(document[0].getBytes(StandardCharsets.ISO_8859_1));
              });
      assertEquals(
          Arrays.toString(document),
          document[2],
          success(fetch(other.url("/a"))).getContent().getContentType());
    }
    RawServer archive =
        pages(
            (request, out) -> {
              RawServer.head(out, 200, "Content-Type: application/zip");
              out.write(zip("photo.jpg", "x").getBytes(StandardCharsets.ISO_8859_1));
            });
    assertEquals(ProtocolStatus.GONE, fetch(archive.url("/a")).getStatus().getCode());
  }

  /** A package with one file that is not compressed, a character for each byte. */
  private static String zip(String name, String content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(bytes)) {
      ZipEntry entry = new ZipEntry(name);
      byte[] text = content.getBytes(StandardCharsets.US_ASCII);
      CRC32 sum = new CRC32();
      sum.update(text);
      entry.setMethod(ZipEntry.STORED);
      entry.setSize(text.length);
      entry.setCrc(sum.getValue());
      out.putNextEntry(entry);
      out.write(text);
    }
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }

  @Test(timeout = 60_000)
  public void someBytesAreAPageIfTheyBeginAsOne() throws Exception {
    String[] body = {""};
    RawServer server =
        pages(
            (request, out) -> {
              RawServer.head(out, 200, "Content-Type: application/octet-stream");
              out.write(body[0].getBytes(StandardCharsets.UTF_8));
            });
    for (String page :
        new String[] {
          "<!DOCTYPE html>\n<p>a",
          " \r\n<HTML>",
          "\uFEFF<html lang=ur>",
          "<!-- a > b -->\n<!-- -->\n<head>",
          "<title>a</title>",
          "<?xml version='1.0'?><html/>"
        }) {
      body[0] = page + "x".repeat(5000);
      assertEquals(page, body[0], text(success(fetch(server.url("/page")))));
    }
    for (String other :
        new String[] {
          "", "text", "PK\u0003\u0004 <html>", "<htmlx>", "<p", "%PDF-1.4", "{}", "<! --", "MZ"
        }) {
      body[0] = other;
      assertEquals(other, ProtocolStatus.GONE, fetch(server.url("/page")).getStatus().getCode());
    }
  }

  @Test(timeout = 60_000)
  public void wrongNamesOfCodingsMeanNone() throws Exception {
    for (String coding :
        new String[] {"UTF-8", "none", "identity", "text/html", "8bit", "utf8,", ""}) {
      RawServer server =
          pages(
              (request, out) -> {
                RawServer.head(out, 200, "Content-Type: text/html", "Content-Encoding: " + coding);
                out.write(TEXT);
              });
      assertEquals(
          coding,
          new String(TEXT, StandardCharsets.UTF_8),
          text(success(fetch(server.url("/page")))));
    }
  }

  @Test(timeout = 60_000)
  public void pagesWithTheNameOfACodingThatTheyAreNotInAreRead() throws Exception {
    String page = "<!DOCTYPE html><p>" + new String(TEXT, StandardCharsets.UTF_8);
    for (String coding : new String[] {"gzip", "deflate", "br", "zstd"}) {
      RawServer server =
          pages(
              (request, out) -> {
                RawServer.head(out, 200, "Content-Type: text/html", "Content-Encoding: " + coding);
                out.write(page.getBytes(StandardCharsets.UTF_8));
              });
      assertEquals(coding, page, text(success(fetch(server.url("/page")))));
    }
    java.io.ByteArrayOutputStream packed = new java.io.ByteArrayOutputStream();
    try (OutputStream gzip = new java.util.zip.GZIPOutputStream(packed)) {
      gzip.write(page.getBytes(StandardCharsets.UTF_8));
    }
    for (String coding : new String[] {"", "\"gzip\"", "utf-8"}) {
      RawServer server =
          pages(
              (request, out) -> {
                RawServer.head(out, 200, "Content-Type: text/html", "Content-Encoding: " + coding);
                out.write(packed.toByteArray());
              });
      assertEquals(
          "gzip without its name: " + coding, page, text(success(fetch(server.url("/page")))));
    }
  }

  @Test(timeout = 60_000)
  public void gzipWithoutItsSumIsAPageAndGzipThatBreaksOffIsNone() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(TEXT);
    }
    int[] missing = {0};
    RawServer server =
        pages(
            (request, out) -> {
              RawServer.head(out, 200, "Content-Type: text/html", "Content-Encoding: gzip");
              out.write(packed.toByteArray(), 0, packed.size() - missing[0]);
            });
    for (int bytes : new int[] {0, 3, 8}) {
      missing[0] = bytes;
      assertEquals(
          new String(TEXT, StandardCharsets.UTF_8), text(success(fetch(server.url("/page")))));
    }
    missing[0] = 12;
    assertEquals(ProtocolStatus.EXCEPTION, fetch(server.url("/page")).getStatus().getCode());
  }

  @Test(timeout = 60_000)
  public void typesThatNameNoContentAreLookedInto() throws Exception {
    for (String type :
        new String[] {
          "unknown/unknown",
          "application/unknown",
          "application/x-unknown-content-type",
          "*/*",
          "application/x-httpd-php",
          "application/force-download"
        }) {
      RawServer server = pages(type, "<!doctype html><p>a");
      assertEquals(
          type, "text/html", success(fetch(server.url("/page"))).getContent().getContentType());
    }
  }

  @Test(timeout = 60_000)
  public void aRefusalWithThePageOfAWallHasItsReason() throws Exception {
    int[] code = {0};
    RawServer server =
        pages(
            (request, out) -> {
              RawServer.head(out, code[0], "Content-Type: text/html", "Retry-After: 7");
              out.write(
                  "<title>Just a moment...</title><script>_cf_chl_opt={}</script>"
                      .getBytes(StandardCharsets.UTF_8));
            });
    for (int refusal : new int[] {403, 429, 503}) {
      code[0] = refusal;
      ProtocolStatus status = fetch(server.url("/page")).getStatus();
      assertEquals(ProtocolStatus.RETRY, status.getCode());
      assertEquals(refusal + "", "[challenge page, " + PageKeys.REFUSED + ", 7]", args(status));
    }
  }

  private static String args(ProtocolStatus status) {
    return java.util.Arrays.toString(status.getArgs());
  }

  @Test(timeout = 60_000)
  public void aRefreshHeaderIsARedirectWithinSomeSeconds() throws Exception {
    String[] header = {""};
    RawServer server =
        pages(
            (request, out) -> {
              RawServer.head(out, 200, "Content-Type: text/html", "Refresh: " + header[0]);
              out.write(TEXT);
            });
    for (String soon :
        new String[] {
          "0; url=/next", "5;URL='/next'", ".5, /next", "0;/next#x", "1 url=/next", "0; \"/next\" x"
        }) {
      header[0] = soon;
      ProtocolStatus status = fetch(server.url("/page")).getStatus();
      assertEquals(soon, ProtocolStatus.TEMP_MOVED, status.getCode());
      assertEquals(soon, server.url("/next"), status.getMessage());
    }
    header[0] = "0; url=/poet's/page";
    assertEquals(server.url("/poet's/page"), fetch(server.url("/page")).getStatus().getMessage());
    for (String none :
        new String[] {
          "6; url=/next",
          "300",
          "0",
          "0; url=/page#x",
          "x;url=/next",
          "0;url=/page?utm_source=x",
          "0url=/"
        }) {
      header[0] = none;
      success(fetch(server.url("/page")));
    }
  }

  @Test(timeout = 60_000)
  public void otherCodesOfSuccessArePagesToo() throws Exception {
    int[] code = {0};
    String[] range = {"X: y"};
    RawServer server =
        pages(
            (request, out) -> {
              RawServer.head(out, code[0], "Content-Type: text/html", range[0]);
              out.write(TEXT);
            });
    for (int success : new int[] {201, 202, 203, 206, 207, 218, 226, 299}) {
      code[0] = success;
      success(fetch(server.url("/page")));
    }
    for (int none : new int[] {204, 205}) {
      code[0] = none;
      assertEquals(ProtocolStatus.GONE, fetch(server.url("/page")).getStatus().getCode());
    }
    code[0] = 206;
    range[0] = "Content-Range: bytes 0-99/100";
    success(fetch(server.url("/page")));
    range[0] = "Content-Range: bytes 0-99/200";
    assertEquals(ProtocolStatus.GONE, fetch(server.url("/page")).getStatus().getCode());
  }

  @Test(timeout = 60_000)
  public void theChoiceOfAServerIsARedirect() throws Exception {
    String[] header = {"Location: /page.ur"};
    RawServer server = pages((request, out) -> RawServer.head(out, 300, header[0]));
    ProtocolStatus status = fetch(server.url("/page")).getStatus();
    assertEquals(ProtocolStatus.TEMP_MOVED, status.getCode());
    assertEquals(server.url("/page.ur"), status.getArgs()[0]);
    header[0] = "X: y";
    assertEquals(ProtocolStatus.GONE, fetch(server.url("/page")).getStatus().getCode());
  }

  @Test(timeout = 60_000)
  public void aBodyThatBreaksOffIsNamedSo() throws Exception {
    String[] header = {"Content-Length: 1000", "Transfer-Encoding: chunked"};
    int[] which = {0};
    RawServer server =
        pages(
            (request, out) -> {
              RawServer.head(out, 200, "Content-Type: text/html", header[which[0]]);
              out.write("3\r\n<p>\r\n".getBytes(StandardCharsets.UTF_8));
            });
    for (; which[0] < 2; which[0]++) {
      String message = fetch(server.url("/page")).getStatus().getMessage();
      assertTrue(message, message.startsWith("connection closed by the server: "));
    }
  }

  @Test(timeout = 60_000)
  public void aRefusalIsToldWithTheTimeThatTheServerAsksFor() throws Exception {
    int[] code = {0};
    String[] header = {"X: y"};
    RawServer server = pages((request, out) -> RawServer.head(out, code[0], header[0]));
    for (int refusal : new int[] {429, 503, 420, 509, 502, 403, 401, 999}) {
      code[0] = refusal;
      ProtocolStatus status = fetch(server.url("/page")).getStatus();
      assertEquals(
          "" + refusal,
          java.util.Arrays.asList("HTTP " + refusal, PageKeys.REFUSED),
          java.util.Arrays.asList(status.getArgs()));
    }
    header[0] = "Retry-After: 120";
    for (int refusal : new int[] {429, 500, 403}) {
      code[0] = refusal;
      assertEquals("" + refusal, "120", fetch(server.url("/page")).getStatus().getArgs()[2]);
    }
    java.time.Instant now = java.time.Instant.parse("2026-01-01T00:00:00Z");
    assertEquals(Long.valueOf(60), RetryAfter.seconds("Thu, 01 Jan 2026 00:01:00 GMT", now));
    assertEquals(Long.valueOf(0), RetryAfter.seconds("Wed, 31 Dec 2025 00:01:00 GMT", now));
    assertEquals(Long.valueOf(RetryAfter.MAX_SECONDS), RetryAfter.seconds("99999999999", now));
    assertNull(RetryAfter.seconds("soon", now));
    code[0] = 404;
    header[0] = "X: y";
    assertEquals(1, fetch(server.url("/page")).getStatus().getArgs().length);
  }

  @Test(timeout = 60_000)
  public void aSitemapIsReadWhateverItsType() throws Exception {
    CrawlDatum list = new CrawlDatum();
    list.getMetaData().put(Links.LIST_MARK, new Text("0"));
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(gzip)) {
      out.write("<urlset/>".getBytes(StandardCharsets.UTF_8));
    }
    for (String type :
        new String[] {"application/octet-stream", "application/x-tar", "text/plain"}) {
      for (byte[] map :
          new byte[][] {gzip.toByteArray(), "http://a.test/1\n".getBytes(StandardCharsets.UTF_8)}) {
        RawServer server =
            pages(
                (request, out) -> {
                  RawServer.head(out, 200, "Content-Type: " + type);
                  out.write(map);
                });
        Content read =
            success(protocol().getProtocolOutput(new Text(server.url("/map.xml.gz")), list))
                .getContent();
        assertEquals(type, "application/gzip", read.getContentType());
      }
    }
  }

  @Test(timeout = 60_000)
  public void compressedBodiesAreRead() throws Exception {
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(gzip)) {
      out.write(TEXT);
    }
    ByteArrayOutputStream deflate = new ByteArrayOutputStream();
    try (OutputStream out = new DeflaterOutputStream(deflate)) {
      out.write(TEXT);
    }
    // Made with Brotli's reference encoder; Java has none.
    byte[] brotli = Base64.getDecoder().decode("G6sN+I2UqJ2vQLK70FAVW9wWCfwqAMgV");
    byte[][] bodies = {
      gzip.toByteArray(),
      Zstd.compress(TEXT),
      deflate.toByteArray(),
      Zstd.compress(gzip.toByteArray()),
      TEXT,
      brotli
    };
    String[] codings = {"gzip", "zstd", "deflate", "gzip, zstd", "gzip", "br"};
    for (int i = 0; i < codings.length; i++) {
      byte[] body = bodies[i];
      String coding = codings[i];
      RawServer server =
          pages(
              (request, out) -> {
                RawServer.head(out, 200, "Content-Type: text/html", "Content-Encoding: " + coding);
                out.write(body);
              });
      byte[] read = success(fetch(server.url("/page"))).getContent().getContent();
      assertArrayEquals(coding, TEXT, read);
      assertEquals("gzip, br, zstd", server.requests.get(1).headers.get("Accept-Encoding"));
    }
  }

  @Test(timeout = 60_000)
  public void aBombCostsNoMoreThanTheLimit() throws Exception {
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(gzip)) {
      for (int i = 0; i < 64; i++) {
        out.write(new byte[1 << 20]);
      }
    }
    byte[][] bombs = {
      gzip.toByteArray(), Zstd.compress(new byte[64 << 20]), Base64.getDecoder().decode(BROTLI_BOMB)
    };
    String[] codings = {"gzip", "zstd", "br"};
    for (int i = 0; i < bombs.length; i++) {
      byte[] bomb = bombs[i];
      String coding = codings[i];
      RawServer server =
          pages(
              (request, out) -> {
                RawServer.head(out, 200, "Content-Type: text/html", "Content-Encoding: " + coding);
                out.write(bomb);
              });
      ProtocolOutput output = success(fetch(server.url("/page")));
      assertEquals(1 << 20, output.getContent().getContent().length);
      assertEquals("true", output.getContent().getMetadata().get(Response.TRUNCATED_CONTENT));
      assertEquals(
          "length", output.getContent().getMetadata().get(Response.TRUNCATED_CONTENT_REASON));
    }
  }

  @Test(timeout = 60_000)
  public void aWindowOfMoreThanEightMebibytesIsRefused() throws Exception {
    ByteArrayOutputStream wide = new ByteArrayOutputStream();
    try (ZstdOutputStream out = new ZstdOutputStream(wide)) {
      out.setLong(27);
      out.write(TEXT);
    }
    assertFails("Content-Encoding: zstd", wide.toByteArray());
  }

  @Test(timeout = 120_000)
  public void brotliBodiesThatComeSlowlyAreAllReadWhole() throws Exception {
    // Each of these bodies has a window of 16 MiB: together twice the heap.
    int bodies = (int) (Runtime.getRuntime().maxMemory() >> 23);
    byte[] bomb = Base64.getDecoder().decode(BROTLI_BOMB);
    int firstPart = bomb.length / 2;
    CountDownLatch begun = new CountDownLatch(bodies);
    CountDownLatch rest = new CountDownLatch(1);
    RawServer server =
        pages(
            (request, out) -> {
              RawServer.head(out, 200, "Content-Type: text/html", "Content-Encoding: br");
              out.write(bomb, 0, firstPart);
              out.flush();
              begun.countDown();
              rest.await();
              out.write(bomb, firstPart, bomb.length - firstPart);
            });
    HttpProtocol protocol = protocol();
    protocol.getRobotRules(new Text(server.url("/")), new CrawlDatum(), null);
    java.util.concurrent.ExecutorService pool =
        java.util.concurrent.Executors.newFixedThreadPool(bodies);
    try {
      List<java.util.concurrent.Future<ProtocolOutput>> outputs = new ArrayList<>();
      for (int i = 0; i < bodies; i++) {
        Text url = new Text(server.url("/" + i));
        outputs.add(pool.submit(() -> protocol.getProtocolOutput(url, new CrawlDatum())));
      }
      assertTrue(begun.await(60, TimeUnit.SECONDS));
      Thread.sleep(1000);
      rest.countDown();
      for (java.util.concurrent.Future<ProtocolOutput> output : outputs) {
        assertEquals(1 << 20, success(output.get()).getContent().getContent().length);
      }
    } finally {
      rest.countDown();
      pool.shutdownNow();
    }
  }

  @Test(timeout = 60_000)
  public void aCompressedBodyThatBreaksOffIsKeptIfAskedFor() throws Exception {
    conf.setBoolean("http.partial.truncated", true);
    byte[] text = new byte[400_000];
    new java.util.Random(1).nextBytes(text);
    byte[] zstd = Zstd.compress(text);
    RawServer server =
        pages(
            (request, out) -> {
              RawServer.head(
                  out,
                  200,
                  "Content-Type: text/html",
                  "Content-Encoding: zstd",
                  "Content-Length: " + zstd.length);
              out.write(zstd, 0, zstd.length - 1000);
            });
    Content content = success(fetch(server.url("/page"))).getContent();
    assertTrue(content.getContent().length > 200_000 && content.getContent().length < text.length);
    assertEquals("disconnect", content.getMetadata().get(Response.TRUNCATED_CONTENT_REASON));
    assertFails("Content-Encoding: br, zstd", zstd);
  }

  @Test
  public void theInflaterOfABodyEndsWithItsStream() {
    InputStream broken =
        new ByteArrayInputStream(new byte[0]) {
          @Override
          public void close() throws IOException {
            throw new IOException("the connection is lost");
          }
        };
    Inflater inflater = new Inflater();
    Body.close(Body.inflated(broken, inflater));
    NullPointerException ended = assertThrows(NullPointerException.class, inflater::getBytesRead);
    assertEquals("Inflater has been closed", ended.getMessage());
  }

  @Test(timeout = 60_000)
  public void bodiesShareTheirMemoryAndGiveItBack() throws Exception {
    BodyMemory memory = new BodyMemory(3, 0, 0);
    byte[] large = new byte[1 << 20];
    Body cut = Body.read(new ByteArrayInputStream(large), large.length, false, memory, 10);
    assertEquals("internal", cut.cutReason());
    assertEquals(4 * BodyMemory.UNIT, cut.bytes().length);
    assertEquals("until it is stored", 0, memory.free(0));
    assertEquals(
        "a small body needs no share",
        null,
        Body.read(
                new ByteArrayInputStream(large, 0, BodyMemory.UNIT),
                large.length,
                false,
                memory,
                10)
            .cutReason());
    cut.close();
    cut.close();
    assertEquals(3, memory.free(0));
    BodyMemory enough = new BodyMemory(3, 12, large.length / BodyMemory.UNIT + 1 - 16);
    Body whole = Body.read(new ByteArrayInputStream(large), large.length, false, enough, 10);
    assertEquals(null, whole.cutReason());
    assertArrayEquals(large, whole.bytes());
    assertEquals(0, enough.free(0) + enough.free(1) + enough.free(2));
  }

  @Test(timeout = 60_000)
  public void largeBodiesDoNotBlockEachOther() throws Exception {
    // Room for two large bodies at a time: ten that grow in small steps would hold it all and wait.
    BodyMemory memory = new BodyMemory(30, 120, 2 * (64 + 1 - 16));
    byte[] large = new byte[1 << 20];
    java.util.concurrent.ExecutorService pool =
        java.util.concurrent.Executors.newFixedThreadPool(10);
    try {
      List<java.util.concurrent.Future<String>> cuts = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        cuts.add(
            pool.submit(
                () -> {
                  InputStream slow = new SlowStart(large);
                  try (Body body = Body.read(slow, large.length, false, memory, 30_000)) {
                    return body.cutReason();
                  }
                }));
      }
      for (java.util.concurrent.Future<String> cut : cuts) {
        assertEquals(null, cut.get());
      }
    } finally {
      pool.shutdownNow();
    }
  }

  /** A body whose parts come at intervals, so that all bodies of a test grow side by side. */
  private static final class SlowStart extends ByteArrayInputStream {
    SlowStart(byte[] bytes) {
      super(bytes);
    }

    @Override
    public synchronized int read(byte[] to, int from, int length) {
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return super.read(to, from, length);
    }
  }

  @Test(timeout = 60_000)
  public void aPageForWhichThereIsNoMemoryIsLeftToALaterRound() throws Exception {
    RawServer server = pages((request, out) -> RawServer.page(out, "x".repeat(1 << 20)));
    int most = (int) (Runtime.getRuntime().maxMemory() / 8);
    InputStream zeros =
        new InputStream() {
          @Override
          public int read() {
            return 0;
          }

          @Override
          public int read(byte[] to, int from, int length) {
            return length;
          }
        };
    try (Body all = Body.read(zeros, most, false)) {
      assertEquals(most, all.bytes().length);
      ProtocolOutput output = fetch(server.url("/page"));
      assertEquals(ProtocolStatus.RETRY, output.getStatus().getCode());
      assertNull(output.getContent());
    }
    assertEquals(1 << 20, success(fetch(server.url("/page"))).getContent().getContent().length);
  }

  @Test(timeout = 60_000)
  public void aBodyThatFailsGivesItsMemoryBack() throws Exception {
    BodyMemory memory = new BodyMemory(100, 100, 100);
    InputStream broken =
        new SequenceInputStream(
            new ByteArrayInputStream(new byte[1 << 18]),
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw new IOException("broken");
              }
            });
    try {
      Body.read(broken, 1 << 20, false, memory, 10);
      fail("a broken body was read");
    } catch (IOException e) {
      assertEquals("broken", e.getMessage());
    }
    assertEquals(300, memory.free(0) + memory.free(1) + memory.free(2));
  }

  @Test(timeout = 60_000)
  public void onlyACallerThatClosesPagesGetsPagesToClose() throws Exception {
    RawServer server = pages((request, out) -> RawServer.page(out, "x".repeat(1 << 17)));
    assertFalse(success(fetch(server.url("/page"))) instanceof AutoCloseable);
    conf.setBoolean(HttpProtocol.HELD, true);
    ProtocolOutput held = success(fetch(server.url("/page")));
    assertEquals(1 << 17, held.getContent().getContent().length);
    ((AutoCloseable) held).close();
    conf.setBoolean(HttpProtocol.HELD, false);
  }

  @Test(timeout = 60_000)
  public void aLargeSitemapIsStoredInGzipAndWholeAndOtherAnswersAsTheyCome() throws Exception {
    CrawlDatum list = new CrawlDatum();
    list.getMetaData().put(Links.LIST_MARK, new Text("0"));
    byte[] map =
        ("<?xml version='1.0'?><urlset>"
                + "<url><loc>http://a.test/page</loc></url>\n".repeat(200_000)
                + "</urlset>")
            .getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(gzip)) {
      out.write(map);
    }
    byte[] page = "<html><p>gone".getBytes(StandardCharsets.UTF_8);
    RawServer server =
        pages(
            (request, out) -> {
              RawServer.head(
                  out,
                  200,
                  "Content-Type: "
                      + (request.target.equals("/html") ? "text/html" : "application/xml"));
              out.write(
                  request.target.equals("/gz")
                      ? gzip.toByteArray()
                      : request.target.equals("/html") ? page : map);
            });
    HttpProtocol protocol = protocol();
    Content packed =
        success(protocol.getProtocolOutput(new Text(server.url("/map")), list)).getContent();
    assertEquals("application/gzip", packed.getContentType());
    assertTrue(packed.getContent().length < 1 << 20);
    assertArrayEquals(
        map, new GZIPInputStream(new ByteArrayInputStream(packed.getContent())).readAllBytes());
    assertEquals("false", packed.getMetadata().get(Response.TRUNCATED_CONTENT));
    assertArrayEquals(
        gzip.toByteArray(),
        success(protocol.getProtocolOutput(new Text(server.url("/gz")), list))
            .getContent()
            .getContent());
    assertArrayEquals(
        page,
        success(protocol.getProtocolOutput(new Text(server.url("/html")), list))
            .getContent()
            .getContent());
    assertEquals(
        "no list",
        1 << 20,
        success(fetch(protocol, server.url("/map"))).getContent().getContent().length);
  }

  @Test(timeout = 60_000)
  public void brokenBodiesAreFailuresNotPages() throws Exception {
    assertFails("Content-Encoding: br", "not Brotli at all".getBytes(StandardCharsets.UTF_8));
    assertFails("Content-Encoding: zstd", "<htmlx>".getBytes(StandardCharsets.UTF_8));
    assertFails("Content-Encoding: lzma", TEXT);
    assertFails("Content-Encoding: gzip, gzip, gzip", TEXT);
    assertFails("Content-Length: 100000", TEXT);
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(gzip)) {
      out.write(TEXT);
    }
    assertFails("Content-Encoding: gzip", Arrays.copyOf(gzip.toByteArray(), gzip.size() / 2));
  }

  @Test(timeout = 60_000)
  public void aPartOfABodyIsKeptIfAskedFor() throws Exception {
    conf.setBoolean("http.partial.truncated", true);
    RawServer server =
        pages(
            (request, out) -> {
              RawServer.head(out, 200, "Content-Type: text/html", "Content-Length: 100000");
              out.write(TEXT);
            });
    ProtocolOutput output = success(fetch(server.url("/page")));
    assertArrayEquals(TEXT, output.getContent().getContent());
    assertEquals(
        "disconnect", output.getContent().getMetadata().get(Response.TRUNCATED_CONTENT_REASON));
  }

  @Test(timeout = 60_000)
  public void aLengthThatIsTooShortCutsThePageAndSparesTheNext() throws Exception {
    RawServer server =
        pages((request, out) -> RawServer.page(out, "0123456789", "Content-Length: 4"));
    assertEquals("0123", text(success(fetch(server.url("/1")))));
    assertEquals("0123", text(success(fetch(server.url("/2")))));
  }

  @Test(timeout = 60_000)
  public void anEndlessPageIsCutAtTheLimitAndTheConnectionClosed() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    RawServer server =
        pages(
            (request, out) -> {
              RawServer.head(out, 200, "Content-Type: text/html");
              endless(out, closed);
            });
    assertEquals(1 << 20, success(fetch(server.url("/page"))).getContent().getContent().length);
    assertTrue(closed.await(30, TimeUnit.SECONDS));
  }

  @Test(timeout = 60_000)
  public void aServerThatDripsBytesIsLeftAtTheTimeLimit() throws Exception {
    conf.setInt("http.time.limit", 2);
    for (String part : new String[] {"head", "body"}) {
      RawServer server =
          pages(
              (request, out) -> {
                out.write("HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.UTF_8));
                if (part.equals("body")) {
                  out.write("Content-Type: text/html\r\n\r\n".getBytes(StandardCharsets.UTF_8));
                }
                for (int i = 0; i < 600; i++) {
                  out.write(
                      (part.equals("body") ? "x" : "A: b\r\n").getBytes(StandardCharsets.UTF_8));
                  out.flush();
                  Thread.sleep(100);
                }
              });
      long start = System.nanoTime();
      assertEquals(
          part, ProtocolStatus.EXCEPTION, fetch(server.url("/page")).getStatus().getCode());
      assertTrue(part, System.nanoTime() - start < TimeUnit.SECONDS.toNanos(20));
    }
  }

  @Test(timeout = 60_000)
  public void redirectsAreReturnedAndNotFollowed() throws Exception {
    int[] code = {0};
    String[] location = {null};
    RawServer server =
        pages(
            (request, out) -> {
              if (location[0] == null) {
                RawServer.head(out, code[0]);
              } else {
                RawServer.head(out, code[0], "Location: " + location[0]);
              }
            });
    location[0] = "/to?a=1#part";
    for (int[] pair :
        new int[][] {
          {301, ProtocolStatus.MOVED},
          {308, ProtocolStatus.MOVED},
          {302, ProtocolStatus.TEMP_MOVED},
          {303, ProtocolStatus.TEMP_MOVED},
          {307, ProtocolStatus.TEMP_MOVED}
        }) {
      code[0] = pair[0];
      ProtocolOutput output = fetch(server.url("/from"));
      assertEquals(pair[1], output.getStatus().getCode());
      assertEquals(server.url("/to?a=1"), output.getStatus().getMessage());
    }
    assertEquals(0, server.count("/to?a=1"));
    for (String nowhere :
        new String[] {null, "javascript:alert(1)", "file:///etc/passwd", "http://[bad/"}) {
      location[0] = nowhere;
      assertEquals(nowhere, ProtocolStatus.GONE, fetch(server.url("/from")).getStatus().getCode());
    }
  }

  @Test(timeout = 60_000)
  public void aRedirectToAnotherSpellingOfTheRowIsFollowed() throws Exception {
    RawServer server =
        pages(
            (request, out) -> {
              switch (request.target) {
                case "/~poet":
                  RawServer.head(out, 301, "Location: /%7Epoet");
                  break;
                case "/page":
                  RawServer.head(out, 302, "Location: /page;jsessionid=0A1B2C3D4E5F");
                  break;
                case "/%7Epoet":
                case "/page;jsessionid=0A1B2C3D4E5F":
                  RawServer.page(out, "<p>the page");
                  break;
                default:
                  RawServer.head(out, 302, "Location: /loop?fbclid=" + System.nanoTime());
              }
            });
    for (String path : new String[] {"/~poet", "/page"}) {
      ProtocolOutput output = success(fetch(server.url(path)));
      assertEquals("<p>the page", text(output));
      assertEquals(server.url(path), output.getContent().getUrl());
    }
    assertEquals(ProtocolStatus.TEMP_MOVED, fetch(server.url("/loop")).getStatus().getCode());
    assertEquals(
        1 + SessionCookies.MAX_REDIRECTS,
        server.requests.stream().filter(request -> request.target.startsWith("/loop")).count());
  }

  @Test(timeout = 60_000)
  public void codesAreGivenToNutchByItsOwnNames() throws Exception {
    int[] code = {0};
    RawServer server = pages((request, out) -> RawServer.head(out, code[0]));
    for (int[] pair :
        new int[][] {
          {304, ProtocolStatus.NOTMODIFIED},
          {401, ProtocolStatus.ACCESS_DENIED},
          {403, ProtocolStatus.ACCESS_DENIED},
          {404, ProtocolStatus.NOTFOUND},
          {410, ProtocolStatus.GONE},
          {429, ProtocolStatus.RETRY},
          {451, ProtocolStatus.ACCESS_DENIED},
          {500, ProtocolStatus.EXCEPTION},
          {503, ProtocolStatus.EXCEPTION}
        }) {
      code[0] = pair[0];
      assertEquals("" + code[0], pair[1], fetch(server.url("/page")).getStatus().getCode());
    }
  }

  @Test(timeout = 60_000)
  public void aPageThatWasFetchedBeforeIsAskedForByDateAndTag() throws Exception {
    RawServer server =
        pages(
            (request, out) -> {
              if ("\"v1\"".equals(request.headers.get("If-None-Match"))) {
                RawServer.head(out, 304);
              } else {
                RawServer.page(
                    out, "text", "ETag: \"v1\"", "Last-Modified: Tue, 15 Nov 1994 12:45:26 GMT");
              }
            });
    HttpProtocol protocol = protocol();
    CrawlDatum datum = new CrawlDatum();
    ProtocolOutput first = protocol.getProtocolOutput(new Text(server.url("/page")), datum);
    assertEquals(784_903_526_000L, success(first).getStatus().getLastModified());
    assertFalse(server.requests.get(1).headers.containsKey("If-Modified-Since"));
    datum.setModifiedTime(784_903_526_000L);
    ProtocolOutput second = protocol.getProtocolOutput(new Text(server.url("/page")), datum);
    assertEquals(ProtocolStatus.NOTMODIFIED, second.getStatus().getCode());
    assertNull(second.getContent());
    assertEquals(
        "Tue, 15 Nov 1994 12:45:26 GMT", server.requests.get(2).headers.get("If-Modified-Since"));
    conf.setBoolean("http.enable.if.modified.since.header", false);
    success(protocol().getProtocolOutput(new Text(server.url("/page")), datum));
  }

  @Test(timeout = 60_000)
  public void noAnswerThrowsIntoTheFetcher() throws Exception {
    String[] heads = {
      "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
      "HTTP/1.1 99999 x\r\n\r\n",
      "HTTP/9.9 200 OK\r\n\r\n",
      "HTTP/1.1 200 OK\r\n: x\r\n\r\n",
      "HTTP/1.1 200 OK\r\nA\u0000b: c\r\n\r\n",
      "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
      "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
      "HTTP/1.1 100 Continue\r\n\r\n",
      "HTTP/1.1 204 No\r\n" + "Content-Length: 5\r\n\r\nabcde",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx",
      "HTTP/1.1 200 OK\r\n"
          + "Content-Type: \u0000/\u00ff;;charset=\r\n"
          + "Last-Modified: Foo, 99 Bar 0000 99:99:99 GMT\r\n\r\n"
          + "x",
      "SSH-2.0-x\r\n",
      "",
      "HTTP/1.1 301 x\r\nLocation: http://_\u00e1\u00b3\u00b8/\r\n\r\n",
      "HTTP/1.1 401 x\r\nWWW-Authenticate: ,,,=\"\r\n\r\n",
      "HTTP/1.1 407 x\r\nProxy-Authenticate: Basic\r\n\r\n",
      "HTTP/1.1 408 x\r\nConnection: close\r\n\r\n",
      "HTTP/1.1 200 OK\r\nETag: \"\u00ff\"\r\n\r\nx"
    };
    for (String head : heads) {
      RawServer pages =
          pages((request, out) -> out.write(head.getBytes(StandardCharsets.ISO_8859_1)));
      assertNotNull(head, fetch(pages.url("/page")).getStatus());
      RawServer robots =
          new RawServer((request, out) -> out.write(head.getBytes(StandardCharsets.ISO_8859_1)));
      open(robots);
      assertNotNull(
          head, protocol().getRobotRules(new Text(robots.url("/")), new CrawlDatum(), null));
    }
    for (String url : new String[] {"ftp://a.test/", "http://", "http://[::1"}) {
      assertNotNull(url, protocol().getRobotRules(new Text(url), new CrawlDatum(), null));
      assertEquals(url, ProtocolStatus.GONE, fetch(url).getStatus().getCode());
    }
  }

  @Test(timeout = 60_000)
  public void aTagThatNoRequestMayHaveIsNotSentBack() throws Exception {
    RawServer server = pages((request, out) -> RawServer.page(out, "text", "ETag: \"\u00ff\""));
    CrawlDatum datum = new CrawlDatum();
    HttpProtocol protocol = protocol();
    success(protocol.getProtocolOutput(new Text(server.url("/page")), datum));
    assertNull(datum.getMetaData().get(new Text("crp.et")));
    // A row that has one from before.
    datum.getMetaData().put(new Text("crp.et"), new Text("\"\u00ff\""));
    datum.setModifiedTime(784_903_526_000L);
    success(protocol.getProtocolOutput(new Text(server.url("/page")), datum));
    assertFalse(server.requests.get(2).headers.containsKey("If-None-Match"));
  }

  @Test(timeout = 60_000)
  public void cookiesAreIgnored() throws Exception {
    RawServer server =
        pages((request, out) -> RawServer.page(out, "text", "Set-Cookie: a=b; Path=/"));
    HttpProtocol protocol = protocol();
    for (int i = 0; i < 2; i++) {
      success(fetch(protocol, server.url("/" + i)));
    }
    for (RawServer.Request request : server.requests) {
      assertFalse(request.headers.containsKey("Cookie"));
    }
  }

  @Test(timeout = 60_000)
  public void headersAreKeptAsTheyCameOnlyIfAskedFor() throws Exception {
    RawServer server =
        pages(
            (request, out) ->
                RawServer.page(
                    out,
                    "text",
                    "X-Robots-Tag: noindex",
                    "X-Robots-Tag: nofollow",
                    "_fst_: 33",
                    "nutch.segment.name: x",
                    "_response.headers_: forged",
                    "corpulyzer.sitemap: http://elsewhere.test/"));
    Metadata without = success(fetch(server.url("/page?a=b"))).getContent().getMetadata();
    assertArrayEquals(new String[] {"noindex", "nofollow"}, without.getValues("X-Robots-Tag"));
    for (String own :
        new String[] {
          "_fst_",
          "nutch.segment.name",
          Response.RESPONSE_HEADERS,
          Response.REQUEST,
          Response.IP_ADDRESS,
          HttpProtocol.SITEMAPS
        }) {
      assertNull(own, without.get(own));
    }
    conf.setBoolean("store.http.headers", true);
    conf.setBoolean("store.http.request", true);
    conf.setBoolean("store.ip.address", true);
    Metadata with = success(fetch(server.url("/page?a=b"))).getContent().getMetadata();
    assertTrue(
        with.get(Response.RESPONSE_HEADERS),
        with.get(Response.RESPONSE_HEADERS)
            .startsWith("HTTP/1.1 200 Message\r\nConnection: close\r\nX-Robots-Tag: noindex\r\n"));
    assertTrue(with.get(Response.RESPONSE_HEADERS).endsWith("\r\n\r\n"));
    assertTrue(
        with.get(Response.REQUEST),
        with.get(Response.REQUEST).startsWith("GET /page?a=b HTTP/1.1\r\nUser-Agent: tester\r\n"));
    assertEquals("127.0.0.1", with.get(Response.IP_ADDRESS));
  }

  @Test(timeout = 60_000)
  public void http2IsSpokenWithTlsAndItsHeadersHaveTheUsualNames() throws Exception {
    HeldCertificate certificate =
        new HeldCertificate.Builder().addSubjectAlternativeName("localhost").build();
    MockWebServer server = new MockWebServer();
    open(server);
    server.useHttps(
        new HandshakeCertificates.Builder()
            .heldCertificate(certificate)
            .build()
            .sslSocketFactory());
    server.enqueue(new MockResponse.Builder().code(404).build());
    server.enqueue(
        new MockResponse.Builder()
            .code(200)
            .setHeader("content-type", "text/html; charset=utf-8")
            .body("two")
            .build());
    server.start(InetAddress.getByName("127.0.0.1"), 0);
    conf.setBoolean("store.http.headers", true);
    Robots.forget(server.getPort());
    ProtocolOutput output = success(fetch("https://localhost:" + server.getPort() + "/page"));
    assertEquals("two", text(output));
    assertEquals("text/html; charset=utf-8", output.getContent().getMetadata().get("Content-Type"));
    assertTrue(
        output
            .getContent()
            .getMetadata()
            .get(Response.RESPONSE_HEADERS)
            .startsWith("HTTP/2 200\r\n"));
    conf.setBoolean("http.tls.certificates.check", true);
    // The rules of the host are known, so the page itself is asked for.
    assertEquals(
        ProtocolStatus.EXCEPTION,
        fetch("https://localhost:" + server.getPort() + "/page").getStatus().getCode());
  }

  @Test(timeout = 60_000)
  public void privateAddressesAreNotAskedUnlessAllowed() throws Exception {
    RawServer server = pages((request, out) -> RawServer.page(out, "secret"));
    conf.set(PublicAddresses.ALLOW_PRIVATE, "elsewhere.test,host");
    conf.set(UrlFilter.ALLOW, "127.0.0.1,localhost,1,0.0.0.0");
    for (String host :
        new String[] {
          "127.0.0.1",
          "localhost",
          "2130706433",
          "0x7f.1",
          "[::1]",
          "[::ffff:127.0.0.1]",
          "0.0.0.0",
          "[64:ff9b::7f00:1]",
          "[2002:7f00:1::]"
        }) {
      ProtocolOutput output = fetch("http://" + host + ":" + server.port() + "/page");
      assertFalse(host, output.getStatus().isSuccess());
      assertNull(host, output.getContent());
    }
    assertEquals(0, server.requests.size());
    for (String address :
        new String[] {
          "10.1.2.3",
          "172.16.0.1",
          "192.168.1.1",
          "169.254.169.254",
          "100.64.0.1",
          "fc00::1",
          "fe80::1",
          "0.1.2.3",
          "224.0.0.1",
          "255.255.255.255",
          "198.18.0.1",
          "192.0.0.1",
          "240.0.0.1",
          "::127.0.0.1",
          "64:ff9b:1::808:808",
          "64:ff9b::a00:1",
          "2001:0:7f00:1::1",
          "fd00::2"
        }) {
      assertTrue(address, PublicAddresses.isPrivate(InetAddress.getByName(address)));
    }
    for (String address :
        new String[] {
          "8.8.8.8",
          "172.32.0.1",
          "100.128.0.1",
          "192.0.2.1",
          "2001:db8::1",
          "2002:808:808::1",
          "64:ff9b::808:808"
        }) {
      assertFalse(address, PublicAddresses.isPrivate(InetAddress.getByName(address)));
    }
  }

  @Test(timeout = 60_000)
  public void aNameThatLeadsToThisMachineAtItsNextLookupIsNotConnectedTo() throws Exception {
    RawServer server = pages((request, out) -> RawServer.page(out, "secret"));
    InetAddress here = InetAddress.getByName("127.0.0.1");
    InetAddress nobody = InetAddress.getByName("192.0.2.1");
    AtomicInteger lookups = new AtomicInteger();
    PublicAddresses guard =
        new PublicAddresses(
            List.of(),
            host ->
                List.of(List.of(nobody), List.of(here), List.of(nobody, here))
                    .get(lookups.getAndIncrement() % 3));
    assertEquals("the first lookup is public", List.of(nobody), guard.lookup("rebinds.test"));
    OkHttpClient client =
        new OkHttpClient.Builder()
            .dns(guard)
            .addInterceptor(guard)
            .connectTimeout(100, TimeUnit.MILLISECONDS)
            .build();
    Request request =
        new Request.Builder().url("http://rebinds.test:" + server.port() + "/page").build();
    for (int i = 0; i < 9; i++) {
      assertThrows(IOException.class, () -> client.newCall(request).execute());
    }
    assertTrue(lookups + " lookups", lookups.get() > 9);
    assertEquals(0, server.requests.size());
  }

  @Test(timeout = 60_000)
  public void aProxyIsNotAskedForThisMachineInAnyNotation() throws Exception {
    RawServer server = pages((request, out) -> RawServer.page(out, "secret"));
    asProxy(server);
    conf.set(PublicAddresses.ALLOW_PRIVATE, "elsewhere.test");
    for (String host :
        new String[] {
          "localhost",
          "LOCALHOST.",
          "a.localhost",
          "\u24dbocalhost",
          "0177.0.0.1",
          "0177.0.0.1.",
          "127.0.0.1.",
          "127.1",
          "0x7f00000a",
          "0X7F.0.0.0xa",
          "2130706433",
          "127.0.0.01"
        }) {
      assertFalse(host, fetch("http://" + host + "/page").getStatus().isSuccess());
    }
    assertEquals(0, server.requests.size());
    assertEquals("secret", text(success(fetch("http://notlocalhost/page"))));
  }

  @Test(timeout = 60_000)
  public void aHostThatMovedToHttpsIsNotAskedTwice() throws Exception {
    RawServer server =
        pages(
            (request, out) -> {
              boolean found =
                  request.target.contains("/page") || request.target.contains("a.test/index");
              RawServer.head(
                  out,
                  found ? 301 : 302,
                  "Location: "
                      + request.target.replace("http://", "https://")
                      + (found ? "" : "?x"));
            });
    asProxy(server);
    HttpProtocol protocol = protocol();
    assertEquals(
        ProtocolStatus.TEMP_MOVED, fetch(protocol, "http://a.test/1").getStatus().getCode());
    assertEquals("http://a.test/1", normalized("http://a.test/1"));
    ProtocolOutput moved = fetch(protocol, "http://a.test/page");
    assertEquals("https://a.test/page", moved.getStatus().getMessage());
    int before = server.requests.size();
    ProtocolOutput known = fetch(protocol, "http://a.test/2?q");
    assertEquals(ProtocolStatus.MOVED, known.getStatus().getCode());
    assertEquals("https://a.test/2?q", known.getStatus().getMessage());
    assertEquals(before, server.requests.size());
    assertEquals("https://a.test/1", normalized("http://a.test/1"));
    assertEquals("http://a.test:8080/1", normalized("http://a.test:8080/1"));
    assertEquals("http://b.test/1", normalized("http://b.test/1"));
  }

  @Test(timeout = 60_000)
  public void requestsToOneAddressKeepTheirDistance() throws Exception {
    IpGate gate = new IpGate(200, 300);
    InetAddress one = InetAddress.getByName("192.0.2.1");
    long start = System.nanoTime();
    assertTrue(gate.enter(one));
    assertTrue(gate.enter(one));
    assertTrue(gate.enter(InetAddress.getByName("192.0.2.2")));
    assertTrue(System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(200));
    InetAddress busy = InetAddress.getByName("192.0.2.3");
    IpGate strict = new IpGate(10_000, 300);
    assertTrue(strict.enter(busy));
    assertFalse("a wait over the limit is no wait", strict.enter(busy));
  }

  private static String normalized(String url) throws Exception {
    UrlNormalizer normalizer = new UrlNormalizer();
    normalizer.setConf(new Configuration(false));
    return normalizer.normalize(url, null);
  }

  private void assertFails(String header, byte[] body) throws Exception {
    RawServer server =
        pages(
            (request, out) -> {
              RawServer.head(out, 200, "Content-Type: text/html", header);
              out.write(body);
            });
    ProtocolOutput output = fetch(server.url("/page"));
    assertEquals(header, ProtocolStatus.EXCEPTION, output.getStatus().getCode());
    assertNull(header, output.getContent());
    assertNotNull(header, output.getStatus().getMessage());
  }

  private static void endless(OutputStream out, CountDownLatch closed) {
    try {
      for (byte[] some = new byte[1 << 16]; ; ) {
        out.write(some);
      }
    } catch (IOException e) {
      closed.countDown();
    }
  }

  /** A server without robots.txt, whose pages have this type and text. */
  private RawServer pages(String type, String text) throws IOException {
    return pages(
        (request, out) -> {
          RawServer.head(out, 200, "Content-Type: " + type);
          out.write(text.getBytes(StandardCharsets.UTF_8));
        });
  }

  /** A server without robots.txt. */
  private RawServer pages(RawServer.Answer answer) throws IOException {
    return open(
        new RawServer(
            (request, out) -> {
              if (request.target.endsWith("/robots.txt")) {
                RawServer.head(out, 404);
              } else {
                answer.write(request, out);
              }
            }));
  }

  private static ProtocolOutput success(ProtocolOutput output) {
    assertEquals(
        output.getStatus().toString(), ProtocolStatus.SUCCESS, output.getStatus().getCode());
    return output;
  }

  private static String text(ProtocolOutput output) {
    return new String(output.getContent().getContent(), StandardCharsets.UTF_8);
  }
}
