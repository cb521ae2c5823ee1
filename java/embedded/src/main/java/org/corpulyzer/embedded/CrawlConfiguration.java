package org.corpulyzer.embedded;

import java.nio.file.Path;
import java.util.Collection;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.crawl.GeneratorJob;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.engine.Settings;

/** Nutch's configuration for one crawl: its defaults, then {@code embedded-site.xml}, then what the command line says. */
final class CrawlConfiguration {
  private static final String LINK_SCORE = "org.corpulyzer.embedded.companion.LinkScoringFilter";

  private CrawlConfiguration() {}

  static Configuration create(CrawlOptions options, Path plugins, Path temporary) {
    Configuration conf = NutchConfiguration.create();
    conf.addResource("embedded-site.xml");
    conf.set("fs.defaultFS", "file:///");
    conf.set("hadoop.tmp.dir", temporary.toString());
    conf.set("plugin.folders", plugins.toString());
    conf.set("http.agent.name", options.agent);
    conf.set(options.contact.contains("@") ? "http.agent.email" : "http.agent.url", options.contact);
    conf.set("http.agent.version", "");
    conf.set("http.accept.language", options.language + ",*;q=0.5");
    if (options.proxy != null) {
      int colon = options.proxy.lastIndexOf(':');
      conf.set("http.proxy.host", options.proxy.substring(0, colon));
      conf.set("http.proxy.port", options.proxy.substring(colon + 1));
    }
    setHosts(conf, "corpulyzer.embedded.allow", options.allow);
    setHosts(conf, "corpulyzer.embedded.deny", options.deny);
    conf.setFloat("fetcher.server.delay", (float) options.delaySeconds());
    conf.setInt("fetcher.threads.fetch", options.threads);
    conf.setInt("fetcher.timelimit.mins", options.roundMinutes);
    conf.setInt("generate.max.count", options.maxPerHost());
    // The generator is told again with each round; plugins know the configuration alone that this process has first.
    conf.setLong(GeneratorJob.GENERATOR_TOP_N, options.top);
    PageSettings.properties(options).forEach(conf::set);
    conf.set(Settings.SCORE_SOURCE, options.mode == CrawlOptions.Mode.S ? "scan" : "stored");
    boolean byLinks = options.scoring == CrawlOptions.Scoring.link;
    conf.set("plugin.includes", "corpulyzer-embedded|corpulyzer" + (byLinks ? "|corpulyzer-link-score" : ""));
    if (byLinks) {
      // The plugin `corpulyzer` is there for its parse filter; a filter that this list does not name is not asked for scores.
      conf.set("scoring.filter.order", LINK_SCORE);
    }
    return conf;
  }

  private static void setHosts(Configuration conf, String key, Collection<String> hosts) {
    conf.setStrings(key, hosts.toArray(new String[0]));
  }
}
