package org.corpulyzer.paper.standin;

import crawlercommons.robots.BaseRobotRules;
import crawlercommons.robots.SimpleRobotRules;
import crawlercommons.robots.SimpleRobotRules.RobotRulesMode;
import crawlercommons.robots.SimpleRobotRulesParser;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URL;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.util.Utf8;
import org.apache.commons.io.IOUtils;
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
 * Reads http addresses through the proxy that {@code http.proxy.host} and {@code http.proxy.port}
 * name: the sample web. It never connects to another host.
 */
public final class ProxyProtocol extends Configured implements Protocol {
  private static final int TIMEOUT_MILLIS = 10_000;

  /** The rules of a host by proxy, agent and host; Nutch makes an instance for each job. */
  private static final Map<String, BaseRobotRules> ROBOTS = new ConcurrentHashMap<>();

  private Proxy proxy;
  private String agent;
  private MimeUtil mimeTypes;

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    if (conf != null) {
      proxy =
          new Proxy(
              Proxy.Type.HTTP,
              new InetSocketAddress(
                  conf.getTrimmed("http.proxy.host"), conf.getInt("http.proxy.port", 0)));
      agent = conf.getTrimmed("http.agent.name", "");
      mimeTypes = new MimeUtil(conf);
    }
  }

  private HttpURLConnection open(URL url) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) url.openConnection(proxy);
    connection.setInstanceFollowRedirects(false);
    connection.setConnectTimeout(TIMEOUT_MILLIS);
    connection.setReadTimeout(TIMEOUT_MILLIS);
    connection.setRequestProperty("User-Agent", agent);
    return connection;
  }

  @Override
  public BaseRobotRules getRobotRules(String url, WebPage page) {
    try {
      URL robots = new URL(new URL(url), "/robots.txt");
      return ROBOTS.computeIfAbsent(
          proxy + " " + agent + " " + robots.getAuthority(), key -> rules(robots));
    } catch (IOException e) {
      return new SimpleRobotRules(RobotRulesMode.ALLOW_NONE);
    }
  }

  private BaseRobotRules rules(URL robots) {
    try {
      HttpURLConnection connection = open(robots);
      if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
        return new SimpleRobotRules(RobotRulesMode.ALLOW_ALL);
      }
      try (InputStream in = connection.getInputStream()) {
        return new SimpleRobotRulesParser()
            .parseContent(robots.toString(), IOUtils.toByteArray(in), "text/plain", agent);
      }
    } catch (IOException e) {
      return new SimpleRobotRules(RobotRulesMode.ALLOW_NONE);
    }
  }

  @Override
  public ProtocolOutput getProtocolOutput(String url, WebPage page) {
    try {
      HttpURLConnection connection = open(new URL(url));
      int code = connection.getResponseCode();
      if (code == HttpURLConnection.HTTP_OK) {
        Metadata headers = headers(connection, page);
        try (InputStream in = connection.getInputStream()) {
          return new ProtocolOutput(
              new Content(
                  url,
                  url,
                  IOUtils.toByteArray(in),
                  connection.getContentType(),
                  headers,
                  mimeTypes));
        }
      }
      String location = connection.getHeaderField("Location");
      if (code / 100 == 3 && location != null) {
        int moved =
            code == 301 || code == 308 ? ProtocolStatusCodes.MOVED : ProtocolStatusCodes.TEMP_MOVED;
        return status(moved, new URL(new URL(url), location).toString());
      }
      return status(
          code == 404 ? ProtocolStatusCodes.NOTFOUND : ProtocolStatusCodes.GONE, "HTTP " + code);
    } catch (IOException e) {
      return status(ProtocolStatusCodes.EXCEPTION, e.toString());
    }
  }

  private static ProtocolOutput status(int code, String message) {
    return new ProtocolOutput(null, ProtocolStatusUtils.makeStatus(code, message));
  }

  private static Metadata headers(HttpURLConnection connection, WebPage page) {
    Metadata kept = new Metadata();
    page.getHeaders().clear();
    connection
        .getHeaderFields()
        .forEach(
            (name, values) -> {
              if (name != null) {
                kept.add(name, values.get(0));
                page.getHeaders().put(new Utf8(name), new Utf8(values.get(0)));
              }
            });
    return kept;
  }

  @Override
  public Collection<WebPage.Field> getFields() {
    return EnumSet.noneOf(WebPage.Field.class);
  }
}
