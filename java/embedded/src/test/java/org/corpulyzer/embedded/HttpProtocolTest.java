package org.corpulyzer.embedded;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.protocol.ProtocolOutput;
import org.apache.nutch.protocol.ProtocolStatusCodes;
import org.apache.nutch.protocol.ProtocolStatusUtils;
import org.apache.nutch.storage.WebPage;
import org.corpulyzer.embedded.companion.HttpProtocol;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** What a server's Content-Type header makes of its answer. The server is a proxy on loopback, as for every host of the test. */
public class HttpProtocolTest {
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final HttpProtocol protocol = new HttpProtocol();
  private HttpServer server;
  private volatile String type;
  private volatile String body = "text";

  @Before
  public void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
    Configuration conf = new Configuration(false);
    conf.set("http.agent.name", "tester");
    conf.set("http.proxy.host", "127.0.0.1");
    conf.setInt("http.proxy.port", server.getAddress().getPort());
    conf.setInt("http.content.limit", -1);
    conf.setFloat("fetcher.server.delay", 0);
    protocol.setConf(conf);
  }

  @After
  public void stop() {
    server.stop(0);
    threads.shutdownNow();
  }

  @Test(timeout = 60_000)
  public void whatMayBeAPageIsRead() {
    for (String mayBe : new String[] {"text/html", "TEXT/HTML; charset=utf-8", "application/xhtml+xml", "application/xml", "application/rss+xml",
        "text/plain", "utf-8", null}) {
      type = mayBe;
      ProtocolOutput output = fetch("http://a.test/page");
      assertEquals(mayBe, ProtocolStatusCodes.SUCCESS, output.getStatus().getCode().intValue());
      assertEquals(mayBe, "text", new String(output.getContent().getContent(), StandardCharsets.UTF_8));
    }
  }

  @Test(timeout = 60_000)
  public void ofAnythingElseNothingIsReadAndItIsNotAskedForAgain() throws Exception {
    for (String other : new String[] {"application/pdf", "image/png", "Video/MP4; codecs=x", "application/octet-stream", "application/json"}) {
      type = other;
      ProtocolOutput output = fetch("http://b.test/page");
      assertEquals(other, ProtocolStatusCodes.GONE, output.getStatus().getCode().intValue());
      assertEquals("Content-Type " + other, ProtocolStatusUtils.getMessage(output.getStatus()));
      assertNull(other, output.getContent());
    }
    // This body has no end: only who does not read it comes back, and the server notices that the connection is closed.
    type = "application/zip";
    assertEquals(ProtocolStatusCodes.GONE, fetch("http://b.test/endless").getStatus().getCode().intValue());
    assertTrue("the connection is closed", closed.await(30, TimeUnit.SECONDS));
  }

  @Test(timeout = 60_000)
  public void whatIsCalledBytesAloneIsAPageIfItBeginsAsOne() {
    for (String bytes : new String[] {"application/octet-stream", "Binary/Octet-Stream; charset=x"}) {
      type = bytes;
      for (String page : new String[] {"<!DOCTYPE html>\n<p>a", " \r\n<HTML>", "\uFEFF<html lang=ur>", "<!-- a > b -->\n<!-- -->\n<head>", "<title>a</title>",
          "<?xml version='1.0'?><html/>"}) {
        body = page + new String(new char[5000]).replace('\0', 'x');
        ProtocolOutput output = fetch("http://c.test/page");
        assertEquals(page, ProtocolStatusCodes.SUCCESS, output.getStatus().getCode().intValue());
        assertEquals(page, body, new String(output.getContent().getContent(), StandardCharsets.UTF_8));
        assertTrue(output.getContent().getContentType(), output.getContent().getContentType().matches("text/html|application/x(ht)?ml(\\+xml)?"));
      }
      for (String other : new String[] {"", "text", "PK\u0003\u0004 <html>", "<htmlx>", "<p", "%PDF-1.4", "{}", "<! --", "MZ"}) {
        body = other;
        assertEquals(other, ProtocolStatusCodes.GONE, fetch("http://c.test/page").getStatus().getCode().intValue());
      }
    }
    type = "application/octet-stream";
    assertEquals(ProtocolStatusCodes.GONE, fetch("http://c.test/endless").getStatus().getCode().intValue());
  }

  private ProtocolOutput fetch(String url) {
    return protocol.getProtocolOutput(url, WebPage.newBuilder().build());
  }

  private void answer(HttpExchange exchange) throws IOException {
    if (type != null) {
      exchange.getResponseHeaders().set("Content-Type", type);
    }
    switch (exchange.getRequestURI().getPath()) {
      case "/robots.txt":
        exchange.sendResponseHeaders(404, -1);
        break;
      case "/endless":
        exchange.sendResponseHeaders(200, 0);
        try {
          for (byte[] some = new byte[1 << 16]; ; ) {
            exchange.getResponseBody().write(some);
          }
        } catch (IOException e) {
          closed.countDown();
        }
        break;
      default:
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
    }
    exchange.close();
  }
}
