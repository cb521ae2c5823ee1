package org.corpulyzer.crawl.companion;

import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.util.NutchConfiguration;

/**
 * Settings of a crawl whose plugins come from the folder that the build lays out, through Nutch's
 * own class loaders.
 */
final class Plugins {
  private Plugins() {}

  static Configuration configuration() {
    Configuration conf = NutchConfiguration.create();
    conf.addResource("crawl-default.xml");
    conf.set("plugin.folders", System.getProperty("corpulyzer.plugins"));
    conf.set("http.agent.name", "tester");
    conf.set("corpulyzer.language.target", "ur");
    conf.set("corpulyzer.native.path", System.getProperty("corpulyzer.native.path"));
    conf.setFloat("fetcher.server.delay", 0);
    conf.set(UrlFilter.ALLOW, "127.0.0.1,localhost,example.org");
    conf.set(PublicAddresses.ALLOW_PRIVATE, "127.0.0.1,localhost");
    return conf;
  }
}
