package org.corpulyzer.crawl.companion;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import org.apache.nutch.protocol.ProtocolOutput;
import org.apache.nutch.protocol.ProtocolStatus;
import org.junit.Before;
import org.junit.Test;

/** Hosts that show a page only to those who send the cookie of a redirect back. */
public class SessionCookiesTest extends LoopbackTest {
  private RawServer server;

  @Before
  public void setUp() throws Exception {
    server = open(new RawServer(SessionCookiesTest::answer));
  }

  private static void answer(RawServer.Request request, OutputStream out) throws IOException {
    String cookie = request.headers.getOrDefault("Cookie", "");
    switch (request.target) {
      case "/robots.txt":
        RawServer.page(out, "User-agent: *\nDisallow: /closed\n");
        break;
      case "/check":
        RawServer.head(out, 302, "Location: /page", "Set-Cookie: second=2; Path=/; HttpOnly");
        break;
      case "/page":
        if (cookie.contains("first=1") && cookie.contains("second=2")) {
          RawServer.page(out, "the page", "Set-Cookie: tracker=3");
        } else {
          RawServer.head(out, 302, "Location: /check", "Set-Cookie: first=1; Path=/");
        }
        break;
      case "/story":
        if (cookie.contains("seen=1")) {
          RawServer.page(out, "the story");
        } else {
          RawServer.head(out, 307, "Location: /visit?to=%2Fstory&x=1");
        }
        break;
      case "/visit?to=%2Fstory&x=1":
        RawServer.head(out, 303, "Location: /story", "Set-Cookie: seen=1; Path=/");
        break;
      case "/":
        if (cookie.contains("begun=1")) {
          RawServer.page(out, "the start");
        } else {
          RawServer.head(out, 302, "Location: /begin?next=/");
        }
        break;
      case "/begin?next=/":
        RawServer.head(out, 302, "Location: /", "Set-Cookie: begun=1; Path=/");
        break;
      case "/self":
        RawServer.head(out, 302, "Location: /self", "Set-Cookie: n=1");
        break;
      case "/new":
        RawServer.head(out, 302, "Location: /target", "Set-Cookie: n=1; Path=/");
        break;
      case "/away":
        RawServer.head(out, 302, "Location: http://b.test/", "Set-Cookie: n=1");
        break;
      case "/forbidden":
        RawServer.head(out, 302, "Location: /closed", "Set-Cookie: n=1");
        break;
      case "/plain":
        RawServer.head(out, 301, "Location: /target");
        break;
      default:
        RawServer.page(out, "text");
    }
  }

  @Test(timeout = 60_000)
  public void withoutTheOptionNoCookieIsSent() {
    ProtocolOutput output = fetch(url("/page"));
    assertEquals(ProtocolStatus.TEMP_MOVED, output.getStatus().getCode());
    assertEquals(url("/check"), output.getStatus().getMessage());
    assertEquals(2, server.requests.size());
  }

  @Test(timeout = 60_000)
  public void thePageBehindRedirectsWithCookiesIsFetched() {
    conf.setBoolean(SessionCookies.ENABLED, true);
    HttpProtocol protocol = protocol();
    ProtocolOutput output = fetch(protocol, url("/page"));
    assertEquals(
        output.getStatus().toString(), ProtocolStatus.SUCCESS, output.getStatus().getCode());
    assertEquals("the page", new String(output.getContent().getContent(), StandardCharsets.UTF_8));
    assertEquals(url("/page"), output.getContent().getUrl());
    fetch(protocol, url("/other"));
    String sent = server.requests.get(server.requests.size() - 1).headers.get("Cookie");
    assertEquals("cookies of pages are ignored", "first=1; second=2", sent);
    assertNull(
        "each crawl has its own",
        server.requests.stream()
            .filter(request -> request.target.equals("/page"))
            .collect(Collectors.toList())
            .get(0)
            .headers
            .get("Cookie"));
  }

  @Test(timeout = 60_000)
  public void aCheckThatSetsItsCookieLaterIsPassed() {
    conf.setBoolean(SessionCookies.ENABLED, true);
    for (String path : new String[] {"/story", "/"}) {
      ProtocolOutput output = fetch(url(path));
      assertEquals(
          output.getStatus().toString(), ProtocolStatus.SUCCESS, output.getStatus().getCode());
      assertEquals(url(path), output.getContent().getUrl());
    }
  }

  @Test(timeout = 60_000)
  public void otherRedirectsStayRedirects() {
    conf.setBoolean(SessionCookies.ENABLED, true);
    assertMoved(ProtocolStatus.TEMP_MOVED, "/new", url("/target"));
    assertMoved(ProtocolStatus.TEMP_MOVED, "/away", "http://b.test/");
    assertMoved(ProtocolStatus.TEMP_MOVED, "/forbidden", url("/closed"));
    assertEquals(0, server.count("/closed"));
    assertMoved(ProtocolStatus.MOVED, "/plain", url("/target"));
    assertMoved(ProtocolStatus.TEMP_MOVED, "/self", url("/self"));
    assertEquals(1 + SessionCookies.MAX_REDIRECTS, server.count("/self"));
  }

  private void assertMoved(int status, String from, String to) {
    ProtocolOutput output = fetch(url(from));
    assertEquals(from, status, output.getStatus().getCode());
    assertEquals(to, output.getStatus().getMessage());
  }

  private String url(String path) {
    return "http://localhost:" + server.port() + path;
  }
}
