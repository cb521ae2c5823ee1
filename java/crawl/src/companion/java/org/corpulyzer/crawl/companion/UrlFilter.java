package org.corpulyzer.crawl.companion;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import okhttp3.HttpUrl;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.nutch.net.URLFilter;

/**
 * Keeps URLs that can lead to a page: http and https, hosts that the lists permit, no file types
 * that are never pages, and none of the shapes of crawler traps (very long, the same path segment
 * again and again).
 */
public final class UrlFilter extends Configured implements URLFilter {
  /** Comma-separated host names. If set, only these hosts and those below them are crawled. */
  public static final String ALLOW = "corpulyzer.crawl.allow";

  /** Comma-separated host names. These hosts and those below them are never crawled. */
  public static final String DENY = "corpulyzer.crawl.deny";

  private static final int MAX_CHARACTERS = 1024;
  private static final int MAX_SAME_SEGMENTS = 2;
  private static final int MAX_SEGMENTS = 24;
  private static final int MAX_PARAMETERS = 12;
  private static final Set<String> NEVER_PAGES =
      Set.of(
          "7z", "aac", "apk", "avi", "bmp", "bz2", "css", "csv", "dmg", "eot", "epub", "exe", "flv",
          "gif", "gz", "ico", "iso", "jar", "jpeg", "jpg", "js", "json", "m4a", "m4v", "mov", "mp3",
          "mp4", "mpeg", "mpg", "msi", "ogg", "otf", "png", "rar", "rpm", "svg", "swf", "tar",
          "tgz", "tif", "tiff", "ttf", "wav", "webm", "webp", "wma", "wmv", "woff", "woff2", "xz",
          "zip");

  /** Sitemaps and feeds, unless {@link Types#SITEMAPS} is false. */
  private static final Set<String> LISTS = Set.of("rss", "atom", "xml");

  /** Documents that are no web pages, unless {@link Types#DOCUMENTS} is true. */
  private static final Set<String> DOCUMENTS =
      Set.of("doc", "docx", "odp", "ods", "odt", "pdf", "ppt", "pptx", "rtf", "xls", "xlsx");

  private HostList allow = HostList.EMPTY;
  private HostList deny = HostList.EMPTY;
  private boolean sitemaps;
  private boolean documents;

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    if (conf != null) {
      allow = HostList.of(conf.getTrimmedStringCollection(ALLOW));
      deny = HostList.of(conf.getTrimmedStringCollection(DENY));
      sitemaps = conf.getBoolean(Types.SITEMAPS, true);
      documents = conf.getBoolean(Types.DOCUMENTS, false);
    }
  }

  @Override
  public String filter(String url) {
    if (url.length() > MAX_CHARACTERS) {
      return null;
    }
    HttpUrl parsed = HttpUrl.parse(url);
    if (parsed == null
        || deny.contains(parsed.host())
        || !(allow.isEmpty() || allow.contains(parsed.host()))) {
      return null;
    }
    return isPage(parsed.pathSegments().get(parsed.pathSize() - 1)) && !isTrap(parsed) ? url : null;
  }

  private boolean isPage(String lastSegment) {
    String name = lastSegment.toLowerCase(Locale.ROOT);
    String type = name.substring(name.lastIndexOf('.') + 1);
    if (type.length() == name.length()) {
      return true;
    }
    return LISTS.contains(type) || name.endsWith(".xml.gz")
        ? sitemaps
        : DOCUMENTS.contains(type) ? documents : !NEVER_PAGES.contains(type);
  }

  private static boolean isTrap(HttpUrl url) {
    if (url.pathSize() > MAX_SEGMENTS || url.querySize() > MAX_PARAMETERS) {
      return true;
    }
    Map<String, Integer> seen = new HashMap<>();
    for (String segment : url.pathSegments()) {
      if (!segment.isEmpty() && seen.merge(segment, 1, Integer::sum) > MAX_SAME_SEGMENTS) {
        return true;
      }
    }
    return false;
  }

  /** Host names. Each name includes every host below it. */
  static final class HostList {
    static final HostList EMPTY = new HostList(new HashSet<>());

    private final Set<String> names;

    private HostList(Set<String> names) {
      this.names = names;
    }

    static HostList of(Collection<String> names) {
      Set<String> lower = new HashSet<>();
      for (String name : names) {
        lower.add(name.toLowerCase(Locale.ROOT));
      }
      return new HostList(lower);
    }

    boolean isEmpty() {
      return names.isEmpty();
    }

    boolean contains(String host) {
      for (String rest = host; !names.isEmpty(); rest = rest.substring(rest.indexOf('.') + 1)) {
        if (names.contains(rest)) {
          return true;
        }
        if (rest.indexOf('.') < 0) {
          return false;
        }
      }
      return false;
    }
  }
}
