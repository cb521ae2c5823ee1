package org.corpulyzer.crawl;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/** A handful of hosts behind an HTTP proxy on loopback, with the requests it saw. */
final class TinyWeb implements AutoCloseable {
  static final String URDU =
      "لاہور میں کل شام ہونے والی بارش کے بعد شہر کی کئی سڑکوں پر پانی جمع ہو گیا اور لوگوں کو گھر"
          + " پہنچنے میں دشواری ہوئی۔ محکمہ موسمیات کے مطابق آئندہ دو دن تک بارش کا سلسلہ جاری رہے"
          + " گا جس سے گرمی کی شدت میں کمی آئے گی۔ ";
  private static final String ENGLISH =
      "The council met on Tuesday evening to discuss the new library, which is to open next spring"
          + " in the old railway station, and the members agreed that the reading room should stay"
          + " open until late. ";

  private static final String TDM = "/.well-known/tdmrep.json";

  /** Addresses of pages that were asked for, in their order; files of hosts are not in it. */
  final List<String> requests = new CopyOnWriteArrayList<>();

  /** Hosts that were asked for tdmrep.json, in their order. */
  final List<String> tdmRequests = new CopyOnWriteArrayList<>();

  private final Map<String, byte[]> pages = new ConcurrentHashMap<>();
  private final Map<String, String> robots = new ConcurrentHashMap<>();
  private final Map<String, Integer> statuses = new ConcurrentHashMap<>();
  private final Map<String, String> locations = new ConcurrentHashMap<>();
  private final Map<String, Map<String, String>> headers = new ConcurrentHashMap<>();
  private final HttpServer server;
  private volatile long delayMillis;
  private volatile CountDownLatch held = new CountDownLatch(0);
  private volatile Runnable witness = () -> {};

  TinyWeb() throws IOException {
    this(0);
  }

  TinyWeb(int port) throws IOException {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext("/", this::answer);
    server.setExecutor(
        Executors.newFixedThreadPool(
            8,
            task -> {
              Thread thread = new Thread(task, "tiny web");
              thread.setDaemon(true);
              return thread;
            }));
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** An answer with another status, and with a Location if there is one. */
  void other(String url, int status, String location) {
    statuses.put(url, status);
    if (location != null) {
      locations.put(url, location);
    }
  }

  String proxy() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  /** Called at each request, while the crawl is in the middle of its work. */
  void setWitness(Runnable witness) {
    this.witness = witness;
  }

  /** Time before each answer. */
  void setDelayMillis(long millis) {
    delayMillis = millis;
  }

  /** Answers nobody until {@link #release}, so that a crawl stays in its fetch phase. */
  void hold() {
    held = new CountDownLatch(1);
  }

  void release() {
    held.countDown();
  }

  void urdu(String url, String... links) {
    page(
        url,
        "<html lang=ur><head><meta charset=utf-8><title>خبر</title></head><body>",
        URDU,
        links);
  }

  /** An Urdu page whose text has a number, which another page may have too. */
  void urduNumber(int number, String url, String... links) {
    page(
        url,
        "<html lang=ur><head><meta charset=utf-8><title>خبر</title></head><body>",
        "خبر نمبر " + number + ": " + URDU,
        links);
  }

  /**
   * An Urdu page that states its days, licence, reservations and alternates, with fields of its
   * head that reserve something too.
   */
  void urduWithStatements(String url, String... links) {
    page(
        url,
        "<html lang=ur><head><meta charset=utf-8><title>خبر</title>"
            + "<meta property=article:published_time content=2024-03-12>"
            + "<meta property=article:modified_time content=2024-03-15T10:00:00Z>"
            + "<meta name=license content=https://creativecommons.org/licenses/by/4.0/>"
            + "<meta name=tdm-policy content='https://one.test/\"\\&#x1F600;'>"
            + "<meta name=robots content=noimageai>"
            + "<link rel=alternate hreflang=en href=/en><link rel=alternate hreflang=fa href=/fa>"
            + "<link rel=alternate hreflang=ps href=/ps><link rel=alternate hreflang=sd href=/sd>"
            + "<link rel=alternate hreflang=pa href=/pa></head><body>",
        URDU,
        links);
    headers.put(
        url,
        Map.of(
            "tdm-reservation", "1",
            "Content-Usage", "train-ai=n",
            "Content-Signal", "search=yes, ai-train=no",
            "X-Robots-Tag", "otherbot: noindex, noai"));
  }

  void english(String url, String... links) {
    page(
        url,
        "<html lang=en><head><meta charset=utf-8><title>News</title></head><body>",
        ENGLISH,
        links);
  }

  /** An Urdu page with a comment of this size in its head: a page of low byte yield. */
  void heavyUrdu(String url, int bytes, String... links) {
    page(
        url,
        "<html lang=ur><head><meta charset=utf-8><title>خبر</title><!--"
            + "x".repeat(bytes)
            + "--></head><body>",
        URDU,
        links);
  }

  /** An Urdu page that forbids indexing. */
  void noindex(String url, String... links) {
    page(
        url,
        "<html lang=ur><head><meta charset=utf-8><meta name=robots"
            + " content=noindex><title>نجی</title></head><body>",
        URDU,
        links);
  }

  /** A page with this HTML. */
  void html(String url, String html) {
    pages.put(url, html.getBytes(StandardCharsets.UTF_8));
  }

  void robots(String host, String rules) {
    robots.put(host, rules);
  }

  /** The host's file of the TDM Reservation Protocol. */
  void tdm(String host, String rules) {
    pages.put("http://" + host + TDM, rules.getBytes(StandardCharsets.UTF_8));
  }

  private void page(String url, String head, String sentence, String... links) {
    StringBuilder html = new StringBuilder("<!doctype html>").append(head);
    for (int paragraph = 0; paragraph < 5; paragraph++) {
      html.append("<p>").append(sentence).append(sentence).append("</p>\n");
    }
    html.append("<ul>");
    for (String link : links) {
      html.append("<li><a href=\"").append(link).append("\">").append(link).append("</a></li>");
    }
    pages.put(url, html.append("</ul></body></html>").toString().getBytes(StandardCharsets.UTF_8));
  }

  private void answer(HttpExchange exchange) throws IOException {
    String url = exchange.getRequestURI().toString();
    boolean isRobots = exchange.getRequestURI().getPath().equals("/robots.txt");
    witness.run();
    byte[] body;
    if (isRobots) {
      String rules = robots.get(exchange.getRequestURI().getHost());
      body = rules == null ? null : rules.getBytes(StandardCharsets.UTF_8);
    } else {
      if (exchange.getRequestURI().getPath().equals(TDM)) {
        tdmRequests.add(exchange.getRequestURI().getHost());
      } else {
        requests.add(url);
      }
      body = pages.get(url);
    }
    try {
      Thread.sleep(delayMillis);
      held.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    exchange.getResponseHeaders().set("Content-Type", isRobots ? "text/plain" : "text/html");
    headers.getOrDefault(url, Map.of()).forEach(exchange.getResponseHeaders()::set);
    if (locations.containsKey(url)) {
      exchange.getResponseHeaders().set("Location", locations.get(url));
    }
    exchange.sendResponseHeaders(
        statuses.getOrDefault(url, body == null ? 404 : 200), body == null ? -1 : body.length);
    if (body != null) {
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
