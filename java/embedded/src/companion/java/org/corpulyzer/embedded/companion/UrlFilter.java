package org.corpulyzer.embedded.companion;

import java.util.Arrays;
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
 * Keeps addresses that can lead to a page: http and https, hosts that the lists permit, no file types that are never pages, and
 * none of the shapes that crawler traps have (very long, the same path segment again and again).
 */
public final class UrlFilter extends Configured implements URLFilter {
  /** Comma-separated host names; when given, only these hosts and those below them are crawled. */
  public static final String ALLOW = "corpulyzer.embedded.allow";
  /** Comma-separated host names; these hosts and those below them are never crawled. */
  public static final String DENY = "corpulyzer.embedded.deny";

  private static final int MAX_CHARACTERS = 1024;
  private static final int MAX_SAME_SEGMENTS = 2;
  private static final int MAX_SEGMENTS = 24;
  private static final int MAX_PARAMETERS = 12;
  private static final Set<String> NEVER_PAGES = new HashSet<>(Arrays.asList(
      "7z", "aac", "apk", "avi", "bmp", "bz2", "css", "csv", "doc", "docx", "dmg", "eot", "epub", "exe", "flv", "gif", "gz", "ico",
      "iso", "jar", "jpeg", "jpg", "js", "json", "m4a", "m4v", "mov", "mp3", "mp4", "mpeg", "mpg", "msi", "odt", "ogg", "otf", "pdf",
      "png", "ppt", "pptx", "rar", "rpm", "rss", "svg", "swf", "tar", "tgz", "tif", "tiff", "ttf", "wav", "webm", "webp", "wma", "wmv",
      "woff", "woff2", "xls", "xlsx", "xml", "xz", "zip"));

  private HostList allow = HostList.EMPTY;
  private HostList deny = HostList.EMPTY;

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    if (conf != null) {
      allow = HostList.of(conf.getTrimmedStringCollection(ALLOW));
      deny = HostList.of(conf.getTrimmedStringCollection(DENY));
    }
  }

  @Override
  public String filter(String url) {
    if (url.length() > MAX_CHARACTERS) {
      return null;
    }
    HttpUrl parsed = HttpUrl.parse(url);
    // Nutch cannot turn the row key of an IPv6 address back into its URL.
    if (parsed == null || parsed.host().indexOf(':') >= 0 || deny.contains(parsed.host()) || !(allow.isEmpty() || allow.contains(parsed.host()))) {
      return null;
    }
    return isPage(parsed.pathSegments().get(parsed.pathSize() - 1)) && !isTrap(parsed) ? url : null;
  }

  private static boolean isPage(String lastSegment) {
    int dot = lastSegment.lastIndexOf('.');
    return dot < 0 || !NEVER_PAGES.contains(lastSegment.substring(dot + 1).toLowerCase(Locale.ROOT));
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

  /** Host names, each standing for itself and every host below it. */
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
