package org.corpulyzer.corpus;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.corpulyzer.engine.NativeLibrary;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Statement;
import org.corpulyzer.fixtures.WarcRecords;
import org.junit.BeforeClass;
import org.junit.Test;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcRequest;
import org.netpreserve.jwarc.WarcResponse;
import org.netpreserve.jwarc.WarcTruncationReason;

public class DocumentWriterTest {

  private static final CrawlDescription CRAWL =
      new CrawlDescription("a crawler", "a crawl", "ur", "a bot", null);

  @BeforeClass
  public static void load() {
    NativeLibrary.load("");
  }

  private static byte[] written(DocumentFormat format, PageForTests... pages) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DocumentWriter writer = DocumentWriter.of(format, out, "file", CRAWL)) {
      for (PageForTests page : pages) {
        writer.write(page, page.text());
      }
    }
    return out.toByteArray();
  }

  /**
   * The file was written by Jackson 1.9, which wrote the lines of earlier releases; a single
   * surrogate, which has no UTF-8, is a question mark since.
   */
  @Test
  public void jsonLinesHaveTheBytesThatEarlierReleasesWrote() throws IOException {
    StringBuilder text =
        new StringBuilder(
            "یہ \"اردو\" ہے۔\n"
                + "دوسری سطر\twith \\ and / \u2028 \u2029 𐍈 <&'=>\u00a0\u0080\u07ff\u0800\uffff ");
    for (char c = 0; c < 0x80; c++) {
      text.append(c);
    }
    text.append("lone \ud800 \udc00x\ud83d");
    PageForTests[] pages = new PageForTests[2];
    for (int n = 0; n < 2; n++) {
      PageForTests page =
          new PageForTests("example.a:http/" + n, "http://a.example/" + n)
              .figure(PageKeys.CHARSET, "utf-8")
              .figure(PageKeys.RAW_BYTES, "1234")
              .figure(PageKeys.VISIBLE_BYTES, "99")
              .figure(PageKeys.DECISION, "keep 60 bytes")
              .figure(PageKeys.VERSION, "2 web-am/1")
              .figure(PageKeys.MAIN_BYTES, n == 0 ? "72" : "no number");
      page.signature = new byte[] {1, (byte) 0xab};
      page.text = text.toString();
      if (n == 0) {
        page.figure(PageKeys.LANGUAGES, "urd:60,eng:9,a\"b:9223372036854775807")
            .figure(PageKeys.LANGUAGE_SET, "urd:87");
        page.round = 1_700_000_000L;
        page.fetchMillis = 1_700_000_000_123L;
        page.title = "عنوان";
      } else {
        page.figure(PageKeys.LANGUAGES, "urd=60");
      }
      pages[n] = page;
    }
    assertArrayEquals(
        WarcRecords.all(DocumentWriterTest.class.getResourceAsStream("/documents.jsonl")),
        written(DocumentFormat.jsonl, pages));
    assertEquals(0, written(DocumentFormat.jsonl).length);
  }

  /** The tests of {@code rust/collect} read the same file. */
  @Test
  public void jsonLinesHaveTheBytesThatCollectWrites() throws IOException {
    PageForTests full =
        new PageForTests("pk.a:http/", "http://a.pk/")
            .figure(PageKeys.CHARSET, "utf-8")
            .figure(PageKeys.RAW_BYTES, "1234")
            .figure(PageKeys.VISIBLE_BYTES, "99")
            .figure(PageKeys.MAIN_BYTES, "11")
            .figure(PageKeys.LANGUAGES, "urd:9,eng:2")
            .figure(PageKeys.LANGUAGE_SET, "urd:82,eng:18")
            .figure(PageKeys.DECISION, "keep 9 bytes")
            .figure(PageKeys.VERSION, "2 web-am/1")
            .figure(Statement.PUBLISHED.key(), "2026-10-31")
            .figure(Statement.LICENSE_URL.key(), "http://a.pk/\"\n")
            .figure(
                Statement.ALTERNATES.key(),
                "[{\"lang\":\"en\",\"url\":\"http://a.pk/\\uD83D\\uDE00\"},{}]");
    full.round = 3;
    full.fetchMillis = Instant.parse("2026-11-01T10:00:00Z").toEpochMilli();
    full.title = "عنوان";
    full.text = "\"a\\b\"\n\t\u0001\u007f\ud83d\ude00\u06cc\u2028/";
    full.signature = new byte[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, (byte) 0xff};
    PageForTests empty = new PageForTests("pk.b:http/", "http://b.pk/");
    empty.contentType = "";
    Path vectors =
        Paths.get(
            System.getProperty("corpulyzer.root"), "tests", "vectors", "documents", "lines.jsonl");
    assertEquals(
        new String(Files.readAllBytes(vectors), StandardCharsets.UTF_8),
        new String(written(DocumentFormat.jsonl, full, empty), StandardCharsets.UTF_8));
  }

  @Test
  public void statementsAreFieldsUnlessTheStoreHasWhatIsNoJson() throws IOException {
    PageForTests page = new PageForTests("a", "http://a.example/");
    String before = new String(written(DocumentFormat.jsonl, page), StandardCharsets.UTF_8);
    assertFalse(before, before.contains("published") || before.contains("reservation"));
    page.figure(Statement.PUBLISHED.key(), "2024-03-12")
        .figure(Statement.LICENSE_URL.key(), "http://a.example/\"\n")
        .figure(Statement.LICENSE.key(), "")
        .figure(Statement.RESERVATION.key(), "{\"noai\":{\"noai\":\"meta\"}}")
        .figure(Statement.ALTERNATES.key(), "[],\"url\":\"http://b.example/\"");
    assertEquals(
        before.replace(
            "}\n",
            ",\"published\":\"2024-03-12\",\"license_url\":\"http://a.example/\\\"\\n\","
                + "\"reservation\":{\"noai\":{\"noai\":\"meta\"}}}\n"),
        new String(written(DocumentFormat.jsonl, page), StandardCharsets.UTF_8));
  }

  /** The records' types, and what a strict reader has of the response and the request. */
  private static final class Warc {
    private final List<String> types = new ArrayList<>();
    private String response;
    private int status;
    private String body;
    private String request;
    private Optional<String> address = Optional.empty();
    private WarcTruncationReason truncation;
    private String responseId;
    private String requestOf;

    Warc(PageForTests page) throws IOException {
      try (WarcReader reader =
          new WarcReader(new ByteArrayInputStream(written(DocumentFormat.warc, page)))) {
        reader.onWarning(
            warning -> {
              throw new AssertionError(warning);
            });
        for (WarcRecord record : reader) {
          types.add(record.type());
          if (record instanceof WarcResponse) {
            WarcResponse answer = (WarcResponse) record;
            status = answer.http().status();
            response = new String(answer.http().serializeHeader(), StandardCharsets.UTF_8);
            body =
                new String(WarcRecords.all(answer.http().body().stream()), StandardCharsets.UTF_8);
            address = record.headers().first("WARC-IP-Address");
            truncation = record.truncated();
            responseId = record.headers().first("WARC-Record-ID").get();
          } else if (record instanceof WarcRequest) {
            request =
                new String(((WarcRequest) record).http().serializeHeader(), StandardCharsets.UTF_8);
            requestOf = record.headers().first("WARC-Concurrent-To").get();
          }
        }
      }
    }
  }

  private static PageForTests fetched(String head) {
    PageForTests page =
        new PageForTests("example.a:http/", "http://a.example/").header("Server", "not verbatim");
    page.content = "<p>body".getBytes(StandardCharsets.UTF_8);
    page.text = "body";
    page.responseHead = head;
    return page;
  }

  @Test
  public void aStoredHeadIsWrittenAsTheServerSentIt() throws IOException {
    PageForTests page =
        fetched(
            "HTTP/1.0 203 Fine enough\r\n"
                + "Set-Cookie: a=1\r\n"
                + "set-cookie: b=2\r\n"
                + "Content-Length: 7\r\n"
                + "X: y\r\n");
    page.request = "GET / HTTP/1.1\r\nHost: a.example\r\nCookie: c\r\n\r\n";
    page.ipAddress = "2001:db8::1";
    page.truncation = "time";
    Warc warc = new Warc(page);
    assertEquals(Arrays.asList("warcinfo", "response", "request", "metadata"), warc.types);
    assertEquals(203, warc.status);
    assertEquals(
        "HTTP/1.0 203 Fine enough\r\n"
            + "Set-Cookie: a=1\r\n"
            + "set-cookie: b=2\r\n"
            + "Content-Length: 7\r\n"
            + "X: y\r\n\r\n",
        warc.response);
    assertEquals("<p>body", warc.body);
    assertEquals("GET / HTTP/1.1\r\nHost: a.example\r\nCookie: c\r\n\r\n", warc.request);
    assertEquals(warc.responseId, warc.requestOf);
    assertEquals(Optional.of("2001:db8::1"), warc.address);
    assertEquals(WarcTruncationReason.TIME, warc.truncation);
  }

  @Test
  public void linesThatDescribeTheEncodedBodyGetOtherNames() throws IOException {
    Warc warc =
        new Warc(
            fetched(
                "HTTP/2 200\r\n"
                    + "Content-Encoding: gzip\r\n"
                    + "Transfer-Encoding: chunked\r\n"
                    + "Content-Length: 5\r\n\r\n"));
    assertEquals(
        "HTTP/1.1 200 \r\n"
            + "X-Crawler-Content-Encoding: gzip\r\n"
            + "X-Crawler-Transfer-Encoding: chunked\r\n"
            + "X-Crawler-Content-Length: 5\r\n"
            + "Content-Length: 7\r\n\r\n",
        warc.response);
    assertEquals("<p>body", warc.body);
  }

  @Test
  public void aHeadOrRequestThatDoesNotReadIsNotWritten() throws IOException {
    for (String head :
        new String[] {
          "",
          "\r\n\r\n",
          "no status",
          "HTTP/1.1 abc\r\nServer: verbatim\r\n",
          "HTTP/1.1 99999 x\r\n"
        }) {
      PageForTests page = fetched(head);
      page.request = head;
      page.ipAddress = "IP\r\nWARC-Type: evil";
      Warc warc = new Warc(page);
      assertEquals(
          "HTTP/1.1 200 OK\r\n"
              + "Server: not verbatim\r\n"
              + "Content-Type: text/html\r\n"
              + "Content-Length: 7\r\n\r\n",
          warc.response);
      assertEquals(Arrays.asList("warcinfo", "response", "metadata"), warc.types);
      assertFalse(warc.address.isPresent());
    }
  }

  @Test
  public void whateverAServerSentTheRecordsAreValid() throws IOException {
    Warc warc =
        new Warc(
            fetched(
                "HTTP/1.1 200 OK\u0000\u2028\r\nA: b\r\n  folded\r\n"
                    + "no colon\r\n: no name\r\na b: c\r\nB: \u0001WARC/1.0\rX\nC: d\r\n\r\nD: e"));
    assertEquals(200, warc.status);
    assertTrue(
        warc.response,
        warc.response.contains(
            "\r\nA: b folded\r\nB: WARC/1.0 X\r\nC: d\r\nD: e\r\nContent-Length: 7\r\n\r\n"));
    assertEquals("<p>body", warc.body);
  }
}
