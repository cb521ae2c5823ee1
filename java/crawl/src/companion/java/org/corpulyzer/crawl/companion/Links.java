package org.corpulyzer.crawl.companion;

import java.net.MalformedURLException;
import java.util.LinkedHashMap;
import java.util.Map;
import okhttp3.HttpUrl;
import org.apache.hadoop.io.MapWritable;
import org.apache.hadoop.io.Text;
import org.apache.nutch.parse.Outlink;
import org.corpulyzer.engine.PageKeys;

/**
 * Outlinks of a page in the order in which they were added, each URL once. Nutch keeps the first
 * {@code db.max.outlinks.per.page}.
 */
final class Links {
  /** {@link PageKeys#LIST_MARK} as Hadoop has it. */
  static final Text LIST_MARK = new Text(PageKeys.LIST_MARK);

  /** {@link PageKeys#ALTERNATE_MARK} as Hadoop has it. */
  static final Text ALTERNATE_MARK = new Text(PageKeys.ALTERNATE_MARK);

  private final Map<String, Outlink> links = new LinkedHashMap<>();

  void add(String url, String anchor) {
    put(url, anchor, null, null);
  }

  /**
   * Adds a sitemap or a feed, with the mark of lists.
   *
   * @param owner the host that names the list
   */
  void addList(String url, int depth, String owner) {
    HttpUrl list = HttpUrl.parse(url);
    boolean isElsewhere = list != null && !list.host().equalsIgnoreCase(owner);
    put(url, "", LIST_MARK, depth + (isElsewhere ? " " + owner : ""));
  }

  /** Adds an alternate in the language of the crawl, with its mark. */
  void addAlternate(String url) {
    put(url, "", ALTERNATE_MARK, PageKeys.MARK_SET);
  }

  private void put(String url, String anchor, Text mark, String value) {
    if (!links.containsKey(url)) {
      try {
        Outlink link = new Outlink(url, anchor);
        if (mark != null) {
          MapWritable metadata = new MapWritable();
          metadata.put(new Text(mark), new Text(value));
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
