package org.corpulyzer.crawl.companion;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.protocol.ProtocolOutput;
import org.apache.nutch.protocol.ProtocolStatus;
import org.junit.Test;

/**
 * robots.txt by RFC 9309, against servers on loopback. Each server has a port of its own, so that
 * no rules are known yet.
 */
public class RobotsTest extends LoopbackTest {
  private static final String DENY = "User-agent: *\nDisallow: /no\n";

  @Test(timeout = 60_000)
  public void theGroupOfTheCrawlersNameCountsElseThatOfAll() throws Exception {
    int port =
        robots(
            (request, out) ->
                RawServer.page(
                    out,
                    "User-agent: other\nDisallow: /\n\nUser-agent: Tester\nDisallow: /mine\n\n"
                        + DENY));
    assertTrue(allowed(port, "/no"));
    assertFalse(allowed(port, "/mine/page"));
    int others =
        robots(
            (request, out) ->
                RawServer.page(
                    out,
                    "User-agent: other\nDisallow: /\n\n"
                        + DENY
                        + "Allow: /no/but\nDisallow: /*.x$\n"));
    assertFalse(allowed(others, "/no"));
    assertTrue(allowed(others, "/no/but"));
    assertFalse(allowed(others, "/a.x"));
    assertTrue(allowed(others, "/a.xy"));
  }

  @Test(timeout = 60_000)
  public void severalAgentsMayBeInOneLine() throws Exception {
    int port =
        robots(
            (request, out) ->
                RawServer.page(
                    out,
                    "User-agent: other, Tester,another # all of ours\nDisallow: /no\n\n"
                        + "User-agent: *\nDisallow: /\n"));
    assertFalse(allowed(port, "/no"));
    assertTrue(allowed(port, "/yes"));
    String commas = "User-agent: " + "a,".repeat(4000) + "\n";
    int many = robots((request, out) -> RawServer.page(out, commas.repeat(60) + DENY));
    assertFalse(allowed(many, "/no"));
  }

