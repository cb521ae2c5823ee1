package org.corpulyzer.crawl.companion;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
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

  /** Letters outside ASCII have six to twelve bytes in a URL, and count as one character. */
  private static final int MAX_CHARACTERS = 1024;

  static final int MAX_BYTES = 8192;
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

  /** Folders of the titles of articles. */
  private static final Set<String> TITLES =
      Set.of(
          "wiki",
          "index.php",
          "wikipedia",
          "title",
          "tag",
          "tags",
          "topic",
          "topics",
          "category",
          "\u0648\u06cc\u06a9\u06cc",
          "\u0648\u064a\u0643\u064a",
          "\u0432\u0438\u043a\u0438");

  /** Sitemaps and feeds, unless {@link Types#SITEMAPS} is false. */
  private static final Set<String> LISTS = Set.of("rss", "atom", "xml");

  private static final Pattern PACKED_LIST =
      Pattern.compile(".*\\.(xml|txt|rss|atom)\\.gz|.*sitemap.*\\.gz");

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
      allow = HostList.of(conf, ALLOW);
      deny = HostList.of(conf, DENY);
      sitemaps = conf.getBoolean(Types.SITEMAPS, true);
      documents = conf.getBoolean(Types.DOCUMENTS, false);
    }
  }

  @Override
  public String filter(String url) {
    if (url.length() > MAX_BYTES || characters(url) > MAX_CHARACTERS) {
      return null;
    }
    HttpUrl parsed = UrlNormalizer.parsed(url);
    if (parsed == null || !permits(parsed.host())) {
      return null;
    }
    return isPage(parsed) && !isTrap(parsed) ? url : null;
  }

  /** Returns whether the lists permit a host. */
  boolean permits(String host) {
    return !deny.contains(host) && (allow.isEmpty() || allow.contains(host));
  }

  /** Returns the number of characters of a URL as its reader sees it, percent codes decoded. */
  private static int characters(String url) {
    int percent = url.indexOf('%');
    if (percent < 0) {
      return url.length();
    }
    int continued = 0;
    int codes = 0;
    for (; percent >= 0 && percent + 2 < url.length(); percent = url.indexOf('%', percent + 1)) {
      codes++;
      // All bytes of a character in UTF-8 but the first are 10xxxxxx.
      continued += "89ABab".indexOf(url.charAt(percent + 1)) >= 0 ? 1 : 0;
    }
    return url.length() - 2 * codes - continued;
  }

  /**
   * Titles of wiki articles end as files do, such as Node.js. Only images and the like have a
   * namespace in front.
   */
  private static boolean isTitle(List<String> segments) {
    int last = segments.size() - 1;
    return last > 0
        && TITLES.contains(segments.get(last - 1).toLowerCase(Locale.ROOT))
        && segments.get(last).indexOf(':') < 0;
  }

  private boolean isPage(HttpUrl url) {
    List<String> segments = url.pathSegments();
    String name = segments.get(segments.size() - 1).toLowerCase(Locale.ROOT);
    String type = name.substring(name.lastIndexOf('.') + 1);
    if (type.length() == name.length()) {
      return true;
    }
    return LISTS.contains(type) || PACKED_LIST.matcher(name).matches()
        ? sitemaps
        : DOCUMENTS.contains(type)
            ? documents
            : !NEVER_PAGES.contains(type) || isTitle(segments) || isProgram(url, type);
  }

  /** Whether a server runs the file to make a page (CGI), instead of sending it. */
  private static boolean isProgram(HttpUrl url, String type) {
    return type.equals("exe") && (url.querySize() > 0 || url.pathSegments().contains("cgi-bin"));
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

    /**
     * @throws IllegalArgumentException if one of the names is no host
     */
    static HostList of(Configuration conf, String property) {
      Set<String> hosts = new HashSet<>();
      for (String name : conf.getTrimmedStringCollection(property)) {
        hosts.add(host(name, property));
      }
      return new HostList(hosts);
    }

    /** Returns a host as URLs of the crawl have it: in lower case and ASCII (UTS 46). */
    static String host(String name, String property) {
      boolean isAddress6 = name.indexOf(':') >= 0 && !name.startsWith("[");
      HttpUrl url = HttpUrl.parse("http://" + (isAddress6 ? "[" + name + "]" : name) + "/");
      if (url == null || url.host().isEmpty() || url.port() != 80 || url.pathSize() != 1) {
        throw new IllegalArgumentException(
            property
                + " has '"
                + name
                + "', which is no host; allowed are host names and IP addresses, without scheme,"
                + " port and path");
      }
      return url.host().replaceAll("\\.+$", "");
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
