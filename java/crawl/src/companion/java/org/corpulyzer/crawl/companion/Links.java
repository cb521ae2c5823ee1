package org.corpulyzer.crawl.companion;

import java.net.MalformedURLException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.io.MapWritable;
import org.apache.hadoop.io.Text;
import org.apache.nutch.parse.Outlink;
import org.corpulyzer.engine.PageKeys;

/** Outlinks of a page in the order in which they were added, each URL once. Nutch keeps the first {@code db.max.outlinks.per.page}. */
final class Links {
  /** {@link PageKeys#LIST_MARK} as Hadoop has it. */
  static final Text LIST_MARK = new Text(PageKeys.LIST_MARK);

  private final Map<String, Outlink> links = new LinkedHashMap<>();

  void add(String url, String anchor) {
    add(url, anchor, -1);
  }

  /** Adds a sitemap or a feed, which has the mark. */
  void addList(String url, int depth) {
    add(url, "", depth);
  }

  private void add(String url, String anchor, int listDepth) {
    if (!links.containsKey(url)) {
      try {
        Outlink link = new Outlink(url, anchor);
        if (listDepth >= 0) {
          MapWritable metadata = new MapWritable();
          metadata.put(LIST_MARK, new Text(Integer.toString(listDepth)));
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
