package org.corpulyzer.embedded.companion;

import crawlercommons.robots.BaseRobotRules;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import okhttp3.Call;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.apache.avro.util.Utf8;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.protocol.Protocol;
import org.apache.nutch.protocol.ProtocolOutput;
import org.apache.nutch.protocol.ProtocolStatusCodes;
import org.apache.nutch.protocol.ProtocolStatusUtils;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.MimeUtil;

/**
 * Fetches http and https by OkHttp. Redirects are answered as such, Nutch decides about them; politeness between requests to a host is
 * the fetcher's. Of an answer that its header says is no text nothing is read, and the row is {@code gone}: no round asks again before
 * Nutch's schedule comes to rows of that status. Where the header says no more than that it is bytes, because the server knows no better,
 * the first of them tell a page. Properties are those of Nutch's own plugins: {@code http.agent.*}, {@code http.timeout}, {@code http.content.limit},
 * {@code http.proxy.host}, {@code http.proxy.port}, {@code http.accept}, {@code http.accept.language}, {@code fetcher.server.delay}.
 */
public final class HttpProtocol extends Configured implements Protocol {
  /** One pool of connections for all the instances that Nutch makes. */
  private static final OkHttpClient SHARED = new OkHttpClient.Builder().followRedirects(false).followSslRedirects(false).build();
  /** A server that drips bytes would otherwise hold a thread for ever. */
  private static final int CALL_TIMEOUTS = 6;
  private static final Pattern TEXT = Pattern.compile("text/.*|application/(.*\\+)?xml");
  /** What servers say of files whose ending they do not know. */
  private static final Pattern ANY_BYTES = Pattern.compile("(application|binary)/octet-stream");
  /**
   * How a page begins: those tags of the MIME Sniffing Standard (WHATWG, 7.1) that pages begin with, looked for in as many bytes. Browsers do not
   * sniff here but save a file, for safety; what is read here is shown to nobody.
   */
  private static final Pattern PAGE = Pattern.compile("(\u00ef\u00bb\u00bf)?\\s*+<(!--|(!doctype html|html|head|title|body|meta|\\?xml)[\\s/>]).*",
      Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  private static final int SNIFFED_BYTES = 1445;
  private static final int MAX_HEADER_CHARACTERS = 4096;

  private OkHttpClient client;
  private Robots robots;
  private MimeUtil mimeTypes;
  private String userAgent;
  private String accept;
  private String acceptLanguage;
  private int maxBytes;

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    if (conf == null) {
      return;
    }
    int timeout = conf.getInt("http.timeout", 10_000);
    OkHttpClient.Builder builder = SHARED.newBuilder()
        .connectTimeout(timeout, TimeUnit.MILLISECONDS)
        .readTimeout(timeout, TimeUnit.MILLISECONDS)
        .writeTimeout(timeout, TimeUnit.MILLISECONDS)
        .callTimeout((long) CALL_TIMEOUTS * timeout, TimeUnit.MILLISECONDS);
    String proxyHost = conf.getTrimmed("http.proxy.host", "");
    if (proxyHost.isEmpty()) {
      builder.proxy(Proxy.NO_PROXY).dns(new PublicDns(UrlFilter.HostList.of(conf.getTrimmedStringCollection(UrlFilter.ALLOW))));
    } else {
      builder.proxy(new Proxy(Proxy.Type.HTTP, new InetSocketAddress(proxyHost, conf.getInt("http.proxy.port", 8080))));
    }
    client = builder.build();
    userAgent = userAgent(conf);
    accept = conf.getTrimmed("http.accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1");
    acceptLanguage = conf.getTrimmed("http.accept.language", "*");
    int limit = conf.getInt("http.content.limit", 65_536);
    maxBytes = limit < 0 ? Integer.MAX_VALUE - 8 : limit;
    mimeTypes = new MimeUtil(conf);
    robots = new Robots(client, conf.getTrimmed("http.agent.name", ""), userAgent,
        (long) (conf.getFloat("fetcher.server.delay", 5f) * 1000));
  }

  /** {@code name/version (description; url; email)}, without what is not set. */
  private static String userAgent(Configuration conf) {
    StringBuilder agent = new StringBuilder(conf.getTrimmed("http.agent.name", ""));
    String version = conf.getTrimmed("http.agent.version", "");
    if (!version.isEmpty()) {
      agent.append('/').append(version);
    }
    StringBuilder comment = new StringBuilder();
    for (String key : new String[] {"http.agent.description", "http.agent.url", "http.agent.email"}) {
      String value = conf.getTrimmed(key, "");
      if (!value.isEmpty()) {
        comment.append(comment.length() == 0 ? "" : "; ").append(value);
      }
    }
    return comment.length() == 0 ? agent.toString() : agent.append(" (").append(comment).append(')').toString();
  }

