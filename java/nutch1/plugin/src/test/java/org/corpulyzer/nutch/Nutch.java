package org.corpulyzer.nutch;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseUtil;
import org.apache.nutch.plugin.PluginRepository;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.engine.Settings;

/**
 * Nutch with this plugin, as an operator has it: the tests see the filters through Nutch's plugin
 * loader alone.
 */
final class Nutch {

  static final Path VECTORS =
      Paths.get(System.getProperty("corpulyzer.root"), "tests", "vectors", "parsefilter");

  private Nutch() {}

  static Configuration conf() {
    String core = CrawlDatum.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    if (!core.endsWith("/nutch-" + System.getProperty("corpulyzer.nutch") + ".jar")) {
      throw new AssertionError(core + " is not the Nutch that these tests are for");
    }
    Configuration conf = NutchConfiguration.create();
    conf.set("plugin.folders", System.getProperty("corpulyzer.plugins"));
    conf.set("plugin.includes", "corpulyzer|parse-test");
    conf.set(
        "hadoop.tmp.dir",
        System.getProperty("user.dir") + "/hadoop-" + System.getProperty("corpulyzer.nutch"));
    conf.set("http.agent.name", "test");
    // Each page in a thread of the test, so that a failure shows.
    conf.setInt("parser.timeout", -1);
    conf.set("db.parsemeta.to.crawldb", "crp.v,crp.l,crp.d,crp.t");
    conf.set(Settings.LANGUAGE_TARGET, "ur");
    return conf;
  }

  /** The plugin's only extension of a point. */
  static <T> T filter(Configuration conf, Class<T> point) throws Exception {
    return point.cast(
        PluginRepository.get(conf)
            .getExtensionPoint(point.getName())
            .getExtensions()[0]
            .getExtensionInstance());
  }

  static Content content(Configuration conf, String url, String type, byte[] bytes) {
    Content content = new Content(url, url, bytes, type, new Metadata(), conf);
    // Nutch guesses a type from the bytes; the tests say which one it found.
    content.setContentType(type);
    return content;
  }

  static Content html(Configuration conf, String url, String html) {
    return content(conf, url, "text/html", html.getBytes(StandardCharsets.UTF_8));
  }

  static ParseResult parse(Configuration conf, Content content) throws Exception {
    return new ParseUtil(conf).parse(content);
  }

  static Parse parsed(Configuration conf, Content content) throws Exception {
    return parse(conf, content).get(content.getUrl());
  }

  static String figure(Parse parse, String key) {
    return parse.getData().getParseMeta().get(key);
  }

  static String figure(CrawlDatum row, String key) {
    Object value = row.getMetaData().get(new Text(key));
    return value == null ? null : value.toString();
  }

  static void setFigure(CrawlDatum row, String key, String value) {
    row.getMetaData().put(new Text(key), new Text(value));
  }

  static byte[] vector(String name) throws Exception {
    return Files.readAllBytes(VECTORS.resolve(name));
  }
}