  @Test(timeout = 60_000)
  public void spacesOfEditorsAndFilesInGzipAreRead() throws Exception {
    int spaces =
        robots(
            (request, out) ->
                RawServer.page(out, "User-agent:\u00a0*\u00a0\n\u00a0Disallow:\u00a0/no\n"));
    assertFalse(allowed(spaces, "/no"));
    assertTrue(allowed(spaces, "/yes"));
    String joined =
        "\ufeffUser-agent: other\nAllow: /\n\n\ufeffUser-agent: *\n\u200bDisallow: /no\n";
    int marks = robots((request, out) -> RawServer.page(out, joined));
    assertFalse(allowed(marks, "/no"));
    assertTrue(allowed(marks, "/yes"));
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(DENY.getBytes(StandardCharsets.UTF_8));
    }
    int gzip =
        robots(
            (request, out) -> {
              RawServer.head(out, 200, "Content-Type: application/x-gzip");
              out.write(packed.toByteArray());
            });
    assertFalse("without Content-Encoding", allowed(gzip, "/no"));
    assertTrue(allowed(gzip, "/yes"));
  }

  @Test(timeout = 60_000)
  public void withoutTheFileAllIsPermitted() throws Exception {
    for (int code : new int[] {400, 401, 403, 404, 410, 418}) {
      int port = robots((request, out) -> RawServer.head(out, code));
      assertTrue("" + code, allowed(port, "/no"));
      assertEquals("" + code, ProtocolStatus.SUCCESS, fetch(port, "/no").getStatus().getCode());
    }
    conf.setBoolean("http.robots.403.allow", false);
    int port = robots((request, out) -> RawServer.head(out, 403));
    assertFalse(allowed(port, "/"));
  }

  @Test(timeout = 50_000)
  public void aHostThatDripsItsReservationsIsLeftSoonAndItsPagesAreFetched() throws Exception {
    conf.setBoolean(HttpProtocol.RESERVATIONS, true);
    RawServer server =
        server(
            (request, out) -> {
              if (request.target.endsWith("/tdmrep.json")) {
                RawServer.head(out, 200, "Content-Type: application/json");
                for (int i = 0; i < 600; i++) {
                  out.write(' ');
                  out.flush();
                  Thread.sleep(100);
                }
              } else {
                RawServer.page(out, DENY);
              }
            });
    long began = System.nanoTime();
    assertEquals(ProtocolStatus.SUCCESS, fetch(server.port(), "/a").getStatus().getCode());
    assertTrue(System.nanoTime() - began < 40_000_000_000L);
  }

  @Test(timeout = 60_000)
  public void whileTheFileCannotBeHadNothingIsFetchedAndTheRowWaits() throws Exception {
    for (int code : new int[] {429, 500, 503}) {
      RawServer server = server((request, out) -> RawServer.head(out, code));
      for (int i = 0; i < 2; i++) {
        ProtocolOutput output = fetch(server.port(), "/" + i);
        assertEquals("" + code, ProtocolStatus.RETRY, output.getStatus().getCode());
        assertNull(output.getContent());
      }
      assertEquals("robots.txt alone, and once", 1, server.requests.size());
    }
    RawServer gone = server((request, out) -> {});
    gone.close();
    assertEquals(ProtocolStatus.RETRY, fetch(gone.port(), "/").getStatus().getCode());
    int dead = robots((request, out) -> {});
    assertEquals(
        "an answer without a word", ProtocolStatus.RETRY, fetch(dead, "/").getStatus().getCode());
    int cut =
        robots(
            (request, out) -> {
              RawServer.head(out, 200, "Content-Type: text/plain", "Content-Length: 1000");
              out.write("User-agent: *\n".getBytes(StandardCharsets.UTF_8));
            });
    assertEquals(
        "the rest may forbid the page",
        ProtocolStatus.RETRY,
        fetch(cut, "/").getStatus().getCode());
  }

  @Test(timeout = 60_000)
  public void aRedirectLeadsToNoHostThatTheListsLeaveOut() throws Exception {
    int[] asked = {0};
    RawServer other =
        server(
            (request, out) -> {
              asked[0]++;
              RawServer.page(out, "");
            });
    RawServer server =
        server(
            (request, out) ->
                RawServer.head(
                    out, 301, "Location: http://127.0.0.1:" + other.port() + "/robots.txt"));
    conf.set(PublicAddresses.ALLOW_PRIVATE, "localhost,127.0.0.1");
    conf.set(UrlFilter.DENY, "127.0.0.1");
    assertEquals(ProtocolStatus.RETRY, fetch(server.port(), "/").getStatus().getCode());
    assertEquals(0, asked[0]);
  }

  @Test(timeout = 60_000)
  public void fiveRedirectsAreFollowedAndMoreMeanNoFile() throws Exception {
    for (int last : new int[] {5, 6}) {
      RawServer server =
          server(
              (request, out) -> {
                int step =
                    request.target.equals("/robots.txt")
                        ? 0
                        : Integer.parseInt(request.target.substring(1));
                if (step < last) {
                  RawServer.head(out, 301 + step % 2, "Location: /" + (step + 1));
                } else {
                  RawServer.page(out, DENY);
                }
              });
      assertEquals("" + last, last > 5, allowed(server.port(), "/no"));
    }
    RawServer loop = server((request, out) -> RawServer.head(out, 301, "Location: /robots.txt"));
    assertTrue(allowed(loop.port(), "/no"));
    assertEquals(6, loop.requests.size());
  }

  @Test(timeout = 60_000)
  public void aRedirectToAnotherHostCountsForTheFirst() throws Exception {
    RawServer other = server((request, out) -> RawServer.page(out, DENY));
    int port =
        robots(
            (request, out) ->
                RawServer.head(
                    out, 302, "Location: http://localhost:" + other.port() + "/elsewhere"));
    assertFalse(allowed(port, "/no"));
    assertTrue(allowed(port, "/yes"));
  }

  @Test(timeout = 60_000)
  public void aRedirectToAPrivateAddressIsNotFollowed() throws Exception {
    conf.set(PublicAddresses.ALLOW_PRIVATE, "localhost");
    RawServer secret = server((request, out) -> RawServer.page(out, ""));
    for (String host : new String[] {"127.0.0.1", "[::ffff:7f00:1]", "0x7f000001"}) {
      int port =
          robots(
              (request, out) ->
                  RawServer.head(out, 302, "Location: http://" + host + ":" + secret.port() + "/"));
      assertEquals(host, ProtocolStatus.RETRY, fetch(port, "/").getStatus().getCode());
    }
    assertEquals(0, secret.requests.size());
  }

  @Test(timeout = 60_000)
  public void fiveHundredKibibytesAreReadAndNoMore() throws Exception {
    String filler = "# " + "x".repeat(1021) + "\n";
    assertEquals(1024, filler.length());
    int within = robots((request, out) -> RawServer.page(out, filler.repeat(499) + DENY));
    assertFalse(allowed(within, "/no"));
    int endless =
        robots(
            (request, out) -> {
              RawServer.page(out, DENY);
              for (byte[] more = filler.repeat(64).getBytes(StandardCharsets.UTF_8); ; ) {
                out.write(more);
              }
            });
    assertFalse("what comes first counts", allowed(endless, "/no"));
    int beyond = robots((request, out) -> RawServer.page(out, filler.repeat(501) + DENY));
    assertTrue(allowed(beyond, "/no"));
  }

  @Test(timeout = 60_000)
  public void rulesAreAskedForOnceAHost() throws Exception {
    RawServer server =
        server(
            (request, out) ->
                RawServer.page(out, request.target.equals("/robots.txt") ? DENY : "text"));
    for (int i = 0; i < 3; i++) {
      allowed(server.port(), "/" + i);
      fetch(server.port(), "/" + i);
    }
    assertEquals(1, server.count("/robots.txt"));
  }

  @Test(timeout = 60_000)
  public void hostsOnOneAddressAreAskedOneAfterTheOther() throws Exception {
    conf.setFloat(HttpProtocol.IP_DELAY, 0.4f);
    List<Long> times = new ArrayList<>();
    HttpProtocol protocol = protocol();
    for (int i = 0; i < 3; i++) {
      int port =
          robots(
              (request, out) -> {
                times.add(System.nanoTime());
                RawServer.page(out, DENY);
              });
      protocol.getRobotRules(new Text("http://localhost:" + port + "/"), new CrawlDatum(), null);
    }
    for (int i = 1; i < 3; i++) {
      assertTrue(
          (times.get(i) - times.get(i - 1)) / 1_000_000 + " ms",
          times.get(i) - times.get(i - 1) > 300_000_000L);
    }
  }

  @Test(timeout = 60_000)
  public void delayIsReadInMilliseconds() throws Exception {
    int port = robots((request, out) -> RawServer.page(out, "User-agent: *\nCrawl-delay: 7\n"));
    assertEquals(
        7000,
        protocol()
            .getRobotRules(new Text("http://localhost:" + port + "/"), new CrawlDatum(), null)
            .getCrawlDelay());
  }

  @Test(timeout = 60_000)
  public void aDelayOfMoreThanAnIntegerIsTheLongestAndNotNone() throws Exception {
    String[] longest = {
      "Crawl-delay: 2147483648", "crawl-delay:99999999999999999999", "\tCrawl delay 9999999999 # x"
    };
    for (String line : longest) {
      assertEquals(line, 999_999_999_000L, delay(line));
    }
    assertTrue(delay("Crawl-delay: 1.0e400") > 999_999_999_000L);
    assertEquals(5000, delay("Crawl-delay: 0000000005"));
    assertEquals(10_000, delay("Crawl-delay: 10\nHost: 9999999999.test"));
  }

  private long delay(String line) throws Exception {
    int port = robots((request, out) -> RawServer.page(out, "User-agent: *\n" + line + "\n"));
    return protocol()
        .getRobotRules(new Text("http://localhost:" + port + "/"), new CrawlDatum(), null)
        .getCrawlDelay();
  }

  @Test(timeout = 200_000)
  public void aLineWithoutEndIsLeftOut() throws Exception {
    // The parser removes tags from each line in a time of its length by itself.
    String html = "<html>" + "<".repeat(490_000) + "\n" + DENY;
    int port = robots((request, out) -> RawServer.page(out, html));
    assertFalse(allowed(port, "/no"));
    String path = "/" + "a".repeat(RobotsText.MAX_LINE_BYTES - "Disallow: /".length());
    String lines =
        "User-agent: *\nDisallow: " + path + "\nDisallow: " + path.replace('a', 'b') + "b";
    int longest = robots((request, out) -> RawServer.page(out, lines));
    assertFalse(allowed(longest, path));
    assertTrue(allowed(longest, path.replace('a', 'b') + "b"));
  }

  @Test(timeout = 200_000)
  public void theRulesOfAllHostsShareTheirMemory() throws Exception {
    StringBuilder many = new StringBuilder("User-agent: *\n");
    for (int i = 0; many.length() < 480 * 1024; i++) {
      many.append("Disallow: /").append(i).append('\n');
    }
    RawServer server =
        server((request, out) -> RawServer.page(out, many.toString(), "Connection: close"));
    asProxy(server);
    HttpProtocol protocol = protocol();
    int hosts = (int) (Runtime.getRuntime().maxMemory() / 8 / (480 * 1024 * 4));
    for (int i = 0; i <= hosts; i++) {
      Text url = new Text("http://h" + i % hosts + ".test/1");
      assertFalse(protocol.getRobotRules(url, new CrawlDatum(), null).isAllowed(url.toString()));
    }
    assertEquals("the first host is asked again", 2, server.count("/h0.test/robots.txt"));
  }

  @Test(timeout = 60_000)
  public void sitemapsOfTheHostComeWithItsFirstPageAlone() throws Exception {
    int port =
        robots(
            (request, out) -> {
              if (request.target.equals("/robots.txt")) {
                robotsWithSitemaps(request, out);
              } else {
                RawServer.page(out, "text");
              }
            });
    List<String> first =
        Arrays.asList(
            fetch(port, "/1").getContent().getMetadata().getValues(HttpProtocol.SITEMAPS));
    assertEquals(100, first.size());
    assertEquals("http://localhost:" + port + "/map.xml", first.get(0));
    assertEquals("http://localhost:" + port + "/map0.xml", first.get(1));
    assertEquals(
        0, fetch(port, "/2").getContent().getMetadata().getValues(HttpProtocol.SITEMAPS).length);
  }

  private static void robotsWithSitemaps(RawServer.Request request, OutputStream out)
      throws IOException {
    StringBuilder text =
        new StringBuilder("Sitemap: http://")
            .append(request.headers.get("Host"))
            .append("/map.xml\n")
            .append("Sitemap: http://elsewhere.test/map.xml\n");
    for (int i = 0; i < 120; i++) {
      text.append("Sitemap: http://")
          .append(request.headers.get("Host"))
          .append("/map")
          .append(i)
          .append(".xml\n");
    }
    RawServer.page(out, text.toString());
  }

  /** A server whose robots.txt is answered so, and whose pages all are. */
  private int robots(RawServer.Answer answer) throws IOException {
    return server(
            (request, out) -> {
              if (request.target.equals("/no")) {
                RawServer.page(out, "text");
              } else {
                answer.write(request, out);
              }
            })
        .port();
  }

  private RawServer server(RawServer.Answer answer) throws IOException {
    return open(new RawServer(answer));
  }

  private boolean allowed(int port, String path) {
    String url = "http://localhost:" + port + path;
    return protocol().getRobotRules(new Text(url), new CrawlDatum(), null).isAllowed(url);
  }

  private ProtocolOutput fetch(int port, String path) {
    return fetch("http://localhost:" + port + path);
  }
}
