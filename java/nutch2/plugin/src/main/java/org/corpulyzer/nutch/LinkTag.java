package org.corpulyzer.nutch;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.scoring.ScoreDatum;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.URLUtil;
import org.corpulyzer.engine.LinkCounts;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.SignedLinks;

/** Counts of the links to a row, for policy pages: {@link PageKeys#LINK_COUNTS}. */
final class LinkTag {

  private LinkTag() {}

  /** Writes the counts of the links of a page into them. */
  static void sendAll(String fromUrl, WebPage page, Collection<ScoreDatum> links) {
    String decision = PageFigures.get(page, PageKeys.DECISION);
    boolean isKept = decision != null && decision.startsWith("keep");
    String host = URLUtil.getHost(fromUrl);
    SignedLinks signs = SignedLinks.parse(PageFigures.get(page, PageKeys.LINK_SIGNS));
    for (ScoreDatum link : links) {
      String url = link.getUrl();
      boolean isExternal = !Objects.equals(host, URLUtil.getHost(url));
      send(
          link,
          LinkCounts.ofLink(
                  signs.of(url), signs.isAlternate(url), decision != null, isExternal, isKept)
              .toString());
    }
  }

  /** Gives the target of a redirect the counts of the row that redirects. */
  static void passOn(WebPage page, Collection<ScoreDatum> links) {
    String counts = PageFigures.get(page, PageKeys.LINK_COUNTS);
    links.forEach(link -> send(link, counts));
  }

  private static void send(ScoreDatum link, String counts) {
    if (counts != null && !counts.isEmpty()) {
      link.setMeta(PageKeys.LINK_COUNTS, counts.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Adds links to the counts of a row that is not fetched yet. */
  static void receive(WebPage page, List<ScoreDatum> links) {
    if (page.getStatus() == null || page.getStatus() != CrawlStatus.STATUS_UNFETCHED) {
      return;
    }
    String before = PageFigures.get(page, PageKeys.LINK_COUNTS);
    LinkCounts counts = new LinkCounts();
    counts.add(before);
    for (ScoreDatum link : links) {
      byte[] more = link.getMeta(PageKeys.LINK_COUNTS);
      counts.add(more == null ? null : new String(more, StandardCharsets.UTF_8));
    }
    String now = counts.toString();
    // Gora writes all metadata of a row if a value was set.
    if (!now.isEmpty() && !now.equals(before)) {
      PageFigures.put(page, PageKeys.LINK_COUNTS, now);
    }
  }
}
