package org.corpulyzer.crawl.companion;

import crawlercommons.robots.BaseRobotRules;
import crawlercommons.robots.SimpleRobotRules;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.MalformedURLException;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import okhttp3.Call;
import okhttp3.Connection;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.io.MapWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.net.protocols.HttpDateFormat;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.protocol.Protocol;
import org.apache.nutch.protocol.ProtocolOutput;
import org.apache.nutch.protocol.ProtocolStatus;
import org.apache.nutch.util.MimeUtil;
import org.corpulyzer.engine.PageKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches http and https with OkHttp: HTTP/2 if the server supports it, bodies in gzip, Brotli and
 * Zstandard. A redirect is returned as a redirect, and Nutch decides about it. The fetcher keeps
 * the delay between requests to a host, and {@link IpGate} the delay between requests to an IP
 * address. Cookies are ignored, except those of {@link SessionCookies}. If the header of a response
 * names a type that the crawl does not read, its body is not read and its row becomes {@code gone},
 * so the page is not fetched again before Nutch's schedule for rows of that status. If the header
 * names only {@code application/octet-stream}, the first bytes decide if the body is a page. For a
 * page that was fetched before, the request has If-None-Match and If-Modified-Since.
 *
 * <p>Properties are those of Nutch's own plugins: {@code http.agent.*}, {@code http.timeout},
 * {@code http.time.limit}, {@code http.content.limit}, {@code http.partial.truncated}, {@code
 * http.useHttp2}, {@code http.proxy.host}, {@code http.proxy.port}, {@code http.accept}, {@code
 * http.accept.language}, {@code http.enable.if.modified.since.header}, {@code
 * http.tls.certificates.check}, {@code http.robots.*}, {@code store.http.headers}, {@code
 * store.http.request}, {@code store.ip.address}, {@code fetcher.server.delay}; and {@link
 * #IP_DELAY}, {@link #HELD}, {@link Types}, {@link HttpsHosts#FILE}.
 */
public final class HttpProtocol extends Configured implements Protocol {
  /**
   * Seconds between the starts of two requests to one IP address, 0 for no limit. Default 0.1. No
   * effect with a proxy.
   */
  public static final String IP_DELAY = "corpulyzer.crawl.ip.delay";

  /**
   * Whether the caller closes outputs that are {@link AutoCloseable}, once their bytes are stored.
   * Default false.
   */
  public static final String HELD = "corpulyzer.crawl.bodies.held";

  /**
   * Whether hosts are asked for {@code /.well-known/tdmrep.json}, and the rules of both files on
   * the use of pages are stored. Default true.
   */
  public static final String RESERVATIONS = "corpulyzer.crawl.reservations";

  /**
   * Key of the content's metadata: sitemaps of the host, one value for each, with the first page of
   * a host.
   */
  static final String SITEMAPS = "corpulyzer.sitemap";

  /** Key of the content's metadata: a command made the stored page, see {@link Renderer}. */
  static final String RENDERED = "_corpulyzer.rendered_";

  private static final String RENDERED_TYPE = "text/html; charset=utf-8";

  /** Key of the content's metadata: robots.txt of the host names no sitemap. */
  static final String NO_SITEMAP = "corpulyzer.sitemap.none";

  /** {@link PageKeys#LIST_NEXT} as Hadoop has it. */
  private static final Text LIST_NEXT = new Text(PageKeys.LIST_NEXT);

  private static final Logger LOG = LoggerFactory.getLogger(HttpProtocol.class);

  private static final String BEGIN = "(\u00ef\u00bb\u00bf)?\\s*+<";
  private static final String TAGS = "!--|(!doctype html|html|head|title|body|meta";

  /**
   * The tags at the beginning of a page, from the MIME Sniffing Standard (WHATWG, 7.1), which also
   * states the number of bytes to search. For safety, browsers save such a file instead of showing
   * it. The crawl shows it to nobody, so it may read it.
   */
  private static final Pattern PAGE =
      Pattern.compile(BEGIN + "(" + TAGS + "|\\?xml)[\\s/>])", Pattern.CASE_INSENSITIVE);

  /** How HTML begins. An XML declaration may begin a feed. */
  private static final Pattern HTML =
      Pattern.compile(BEGIN + "(" + TAGS + ")[\\s/>])", Pattern.CASE_INSENSITIVE);

  /**
   * How documents begin: PDF, RTF, Word and the like before 2007, and packages of Office and
   * OpenDocument, whose first file has one of these names.
   */
  private static final Pattern DOCUMENT =
      Pattern.compile(
          "%PDF-|\\{\\\\rtf|\u00d0\u00cf\u0011\u00e0\u00a1\u00b1|PK\u0003\u0004(?s:.{26})"
              + "(\\[Content_Types\\]\\.xml|_rels/|docProps/|word/|ppt/|xl/"
              + "|mimetypeapplication/vnd\\.oasis)");

  private static final String PAGE_TYPE = "text/html";

  /** Of a document: Nutch looks for another type in its bytes. */
  private static final String BYTES_TYPE = "application/octet-stream";

  /** Of a sitemap or feed that was compressed here. */
  private static final String LIST_TYPE = "application/gzip";

  private static final int SNIFFED_BYTES = 1445;

  /**
   * Names in the style of Nutch's own keys of the metadata, such as {@code _fst_}: a server must
   * not set these.
   */
  private static final Pattern OWN_KEY = Pattern.compile("[._]");

  private static final Pattern WHOLE_RANGE =
      Pattern.compile("\\s*bytes\\s+0-([0-9]{1,15})/([0-9]{1,15})\\s*");

  /** A refresh within 5 seconds, as {@code meta} elements have it (HTML Standard). */
  private static final Pattern REFRESH =
      Pattern.compile(
          "\\s*(?:0*[0-5](?:[.][0-9.]*)?|[.][0-9.]*)(?:\\s*[;,]|\\s)\\s*(?:url\\s*=\\s*)?"
              + "(?:\"(?<double>[^\"]+).*|'(?<single>[^']+).*|(?<bare>[^\"'].*))",
          Pattern.CASE_INSENSITIVE);

  private static final int MAX_HEADERS = 200;
  private static final int MAX_HEADER_CHARACTERS = 4096;
  private static final int MAX_ETAG_CHARACTERS = 256;

  /** Key of a row's metadata: the ETag header of the last fetched response. */
  private static final Text ETAG = new Text("crp.et");

  private Clients client;
  private PublicAddresses addresses;
  private IpGate gate;
  private Robots robots;
  private HttpsHosts httpsHosts;
  private Renderer renderer;
  private final UrlNormalizer normalizer = new UrlNormalizer();
  private SessionCookies cookies;
  private long hopMillis;
  private MimeUtil mimeTypes;
  private MimeUtil declaredTypes;
  private String userAgent;
  private String accept;
  private String acceptLanguage;
  private int maxBytes;
  private boolean sitemaps;
  private boolean documents;
  private boolean conditional;
  private boolean keepPartial;
  private boolean holds;
  private boolean storeHeaders;
  private boolean storeRequest;
  private boolean storeAddress;

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    if (conf == null) {
      return;
    }
    PublicAddresses guard =
        new PublicAddresses(conf.getTrimmedStringCollection(PublicAddresses.ALLOW_PRIVATE));
    // A proxy looks names up itself.
    addresses = HttpClients.proxy(conf) == null ? guard : null;
    long callMillis = HttpClients.callMillis(conf);
    client = HttpClients.of(conf, guard, HttpProtocol::record);
    gate = new IpGate((long) (conf.getFloat(IP_DELAY, 0.1f) * 1000), callMillis);
    httpsHosts = HttpsHosts.of(conf);
    normalizer.setConf(conf);
    cookies = conf.getBoolean(SessionCookies.ENABLED, false) ? new SessionCookies() : null;
    hopMillis = (long) (conf.getFloat("fetcher.server.delay", 5f) * 1000);
    setHeaders(conf);
    setBodies(conf);
    setTypes(conf);
    renderer = Renderer.of(conf, maxBytes);
    robots = robots(conf);
  }

  /** What requests say. */
  private void setHeaders(Configuration conf) {
    userAgent = Agent.header(conf);
    accept = conf.getTrimmed("http.accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1");
    acceptLanguage = conf.getTrimmed("http.accept.language", "*");
    conditional = conf.getBoolean("http.enable.if.modified.since.header", true);
  }

  /** What is read and stored of responses. */
  private void setBodies(Configuration conf) {
    int limit = conf.getInt("http.content.limit", 1 << 20);
    maxBytes = limit < 0 ? Integer.MAX_VALUE - 8 : limit;
    keepPartial = conf.getBoolean("http.partial.truncated", false);
    holds = conf.getBoolean(HELD, false);
    storeHeaders = conf.getBoolean("store.http.headers", false);
    storeRequest = conf.getBoolean("store.http.request", false);
    storeAddress = conf.getBoolean("store.ip.address", false);
  }

  /** Which types of content are read. */
  private void setTypes(Configuration conf) {
    sitemaps = conf.getBoolean(Types.SITEMAPS, true);
    documents = conf.getBoolean(Types.DOCUMENTS, false);
    mimeTypes = new MimeUtil(conf);
    Configuration declared = new Configuration(conf);
    declared.setBoolean("mime.type.magic", false);
    declaredTypes = new MimeUtil(declared);
  }

  private Robots robots(Configuration conf) {
    UrlFilter lists = new UrlFilter();
    lists.setConf(conf);
    return new Robots(
        client,
        this::enter,
        lists::permits,
        Agent.names(conf),
        userAgent,
        hopMillis,
        conf.getInt("http.robots.redirect.max", 5),
        conf.getBoolean("http.robots.403.allow", true),
        conf.getBoolean(RESERVATIONS, true) ? this::hostFile : null);
  }

  @Override
  public BaseRobotRules getRobotRules(Text url, CrawlDatum datum, List<Content> robotsTxtContent) {
    HttpUrl parsed = HttpUrl.parse(url.toString());
    if (parsed == null) {
      // The request for the page reports the fault of the URL.
      return new SimpleRobotRules(SimpleRobotRules.RobotRulesMode.ALLOW_ALL);
    }
    Robots.Rules rules = robots.rules(httpsHosts.upgrade(parsed));
    if (robotsTxtContent != null) {
      robotsTxtContent.addAll(rules.usage().takeFiles());
    }
    return rules.nutch();
  }

  @Override
  public ProtocolOutput getProtocolOutput(Text url, CrawlDatum datum) {
    HttpUrl asked = HttpUrl.parse(url.toString());
    if (asked == null) {
      return status(ProtocolStatus.GONE, "not an http or https URL: " + url);
    }
    HttpUrl address = httpsHosts.upgrade(asked);
    if (!address.equals(asked)) {
      return status(ProtocolStatus.MOVED, address.toString());
    }
    Robots.Rules rules = robots.rules(address);
    if (rules.isUnavailable()) {
      ProtocolStatus unavailable = new ProtocolStatus(ProtocolStatus.RETRY);
      unavailable.setArgs(
          new String[] {
            Failures.ofRobots(address.host(), rules.failure()), PageKeys.HOST_UNAVAILABLE
          });
      return new ProtocolOutput(null, unavailable);
    }
    try {
      if (!enter(address.host())) {
        return status(ProtocolStatus.RETRY, IpGate.BUSY + ": " + address.host());
      }
      return fetch(url.toString(), address, datum, rules);
    } catch (IOException | RuntimeException e) {
      // OkHttp throws unchecked exceptions for some responses and addresses that it does not
      // accept.
      httpsHosts.failed(address);
      return status(ProtocolStatus.EXCEPTION, Failures.message(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return status(ProtocolStatus.RETRY, "interrupted");
    }
  }

  /**
   * Asks for a page. Redirects that set cookies are followed at once, with the delay of the host:
   * the page is at the end of them.
   */
  private ProtocolOutput fetch(String url, HttpUrl address, CrawlDatum datum, Robots.Rules rules)
      throws IOException, InterruptedException {
    HttpUrl at = address;
    for (int hops = 0; ; hops++) {
      Wire wire = new Wire();
      Call call = client.newCall(request(at, datum, wire));
      try (Response response = call.execute()) {
        httpsHosts.answered(at, response.header("Strict-Transport-Security"));
        HttpUrl next = withCookies(at, response, rules, hops);
        next = next == null ? ofSameRow(url, at, response, rules, hops) : next;
        if (next == null) {
          return at.equals(address) || response.isRedirect() || isRow(url, at)
              ? output(url, at, datum, rules, call, response, wire)
              : status(ProtocolStatus.TEMP_MOVED, at.toString());
        }
        at = next;
      }
      Thread.sleep(hopMillis);
      if (!enter(at.host())) {
        return status(ProtocolStatus.RETRY, IpGate.BUSY + ": " + at.host());
      }
    }
  }

  /**
   * @return the next address of the same host, if a redirect leads there for a cookie; otherwise
   *     null
   */
  private HttpUrl withCookies(HttpUrl at, Response response, Robots.Rules rules, int hops) {
    if (cookies == null || !response.isRedirect() || hops >= SessionCookies.MAX_REDIRECTS) {
      return null;
    }
    HttpUrl to = location(at, response);
    boolean isSet = cookies.take(at, response);
    return to != null
            && (isSet || hops > 0 || leadsBack(at, to))
            && to.host().equals(at.host())
            && to.scheme().equals(at.scheme())
            && to.port() == at.port()
            && rules.nutch().isAllowed(to.toString())
        ? to
        : null;
  }

  /**
   * Whether an address names the one that led to it, as checks do that set a cookie: the query has
   * its path. The path of a start page is part of most queries, so a parameter must be it or the
   * address.
   */
  private static boolean leadsBack(HttpUrl from, HttpUrl to) {
    String query = to.query();
    if (query == null || from.encodedPath().length() > 1) {
      return query != null && query.contains(from.encodedPath());
    }
    return to.queryParameterNames().stream()
        .flatMap(name -> to.queryParameterValues(name).stream())
        .anyMatch(value -> "/".equals(value) || from.toString().equals(value));
  }

  /**
   * @return the address to which a redirect leads, if it is another spelling of the row: one with a
   *     session id, or with other percent codes. Nobody else would follow it. Otherwise null
   */
  private HttpUrl ofSameRow(
      String url, HttpUrl at, Response response, Robots.Rules rules, int hops) {
    HttpUrl found =
        response.isRedirect() && hops < SessionCookies.MAX_REDIRECTS
            ? location(at, response)
            : null;
    HttpUrl to = found == null ? null : httpsHosts.upgrade(found);
    return to != null && !to.equals(at) && isRow(url, to) && rules.nutch().isAllowed(to.toString())
        ? to
        : null;
  }

  /** Returns whether an address is that of a row, whatever its spelling. */
  private boolean isRow(String url, HttpUrl at) {
    try {
      return url.equals(normalizer.normalize(at.toString(), null));
    } catch (MalformedURLException e) {
      return false;
    }
  }

  private boolean enter(String host) throws IOException, InterruptedException {
    return addresses == null || gate.enter(addresses.lookup(host).get(0));
  }

  private Request request(HttpUrl address, CrawlDatum datum, Wire wire) {
    Request.Builder request =
        new Request.Builder()
            .url(address)
            .tag(Wire.class, wire)
            .header("User-Agent", userAgent)
            .header("Accept", accept)
            .header("Accept-Language", acceptLanguage)
            .header("Accept-Encoding", Body.CODINGS);
    String sent = cookies == null ? null : cookies.header(address);
    if (sent != null) {
      request.header("Cookie", sent);
    }
    if (conditional && datum.getModifiedTime() > 0 && !isUnfinished(datum)) {
      request.header("If-Modified-Since", HttpDateFormat.toString(datum.getModifiedTime()));
      Writable etag = datum.getMetaData().get(ETAG);
      if (etag != null && isEtag(etag.toString())) {
        request.header("If-None-Match", etag.toString());
      }
    }
    return request.build();
  }

  /** Whether a list has links that no round has taken, so that its bytes are needed again. */
  private static boolean isUnfinished(CrawlDatum datum) {
    Writable next = datum.getMetaData().get(LIST_NEXT);
    return next != null && !next.toString().equals(PageKeys.LIST_DONE);
  }

  private ProtocolOutput output(
      String url,
      HttpUrl address,
      CrawlDatum datum,
      Robots.Rules rules,
      Call call,
      Response response,
      Wire wire)
      throws IOException {
    int code = response.code();
    switch (code) {
      case 204:
      case 205:
        return status(ProtocolStatus.GONE, "HTTP " + code);
      case 301:
      case 308:
        return redirect(ProtocolStatus.MOVED, address, response);
      case 302:
      case 303:
      case 307:
        return redirect(ProtocolStatus.TEMP_MOVED, address, response);
      case 300:
        return response.header("Location") == null
            ? status(ProtocolStatus.GONE, "HTTP 300")
            : redirect(ProtocolStatus.TEMP_MOVED, address, response);
      case 206:
        return isWhole(response)
            ? page(url, datum, rules, call, response, wire)
            : status(ProtocolStatus.GONE, "HTTP 206, a part of the page");
      case 304:
        return status(ProtocolStatus.NOTMODIFIED, url);
      case 401:
      case 403:
        return refused(ProtocolStatus.ACCESS_DENIED, response);
      case 451:
        return status(ProtocolStatus.ACCESS_DENIED, "HTTP " + code);
      case 404:
        return status(ProtocolStatus.NOTFOUND, url);
      case 408:
      case 425:
        return status(ProtocolStatus.RETRY, "HTTP " + code);
      default:
        if (code >= 200 && code < 300) {
          // A code that is not known counts as the first of its class (RFC 9110, 15).
          return page(url, datum, rules, call, response, wire);
        }
        if (RetryAfter.isRefusal(code) || response.header(RetryAfter.HEADER) != null) {
          return refused(code < 500 ? ProtocolStatus.RETRY : ProtocolStatus.EXCEPTION, response);
        }
        return status(
            code >= 400 && code < 500 ? ProtocolStatus.GONE : ProtocolStatus.EXCEPTION,
            "HTTP " + code);
    }
  }

  /** Returns a status that tells the fetcher to give the host more time, or to leave it. */
  private static ProtocolOutput refused(int status, Response response) {
    Wall wall = wallOf(response);
    return wall == null
        ? refused(status, "HTTP " + response.code(), response)
        : walled(wall, response);
  }

  private static ProtocolOutput refused(int code, String reason, Response response) {
    ProtocolStatus refused = new ProtocolStatus(code);
    Long seconds = RetryAfter.seconds(response);
    refused.setArgs(
        seconds == null
            ? new String[] {reason, PageKeys.REFUSED}
            : new String[] {reason, PageKeys.REFUSED, seconds.toString()});
    return new ProtocolOutput(null, refused);
  }

  /** Returns the kind of wall that a refusal is, by its headers or its page; null if it is none. */
  private static Wall wallOf(Response response) {
    if (Wall.of(response) != null || !Types.isHtml(Types.of(response.header("Content-Type")))) {
      return Wall.of(response);
    }
    try {
      InputStream in = Body.open(response, Wall.LOOKED_AT_BYTES);
      try (Body body = Body.read(in, Wall.LOOKED_AT_BYTES, true)) {
        return Wall.of(response.request().url(), body.bytes());
      } finally {
        Body.close(in);
      }
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Returns the other page to which a Refresh header leads at once, as the refresh of a page would;
   * null if there is none.
   */
  static HttpUrl refresh(HttpUrl from, String header) {
    Matcher refresh = REFRESH.matcher(header == null ? "" : header);
    HttpUrl to = from == null || !refresh.matches() ? null : from.resolve(target(refresh));
    HttpUrl page = to == null ? null : to.newBuilder().fragment(null).build();
    return page == null || page.equals(from.newBuilder().fragment(null).build()) ? null : page;
  }

  private static String target(Matcher refresh) {
    for (String form : new String[] {"double", "single"}) {
      if (refresh.group(form) != null) {
        return refresh.group(form).trim();
      }
    }
    return refresh.group("bare").trim();
  }

  /** Whether the part that a server sent without being asked for it is the whole page. */
  private static boolean isWhole(Response response) {
    String range = response.header("Content-Range");
    if (range == null) {
      return !Types.of(response.header("Content-Type")).startsWith("multipart/");
    }
    Matcher whole = WHOLE_RANGE.matcher(range);
    return whole.matches() && Long.parseLong(whole.group(1)) + 1 == Long.parseLong(whole.group(2));
  }

  private ProtocolOutput page(
      String url, CrawlDatum datum, Robots.Rules rules, Call call, Response response, Wire wire)
      throws IOException {
    HttpUrl next = refresh(HttpUrl.parse(url), response.header("Refresh"));
    if (next != null && !isRow(url, next)) {
      call.cancel();
      return status(ProtocolStatus.TEMP_MOVED, next.toString());
    }
    ReadPage page;
    try {
      page = read(url, datum, call, response);
    } catch (Body.NoMemoryException e) {
      call.cancel();
      return busy(url);
    }
    if (page.body == null) {
      return status(ProtocolStatus.GONE, page.refusal);
    }
    if (Body.NO_MEMORY.equals(page.body.cutReason())) {
      page.body.close();
      // Half a page would count as the page.
      return busy(url);
    }
    boolean isHanded = false;
    try {
      Wall wall = page.isUnpacked ? null : wall(HttpUrl.parse(url), response, page.body);
      if (wall != null) {
        return walled(wall, response);
      }
      ProtocolOutput output = output(url, datum, rules, response, wire, page.type, page.body);
      isHanded = output instanceof Held;
      return output;
    } finally {
      if (!isHanded) {
        page.body.close();
      }
    }
  }

  /**
   * Reads the body of a response, or refuses it by its type or its first bytes. What is not read to
   * its end is cancelled first, because closing alone would read on for a while, to have the
   * connection for the next request.
   */
  private ReadPage read(String url, CrawlDatum datum, Call call, Response response)
      throws IOException {
    String header = response.header("Content-Type");
    String type = Types.of(header);
    boolean sniff = Types.isAnyBytes(type) || documents && Types.isZip(type);
    boolean isList = datum.getMetaData().get(Links.LIST_MARK) != null;
    if (!sniff && !isList && !isRead(type)) {
      return ReadPage.refused(call, "Content-Type " + header);
    }
    PackedList packed = null;
    BufferedInputStream in = Body.open(response, maxBytes);
    try {
      boolean isDocument = sniff && documents && begins(in, DOCUMENT);
      if (sniff && !isList && !isDocument && !beginsAsPage(in)) {
        return ReadPage.refused(call, "Content-Type " + header);
      }
      if (isList && url.endsWith(HtmlParser.GUESS) && begins(in, HTML)) {
        // Many servers send a page for whatever is asked for.
        return ReadPage.refused(call, "no sitemap");
      }
      boolean isPackedList = false;
      if (isList && !begins(in, HTML)) {
        isPackedList = PackedList.isPacked(in);
        packed = isPackedList ? null : PackedList.of(in);
      }
      Body body = Body.read(packed == null ? in : packed, maxBytes, keepPartial || isList);
      if (body.cutReason() != null) {
        call.cancel();
      }
      String stored =
          packed != null || isPackedList
              ? LIST_TYPE
              : !sniff ? null : isDocument ? BYTES_TYPE : PAGE_TYPE;
      return new ReadPage(body, stored, packed != null, null);
    } finally {
      if (packed != null) {
        packed.close();
      }
      Body.close(in);
    }
  }

  /** What was read of a response. */
  private static final class ReadPage {
    /** Null if the response is refused. */
    private final Body body;

    /** The type that the body is stored with, or null for that of the server. */
    private final String type;

    /** A list of addresses, with other bytes than the server sent. */
    private final boolean isUnpacked;

    /** Why the response is refused, or null. */
    private final String refusal;

    private ReadPage(Body body, String type, boolean isUnpacked, String refusal) {
      this.body = body;
      this.type = type;
      this.isUnpacked = isUnpacked;
      this.refusal = refusal;
    }

    static ReadPage refused(Call call, String refusal) {
      call.cancel();
      return new ReadPage(null, null, false, refusal);
    }
  }

  /**
   * @return the HTML that the operator's command makes of a page that needs scripts; null if it is
   *     another page or there is none
   */
  private byte[] rendered(String url, Response response, Body body) {
    if (renderer == null
        || !Types.isHtml(Types.of(response.header("Content-Type")))
        || !NeedsScript.is(body.bytes())) {
      return null;
    }
    try {
      return renderer.html(url, response.request().url().host());
    } catch (IOException e) {
      LOG.info("{} is not rendered: {}", url, e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return null;
  }

  private static Wall wall(HttpUrl url, Response response, Body body) {
    Wall byHeader = Wall.of(response);
    return byHeader != null || !Types.isHtml(Types.of(response.header("Content-Type")))
        ? byHeader
        : Wall.of(url, body.bytes());
  }

  /** A check may let us pass tomorrow. What needs a consent or a log-in is not for us. */
  private static ProtocolOutput walled(Wall wall, Response response) {
    return refused(
        wall == Wall.CHALLENGE ? ProtocolStatus.RETRY : ProtocolStatus.ACCESS_DENIED,
        wall.reason(),
        response);
  }

  private static ProtocolOutput busy(String url) {
    return status(ProtocolStatus.RETRY, "too many large pages at a time: " + url);
  }

  private ProtocolOutput output(
      String url,
      CrawlDatum datum,
      Robots.Rules rules,
      Response response,
      Wire wire,
      String known,
      Body body) {
    String header = known == null ? response.header("Content-Type") : known;
    Metadata metadata = metadata(response.headers(), wire, rules, body.cutReason());
    Writable depth = datum.getMetaData().get(Links.LIST_MARK);
    if (depth != null) {
      metadata.set(PageKeys.LIST_MARK, depth.toString());
      if (isUnfinished(datum)) {
        metadata.set(PageKeys.LIST_NEXT, datum.getMetaData().get(LIST_NEXT).toString());
      }
    }
    keepEtag(datum, response.header("ETag"));
    byte[] rendered = known == null ? rendered(url, response, body) : null;
    if (rendered != null) {
      header = RENDERED_TYPE;
      metadata.set("Content-Type", header);
      // The head describes other bytes.
      metadata.remove(Keys.RESPONSE_HEADERS);
      metadata.set(RENDERED, PageKeys.MARK_SET);
    }
    byte[] bytes = rendered == null ? body.bytes() : rendered;
    // Nutch's detection of types takes as long as the parse of a page: 1.4 ms of processor time for
    // pages of 167 kB.
    boolean isKnown =
        known != null && !known.equals(BYTES_TYPE)
            || Types.isHtml(Types.of(header)) && HTML.matcher(start(bytes)).lookingAt();
    String type = Types.isHtml(Types.of(header)) ? Types.of(header) : header;
    Content content =
        new Content(url, url, bytes, type, metadata, isKnown ? declaredTypes : mimeTypes);
    // The constructor with the content alone is not used: it writes Last-Modified into a status
    // that all threads share.
    ProtocolStatus status = new ProtocolStatus(ProtocolStatus.SUCCESS, lastModified(response));
    return holds ? new Held(content, status, body) : new ProtocolOutput(content, status);
  }

  /** A page whose bytes have their share of the memory until it is closed. */
  private static final class Held extends ProtocolOutput implements AutoCloseable {
    private final Body body;

    private Held(Content content, ProtocolStatus status, Body body) {
      super(content, status);
      this.body = body;
    }

    @Override
    public void close() {
      body.close();
    }
  }

  /** A file of a host as it is stored, with the head of its response. */
  private Content hostFile(HttpUrl url, Response response, Body body) {
    Metadata metadata = new Metadata();
    String type = response.header("Content-Type", "text/plain");
    metadata.set("Content-Type", type);
    if (storeHeaders) {
      String first = version(response) + " " + response.code() + " " + response.message();
      metadata.set(Keys.RESPONSE_HEADERS, text(first, response.headers()));
    }
    metadata.set(Keys.FETCH_TIME, Long.toString(System.currentTimeMillis()));
    return new Content(url.toString(), url.toString(), body.bytes(), type, metadata, declaredTypes);
  }

  private boolean isRead(String type) {
    return Types.isText(type)
        || sitemaps && Types.isGzip(type)
        || documents && Types.isDocument(type);
  }

  static boolean beginsAsPage(BufferedInputStream in) throws IOException {
    return begins(in, PAGE);
  }

  private static boolean begins(BufferedInputStream in, Pattern beginning) throws IOException {
    in.mark(SNIFFED_BYTES);
    byte[] first = in.readNBytes(SNIFFED_BYTES);
    in.reset();
    return beginning.matcher(start(first)).lookingAt();
  }

  private static String start(byte[] bytes) {
    return new String(bytes, 0, Math.min(SNIFFED_BYTES, bytes.length), StandardCharsets.ISO_8859_1);
  }

  private static long lastModified(Response response) {
    String date = response.header("Last-Modified");
    try {
      return date == null ? 0 : HttpDateFormat.toLong(date);
    } catch (ParseException | RuntimeException e) {
      return 0;
    }
  }

  private static void keepEtag(CrawlDatum datum, String etag) {
    MapWritable metadata = datum.getMetaData();
    if (etag == null || !isEtag(etag)) {
      metadata.remove(ETAG);
    } else {
      metadata.put(ETAG, new Text(etag));
    }
  }

  /** Whether a request may have it: OkHttp throws for other characters than these. */
  private static boolean isEtag(String etag) {
    return etag.length() <= MAX_ETAG_CHARACTERS && etag.chars().allMatch(c -> c >= ' ' && c <= '~');
  }

  /**
   * {@code content-type} of HTTP/2 as {@code Content-Type}: Nutch looks headers up by that name.
   */
  private static String capitalized(String name) {
    char[] letters = name.toCharArray();
    for (int i = 0; i < letters.length; i++) {
      if (i == 0 || letters[i - 1] == '-') {
        letters[i] = Character.toUpperCase(letters[i]);
      }
    }
    return new String(letters);
  }

  /**
   * The parser needs the charset and the robots directives of the headers, an export the bytes as
   * they came.
   */
  private Metadata metadata(Headers headers, Wire wire, Robots.Rules rules, String cutReason) {
    Metadata kept = new Metadata();
    for (int i = 0; i < Math.min(headers.size(), MAX_HEADERS); i++) {
      String name = headers.name(i);
      if (!OWN_KEY.matcher(name).find()
          && name.length() + headers.value(i).length() <= MAX_HEADER_CHARACTERS) {
        kept.add(capitalized(name), headers.value(i));
      }
    }
    if (storeHeaders && wire.response != null) {
      kept.set(Keys.RESPONSE_HEADERS, wire.response);
    }
    if (storeRequest && wire.request != null) {
      kept.set(Keys.REQUEST, wire.request);
    }
    if (storeAddress && wire.address != null) {
      kept.set(Keys.IP_ADDRESS, wire.address);
    }
    kept.set(Keys.FETCH_TIME, Long.toString(System.currentTimeMillis()));
    kept.set(Keys.TRUNCATED_CONTENT, Boolean.toString(cutReason != null));
    if (cutReason != null) {
      kept.set(Keys.TRUNCATED_CONTENT_REASON, cutReason);
    }
    rules.usage().addTo(kept);
    if (sitemaps) {
      for (String sitemap : rules.takeSitemaps()) {
        kept.add(SITEMAPS, sitemap);
      }
      if (rules.namesNoSitemap()) {
        kept.set(NO_SITEMAP, PageKeys.MARK_SET);
      }
    }
    return kept;
  }

  private ProtocolOutput redirect(int status, HttpUrl from, Response response) {
    HttpUrl to = location(from, response);
    if (to == null) {
      return status(ProtocolStatus.GONE, "redirect to nowhere: " + response.header("Location"));
    }
    if (status == ProtocolStatus.MOVED) {
      httpsHosts.redirected(from, to);
    }
    return status(status, to.toString());
  }

  /** Returns the http or https URL that a redirect leads to, without its fragment, or null. */
  static HttpUrl location(HttpUrl from, Response response) {
    String location = response.header("Location");
    HttpUrl to = location == null ? null : from.resolve(location);
    return to == null ? null : to.newBuilder().fragment(null).build();
  }

  private static ProtocolOutput status(int status, String message) {
    return new ProtocolOutput(null, new ProtocolStatus(status, message));
  }

  /** Records request and response as they are on the network. */
  private static Response record(Interceptor.Chain chain) throws IOException {
    Request request = chain.request();
    Response response = chain.proceed(request);
    Wire wire = request.tag(Wire.class);
    if (wire != null) {
      Connection connection = chain.connection();
      InetAddress address = connection == null ? null : connection.socket().getInetAddress();
      wire.address = address == null ? null : address.getHostAddress();
      String path =
          request.url().encodedPath()
              + (request.url().encodedQuery() == null ? "" : "?" + request.url().encodedQuery());
      wire.request =
          text(request.method() + " " + path + " " + version(response), request.headers());
      wire.response =
          text(
              version(response) + " " + response.code() + " " + response.message(),
              response.headers());
    }
    return response;
  }

  private static String version(Response response) {
    String name = response.protocol().toString().toUpperCase(Locale.ROOT);
    return name.equals("H2") ? "HTTP/2" : name;
  }

  private static String text(String first, Headers headers) {
    StringBuilder text = new StringBuilder(first.stripTrailing()).append("\r\n");
    for (int i = 0; i < headers.size(); i++) {
      text.append(headers.name(i)).append(": ").append(headers.value(i)).append("\r\n");
    }
    return text.append("\r\n").toString();
  }

  /** Nutch's keys of the metadata; OkHttp's class has the same name as Nutch's interface. */
  private interface Keys extends org.apache.nutch.net.protocols.Response {}

  /** One request as it passed over the network. */
  private static final class Wire {
    private String request;
    private String response;
    private String address;
  }
}
