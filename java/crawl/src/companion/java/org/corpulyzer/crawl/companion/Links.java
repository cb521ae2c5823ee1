package org.corpulyzer.crawl.companion;

import java.net.MalformedURLException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.io.MapWritable;
import org.apache.hadoop.io.Text;
import org.apache.nutch.parse.Outlink;

/** Outlinks of a page in the order in which they were added, each URL once. Nutch keeps the first {@code db.max.outlinks.per.page}. */
final class Links {
  /**
   * Key in the metadata of a link and of its row: how deep a sitemap is below robots.txt. The row has no page, so it says nothing about
   * the language of its host.
   */
  static final Text SITEMAP_DEPTH = new Text("crp.sm");

  private final Map<String, Outlink> links = new LinkedHashMap<>();

  void add(String url, String anchor) {
    add(url, anchor, -1);
  }

  /** Adds a sitemap. */
  void add(String url, String anchor, int sitemapDepth) {
    if (!links.containsKey(url)) {
      try {
        Outlink link = new Outlink(url, anchor);
        if (sitemapDepth >= 0) {
          MapWritable metadata = new MapWritable();
          metadata.put(SITEMAP_DEPTH, new Text(Integer.toString(sitemapDepth)));
          link.setMetadata(metadata);
        }
        links.put(url, link);
      } catch (MalformedURLException e) {
        return; // A link that leads nowhere is no link.
      }
    }
  }

  Outlink[] toArray() {
    return links.values().toArray(new Outlink[0]);
  }
}
