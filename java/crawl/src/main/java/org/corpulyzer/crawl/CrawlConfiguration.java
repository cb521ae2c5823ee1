package org.corpulyzer.crawl;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.nutch.crawl.Signature;
import org.apache.nutch.crawl.TextMD5Signature;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.corpus.OwnFileSystem;
import org.corpulyzer.engine.HostScore;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.engine.Steering;

/**
 * Nutch's configuration for one crawl: its defaults, then {@code crawl-default.xml}, then the
 * options of the command line.
 */
final class CrawlConfiguration {
  /** The release of Nutch whose rules the crawl follows. */
  static final String NUTCH = "1.22";

  private static final String LINK_SCORE = "org.corpulyzer.crawl.companion.LinkScoringFilter";

  /** Milliseconds between two looks at a job. Jobs are short, and the look is cheap. */
  private static final int POLL_MILLIS = 10;

  /** Figures of a page that its row in CrawlDb has, for the host's score. */
  private static final String[] ROW_FIGURES = {
    PageKeys.LANGUAGES,
    PageKeys.VERSION,
    PageKeys.DECISION,
    PageKeys.TARGET_BYTES,
    PageKeys.RAW_BYTES,
    PageKeys.LIST_NEXT,
    PageKeys.LIST_ELSEWHERE
  };

  private CrawlConfiguration() {}

  static Configuration create(CrawlOptions options, Path plugins, DataFolder data)
      throws CrawlException, IOException {
    Configuration conf = NutchConfiguration.create();
    conf.addResource("crawl-default.xml");
    setJobs(conf, data);
    conf.set("plugin.folders", plugins.toString());
    setFetching(conf, options, data);
    setRounds(conf, options);
    PageSettings.properties(options).forEach(conf::set);
    setScoring(conf, options, data);
    return conf;
  }

  /** Hadoop's jobs in this process, with their files in folders of the crawl. */
  private static void setJobs(Configuration conf, DataFolder data) throws IOException {
    Path temporary = data.temporary();
    conf.set("fs.defaultFS", "file:///");
    conf.setClass("fs.file.impl", OwnFileSystem.class, FileSystem.class);
    conf.set("hadoop.tmp.dir", temporary.toString());
    conf.set("mapreduce.cluster.temp.dir", temporary.resolve("jobs").toString());
    conf.set("mapreduce.cluster.local.dir", data.shuffle().toString());
    conf.set("mapreduce.jobtracker.staging.root.dir", temporary.resolve("staging").toString());
    conf.set("yarn.app.mapreduce.am.staging-dir", temporary.resolve("staging").toString());
    conf.set("mapreduce.framework.name", "local");
    conf.setInt("mapreduce.client.completion.pollinterval", POLL_MILLIS);
    conf.setInt("mapreduce.client.progressmonitor.pollinterval", POLL_MILLIS);
    conf.setInt("mapreduce.task.io.sort.mb", 48);
    conf.setInt("mapreduce.job.reduces", 1);
    conf.setBoolean("mapreduce.fileoutputcommitter.marksuccessfuljobs", false);
    // Hadoop compresses each record alone otherwise, and a link is one of 40 bytes.
    conf.set(FileOutputFormat.COMPRESS_TYPE, "BLOCK");
    conf.set("zlib.compress.level", "BEST_SPEED");
    conf.setBoolean("db.preserve.backup", false);
  }

  /** Who asks the hosts, which hosts, how often, and what is done with their answers. */
  private static void setFetching(Configuration conf, CrawlOptions options, DataFolder data)
      throws CrawlException {
    conf.set("http.agent.name", options.agent);
    conf.set(
        options.contact.contains("@") ? "http.agent.email" : "http.agent.url", options.contact);
    conf.set("http.agent.version", "");
    conf.set("http.accept.language", options.acceptLanguage());
    if (options.proxy != null) {
      int colon = options.proxy.lastIndexOf(':');
      conf.set("http.proxy.host", options.proxy.substring(0, colon));
      conf.set("http.proxy.port", options.proxy.substring(colon + 1));
    }
    conf.setBoolean("corpulyzer.crawl.documents", options.documents);
    conf.set("corpulyzer.crawl.render", options.render == null ? "" : options.render);
    conf.setBoolean("corpulyzer.crawl.cookies", options.cookies);
    conf.set(HostWaits.FILE, data.hostWaits().toString());
    conf.setBoolean("corpulyzer.crawl.urls.clean", !options.allParameters);
    conf.set("corpulyzer.crawl.https.hosts", data.httpsHosts().toString());
    setHosts(conf, "corpulyzer.crawl.allow", options.allow);
    setHosts(conf, "corpulyzer.crawl.allow.private", options.allowPrivate);
    setHosts(conf, "corpulyzer.crawl.deny", options.deny);
    conf.setFloat("fetcher.server.delay", (float) options.delaySeconds());
    conf.setFloat("fetcher.min.crawl.delay", (float) options.delaySeconds());
    conf.setBoolean("corpulyzer.crawl.bodies.held", true);
    conf.setInt("fetcher.timelimit.mins", options.roundMinutes);
  }

  /** What a round takes from CrawlDb, and what it writes there. */
  private static void setRounds(Configuration conf, CrawlOptions options) {
    conf.setInt("generate.max.count", options.maxPerHost());
    // Plugins know the configuration alone that this process has first.
    conf.setLong("generate.topN", options.top);
    conf.setLong(
        Settings.SCORE_PROBES,
        Math.min(
            Settings.properties().get(Settings.SCORE_PROBES).most(),
            (options.top * (long) HostScore.PROBE_PERCENT + 99) / 100));
    Set<String> figures =
        new LinkedHashSet<>(conf.getTrimmedStringCollection("db.parsemeta.to.crawldb"));
    for (String figure : ROW_FIGURES) {
      figures.add(figure);
    }
    conf.set("db.parsemeta.to.crawldb", String.join(",", figures));
    if (options.zeroesDuplicates()) {
      conf.setClass("db.signature.class", TextMD5Signature.class, Signature.class);
    }
  }

  /** Which filter scores rows, and from what. */
  private static void setScoring(Configuration conf, CrawlOptions options, DataFolder data) {
    if (options.targets().size() > 1 && options.targetBytes < Long.MAX_VALUE) {
      conf.setLong(
          Settings.SCORE_TARGET_BYTES,
          Math.min(
              Settings.properties().get(Settings.SCORE_TARGET_BYTES).most(), options.targetBytes));
    }
    if (options.mode == CrawlOptions.Mode.S) {
      conf.set(Settings.SCORE_SOURCE, "hostdb");
      conf.set(Settings.SCORE_HOST_DB, data.hostDb().toString());
      conf.setStrings("hostdb.numeric.fields", PageKeys.TARGET_BYTES, PageKeys.RAW_BYTES);
    } else {
      conf.set(Settings.SCORE_SOURCE, "stored");
    }
    conf.setBoolean(Steering.CHOOSES, true);
    boolean byLinks = options.scoring == CrawlOptions.Scoring.link;
    conf.set(
        "plugin.includes",
        "corpulyzer-companion|corpulyzer" + (byLinks ? "|corpulyzer-link-score" : ""));
    if (byLinks) {
      // The plugin `corpulyzer` is there for its parse filter; a filter that this list does not
      // name is not asked for scores.
      conf.set("scoring.filter.order", LINK_SCORE);
    }
  }

  private static void setHosts(Configuration conf, String key, Collection<String> hosts) {
    conf.setStrings(key, hosts.toArray(new String[0]));
  }
}
