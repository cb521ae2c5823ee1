package org.corpulyzer.embedded.companion;

import java.net.MalformedURLException;
import java.net.URL;
import java.util.Locale;
import org.apache.nutch.parse.HTMLMetaTags;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** What a page says about itself: robots directives, refresh, base address. */
final class MetaTags {
  private MetaTags() {}

  static HTMLMetaTags read(Document document, URL pageUrl, String robotsHeader) {
    HTMLMetaTags tags = new HTMLMetaTags();
    tags.reset();
    for (Element meta : document.select("meta[content]")) {
      String content = meta.attr("content");
      String name = meta.attr("name").toLowerCase(Locale.ROOT);
      String equivalent = meta.attr("http-equiv").toLowerCase(Locale.ROOT);
      if (!name.isEmpty()) {
        tags.getGeneralTags().add(name, content);
      }
      if (!equivalent.isEmpty()) {
        tags.getHttpEquivTags().setProperty(equivalent, content);
      }
      if (name.equals("robots")) {
        robots(tags, content);
      } else if (equivalent.equals("refresh")) {
        refresh(tags, content, document.baseUri(), pageUrl);
      } else if (equivalent.equals("pragma") && content.toLowerCase(Locale.ROOT).contains("no-cache")) {
        tags.setNoCache();
      }
    }
    // A header may name the crawler it is for ("googlebot: noindex"); such a directive is not for us.
    if (robotsHeader != null && robotsHeader.indexOf(':') < 0) {
      robots(tags, robotsHeader);
    }
    Element base = document.selectFirst("base[href]");
    if (base != null) {
      tags.setBaseHref(resolve(pageUrl, base.attr("href")));
    }
    return tags;
  }

  private static void robots(HTMLMetaTags tags, String directives) {
    String lower = directives.toLowerCase(Locale.ROOT);
    boolean none = lower.contains("none");
    if (none || lower.contains("noindex")) {
      tags.setNoIndex();
    }
    if (none || lower.contains("nofollow")) {
      tags.setNoFollow();
    }
    if (lower.contains("noarchive")) {
      tags.setNoCache();
    }
  }

  /** {@code seconds[; url=address]}; without an address the page refreshes itself. */
  private static void refresh(HTMLMetaTags tags, String content, String base, URL pageUrl) {
    int semicolon = content.indexOf(';');
    int seconds;
    try {
      seconds = Integer.parseInt((semicolon < 0 ? content : content.substring(0, semicolon)).trim());
    } catch (NumberFormatException e) {
      return;
    }
    String target = semicolon < 0 ? "" : content.substring(semicolon + 1).trim();
    if (target.toLowerCase(Locale.ROOT).startsWith("url=")) {
      target = target.substring("url=".length()).trim();
    }
    target = target.replaceAll("^['\"]|['\"]$", "");
    URL resolved = resolve(resolve(pageUrl, base), target);
    tags.setRefresh(true);
    tags.setRefreshTime(seconds);
    tags.setRefreshHref(resolved == null ? pageUrl : resolved);
  }

  private static URL resolve(URL base, String address) {
    try {
      return address.isEmpty() ? base : new URL(base, address);
    } catch (MalformedURLException e) {
      return base;
    }
  }
}
