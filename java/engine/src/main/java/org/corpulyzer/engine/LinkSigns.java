package org.corpulyzer.engine;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The signs on a page of the languages of the pages that it links to, for policy pages. Immutable.
 */
public final class LinkSigns {

  /** ASCII characters that the URL standard encodes in a path and in a query. */
  private static final String ENCODED = " \"<>";

  /** The anchor is in a target language. */
  public static final String ANCHOR_IN_TARGET = "+";

  /** The anchor is in another language. */
  public static final String ANCHOR_IN_OTHER = "-";

  /** {@code hreflang} names another language. */
  public static final String HREFLANG_OTHER = "/";

  private static final List<String> ALL =
      Arrays.asList(
          "",
          ANCHOR_IN_TARGET,
          ANCHOR_IN_OTHER,
          HREFLANG_OTHER,
          ANCHOR_IN_TARGET + HREFLANG_OTHER,
          ANCHOR_IN_OTHER + HREFLANG_OTHER);

  private final Map<String, String> signs = new HashMap<>();
  private final Set<String> alternates = new HashSet<>();

  /**
   * @param links of the page, read with {@link PageLinks.Options#withAnchors}
   * @param target the languages of the crawl
   */
  public LinkSigns(PageLinks links, Hreflang target) {
    if (links.isNofollow()) {
      return;
    }
    for (PageLinks.Link link : links.links()) {
      if (link.isAnchorInTarget() != null) {
        signs.put(link.url(), link.isAnchorInTarget() ? ANCHOR_IN_TARGET : ANCHOR_IN_OTHER);
      }
    }
    Set<String> others = new HashSet<>();
    for (PageLinks.Alternate alternate : links.alternates()) {
      if (target.matches(alternate.language())) {
        alternates.add(alternate.url());
      } else if (!alternate.language().equals("x-default")) {
        others.add(alternate.url());
      }
    }
    others.forEach(url -> signs.merge(url, HREFLANG_OTHER, String::concat));
  }

  /**
   * @param url of a link, in the form of {@link PageLinks} or as a page has it, but absolute
   * @return the signs, one after the other; empty if the page tells nothing
   */
  public String of(String url) {
    String found = signs.get(url);
    return found != null ? found : signs.getOrDefault(normalized(url), "");
  }

  /**
   * @param urls of links, as for {@link #of}; null for a link without signs
   * @return a character for each, for {@link #decoded}
   */
  public String codes(List<String> urls) {
    StringBuilder codes = new StringBuilder(urls.size());
    for (String url : urls) {
      codes.append((char) ('0' + (url == null ? 0 : code(of(url)))));
    }
    return codes.toString();
  }

  /** Returns the number of signs that {@link #of} returned; 0 for none. */
  static int code(String signs) {
    return ALL.indexOf(signs);
  }

  /**
   * @param code a character of {@link #codes}
   * @return the signs; empty for another character
   */
  public static String decoded(char code) {
    int place = code - '0';
    return place >= 0 && place < ALL.size() ? ALL.get(place) : "";
  }

  /**
   * @param url as for {@link #of}
   * @return whether the page names it as its alternate in the language of the crawl
   */
  public boolean isAlternate(String url) {
    return alternates.contains(url)
        || !alternates.isEmpty() && alternates.contains(normalized(url));
  }

  /** Brings an absolute URL near to the form of the URL standard: enough for links of pages. */
  static String normalized(String url) {
    int fragment = url.indexOf('#');
    String rest = (fragment < 0 ? url : url.substring(0, fragment)).trim();
    int scheme = rest.indexOf("://");
    int host = scheme < 0 ? rest.length() : scheme + 3;
    int path = host;
    while (path < rest.length() && "/?\\".indexOf(rest.charAt(path)) < 0) {
      path++;
    }
    StringBuilder text = new StringBuilder(rest.substring(0, path).toLowerCase(Locale.ROOT));
    if (path == rest.length() || rest.charAt(path) == '?') {
      text.append('/');
    }
    for (byte octet : rest.substring(path).getBytes(StandardCharsets.UTF_8)) {
      if (octet <= 0 || ENCODED.indexOf(octet) >= 0) {
        text.append(String.format(Locale.ROOT, "%%%02X", octet));
      } else {
        text.append((char) octet);
      }
    }
    return text.toString();
  }
}
