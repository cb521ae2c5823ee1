package org.corpulyzer.nutch;

import java.util.Collection;
import java.util.Map.Entry;
import java.util.Objects;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.util.URLUtil;
import org.corpulyzer.engine.LinkCounts;
import org.corpulyzer.engine.LinkSigns;
import org.corpulyzer.engine.PageKeys;

/** The signs of those links of a page that Nutch keeps, in their order, for policy pages. */
final class PageSigns {
  private final String codes;
  private final Outlink[] links;
  private int at;

  private PageSigns(ParseData parseData) {
    codes = parseData.getParseMeta().get(PageKeys.LINK_SIGNS);
    links = parseData.getOutlinks();
    parseData.getParseMeta().remove(PageKeys.LINK_SIGNS);
  }

  /** Links that Nutch leaves out are between those that it keeps. */
  private String next(Text target) {
    // Another filter may have changed the links.
    if (codes == null || codes.length() != links.length) {
      return "";
    }
    String url = target.toString();
    int next = at;
    while (next < links.length && !links[next].getToUrl().equals(url)) {
      next++;
    }
    if (next == links.length) {
      return "";
    }
    at = next + 1;
    return LinkSigns.decoded(codes.charAt(next));
  }

  /** Counts the links after all else is in their metadata. */
  static void count(
      Text fromUrl, ParseData parseData, Collection<Entry<Text, CrawlDatum>> targets) {
    String host = URLUtil.getHost(fromUrl.toString());
    boolean isRead = Decisions.hasDecision(parseData);
    boolean isKept = Decisions.isKept(parseData);
    PageSigns signs = new PageSigns(parseData);
    for (Entry<Text, CrawlDatum> target : targets) {
      CrawlDatum link = target.getValue();
      boolean isExternal = !Objects.equals(host, URLUtil.getHost(target.getKey().toString()));
      boolean hasMetadata = LinkScore.hasMetadata(link);
      LinkCounts counts =
          LinkCounts.ofLink(
              signs.next(target.getKey()),
              hasMetadata && RowMark.ALTERNATE.isSet(link),
              isRead,
              isExternal,
              isKept);
      if (hasMetadata) {
        LinkTag.set(link, counts);
        link.setScore(LinkScore.of(link));
      } else {
        LinkTag.setScore(link, counts);
      }
    }
  }
}
