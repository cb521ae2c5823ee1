package org.corpulyzer.install.standin;

import crawlercommons.robots.BaseRobotRules;
import crawlercommons.robots.SimpleRobotRules;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URL;
import java.util.List;
import org.apache.commons.io.IOUtils;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.protocol.Protocol;
import org.apache.nutch.protocol.ProtocolOutput;
import org.apache.nutch.protocol.ProtocolStatus;

/** Fetches pages, of this machine as well, as Nutch's protocol-http does in a home. */
public final class PlainHttp extends Configured implements Protocol {

  @Override
  public ProtocolOutput getProtocolOutput(Text url, CrawlDatum row) {
    try {
      HttpURLConnection connection =
          (HttpURLConnection) new URL(url.toString()).openConnection(proxy());
      try (InputStream body = connection.getInputStream()) {
        return new ProtocolOutput(
            new Content(
                url.toString(),
                url.toString(),
                IOUtils.toByteArray(body),
                connection.getContentType(),
                new Metadata(),
                getConf()));
      }
    } catch (IOException e) {
      return new ProtocolOutput(null, new ProtocolStatus(e));
    }
  }

  private Proxy proxy() {
    String host = getConf().get("http.proxy.host", "");
    return host.isEmpty()
        ? Proxy.NO_PROXY
        : new Proxy(
            Proxy.Type.HTTP,
            new InetSocketAddress(host, getConf().getInt("http.proxy.port", 8080)));
  }

  @Override
  public BaseRobotRules getRobotRules(Text url, CrawlDatum row, List<Content> robots) {
    return new SimpleRobotRules(SimpleRobotRules.RobotRulesMode.ALLOW_ALL);
  }
}
