package org.corpulyzer.nutch;

import crawlercommons.robots.BaseRobotRules;
import crawlercommons.robots.SimpleRobotRules;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.protocol.Protocol;
import org.apache.nutch.protocol.ProtocolOutput;
import org.apache.nutch.protocol.ProtocolStatus;

/**
 * A web in memory, for Nutch's own fetcher. A page that begins with {@code ->} redirects to what
 * follows.
 */
public class StandInWeb implements Protocol {

  static final Map<String, String> PAGES = new ConcurrentHashMap<>();

  private Configuration conf;

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public ProtocolOutput getProtocolOutput(Text url, CrawlDatum datum) {
    String page = PAGES.get(url.toString());
    byte[] bytes =
        page == null || page.startsWith("->") ? new byte[0] : page.getBytes(StandardCharsets.UTF_8);
    Content content =
        new Content(url.toString(), url.toString(), bytes, "text/html", new Metadata(), conf);
    ProtocolStatus status =
        page == null
            ? new ProtocolStatus(ProtocolStatus.NOTFOUND)
            : page.startsWith("->")
                ? new ProtocolStatus(ProtocolStatus.MOVED, page.substring(2))
                : ProtocolStatus.STATUS_SUCCESS;
    return new ProtocolOutput(content, status);
  }

  @Override
  public BaseRobotRules getRobotRules(Text url, CrawlDatum datum, List<Content> robotsTxtContent) {
    return new SimpleRobotRules(SimpleRobotRules.RobotRulesMode.ALLOW_ALL);
  }
}
