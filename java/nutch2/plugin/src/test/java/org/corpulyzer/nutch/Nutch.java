package org.corpulyzer.nutch;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.avro.util.Utf8;
import org.apache.gora.memory.store.MemStore;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.plugin.PluginRepository;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.NutchConfiguration;
import org.apache.nutch.util.TableUtil;
import org.corpulyzer.engine.Settings;

/**
 * Nutch with this plugin, as an operator has it: the tests see the filters through Nutch's plugin
 * loader alone.
 */
final class Nutch {

  private Nutch() {}

  static Configuration conf() {
    Configuration conf = NutchConfiguration.create();
    conf.set("plugin.folders", System.getProperty("corpulyzer.plugins"));
    conf.set("plugin.includes", "corpulyzer|parse-test");
    conf.set("hadoop.tmp.dir", System.getProperty("user.dir") + "/hadoop");
    conf.set("storage.data.store.class", CopyingStore.class.getName());
    conf.set("http.agent.name", "test");
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

  /** A page as the fetcher leaves it. */
  static WebPage fetched(String url, String contentType, byte[] content) {
    WebPage page = WebPage.newBuilder().build();
    page.setBaseUrl(new Utf8(url));
    page.setStatus((int) CrawlStatus.STATUS_FETCHED);
    page.setContentType(new Utf8(contentType));
    // Inside a longer array, as HBase's client hands cells out.
    byte[] cell = new byte[content.length + 20];
    System.arraycopy(content, 0, cell, 7, content.length);
    page.setContent(ByteBuffer.wrap(cell, 7, content.length).slice());
    return page;
  }

  static String figure(WebPage page, String key) {
    ByteBuffer value = page.getMetadata().get(new Utf8(key));
    return value == null ? null : StandardCharsets.UTF_8.decode(value.duplicate()).toString();
  }

  static void setFigure(WebPage page, String key, String value) {
    page.getMetadata().put(new Utf8(key), ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)));
  }

  @SuppressWarnings("unchecked")
  static void store(String url, WebPage page) throws Exception {
    MemStore.map.put(TableUtil.reverseUrl(url), page);
  }

  static WebPage stored(String url) throws Exception {
    return (WebPage) MemStore.map.get(TableUtil.reverseUrl(url));
  }
}