  @Override
  public BaseRobotRules getRobotRules(String url, WebPage page) {
    HttpUrl parsed = HttpUrl.parse(url);
    if (parsed == null) {
      throw new IllegalArgumentException("not an http or https address: " + url);
    }
    return robots.rules(parsed);
  }

  @Override
  public ProtocolOutput getProtocolOutput(String url, WebPage page) {
    HttpUrl address = HttpUrl.parse(url);
    if (address == null) {
      return answer(ProtocolStatusCodes.GONE, "not an http or https address: " + url);
    }
    if (robots.rules(address).isDeferVisits()) {
      return answer(ProtocolStatusCodes.RETRY, "robots.txt of " + address.host() + " cannot be had now");
    }
    Request request = new Request.Builder().url(address).header("User-Agent", userAgent).header("Accept", accept)
        .header("Accept-Language", acceptLanguage).build();
    Call call = client.newCall(request);
    try (Response response = call.execute()) {
      if (response.code() == 200 && !isPage(response)) {
        // Closing alone would first read on for a while, to have the connection for the next request.
        call.cancel();
        return answer(ProtocolStatusCodes.GONE, "Content-Type " + response.header("Content-Type"));
      }
      return output(url, address, page, response);
    } catch (IOException e) {
      return answer(ProtocolStatusCodes.EXCEPTION, e.toString());
    }
  }

  /** Whether a page may come under the answer's header: HTML, XML and other text; also where it is missing, names no type, or none but bytes that begin as a page. */
  private static boolean isPage(Response response) throws IOException {
    String type = type(response);
    return !type.contains("/") || TEXT.matcher(type).matches() || ANY_BYTES.matcher(type).matches()
        && PAGE.matcher(new String(response.peekBody(SNIFFED_BYTES).bytes(), StandardCharsets.ISO_8859_1)).matches();
  }

  /** The type that the header names, without parameters. */
  private static String type(Response response) {
    String header = response.header("Content-Type");
    return header == null ? "" : header.split(";", 2)[0].trim().toLowerCase(Locale.ROOT);
  }

  private ProtocolOutput output(String url, HttpUrl address, WebPage page, Response response) throws IOException {
    int code = response.code();
    switch (code) {
      case 200:
        Metadata headers = keepHeaders(page, response.headers());
        byte[] content = readAtMost(response.body(), maxBytes);
        String type = ANY_BYTES.matcher(type(response)).matches() ? "text/html" : response.header("Content-Type");
        return new ProtocolOutput(new Content(url, url, content, type, headers, mimeTypes));
      case 301:
      case 308:
        return redirect(ProtocolStatusCodes.MOVED, address, response);
      case 302:
      case 303:
      case 307:
        return redirect(ProtocolStatusCodes.TEMP_MOVED, address, response);
      case 304:
        return answer(ProtocolStatusCodes.NOTMODIFIED, url);
      case 401:
      case 403:
      case 451:
        return answer(ProtocolStatusCodes.ACCESS_DENIED, "HTTP " + code);
      case 404:
        return answer(ProtocolStatusCodes.NOTFOUND, url);
      case 408:
      case 425:
      case 429:
        return answer(ProtocolStatusCodes.RETRY, "HTTP " + code);
      default:
        return answer(code >= 400 && code < 500 ? ProtocolStatusCodes.GONE : ProtocolStatusCodes.EXCEPTION, "HTTP " + code);
    }
  }

  private static ProtocolOutput redirect(int status, HttpUrl from, Response response) {
    String location = response.header("Location");
    HttpUrl to = location == null ? null : from.resolve(location);
    return to == null ? answer(ProtocolStatusCodes.GONE, "redirect to nowhere: " + location) : answer(status, to.toString());
  }

  private static ProtocolOutput answer(int status, String message) {
    return new ProtocolOutput(null, ProtocolStatusUtils.makeStatus(status, message));
  }

  /** The row keeps the answer's headers: the parser needs the charset, and the robots directives, from there. */
  private static Metadata keepHeaders(WebPage page, Headers headers) {
    Metadata kept = new Metadata();
    page.getHeaders().clear();
    for (int i = 0; i < headers.size(); i++) {
      String name = headers.name(i);
      String value = headers.value(i);
      if (name.length() + value.length() <= MAX_HEADER_CHARACTERS) {
        kept.add(name, value);
        page.getHeaders().put(new Utf8(name), new Utf8(value));
      }
    }
    return kept;
  }

  static byte[] readAtMost(ResponseBody body, int maxBytes) throws IOException {
    if (body == null) {
      return new byte[0];
    }
    InputStream in = body.byteStream();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] buffer = new byte[16_384];
    int left = maxBytes;
    for (int n; left > 0 && (n = in.read(buffer, 0, Math.min(buffer.length, left))) > 0; left -= n) {
      out.write(buffer, 0, n);
    }
    return out.toByteArray();
  }

  @Override
  public Collection<WebPage.Field> getFields() {
    return EnumSet.noneOf(WebPage.Field.class);
  }
}
