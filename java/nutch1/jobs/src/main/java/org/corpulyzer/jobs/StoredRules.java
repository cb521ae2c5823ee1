package org.corpulyzer.jobs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.net.protocols.Response;
import org.apache.nutch.protocol.Content;
import org.corpulyzer.corpus.CorpusPage;
import org.corpulyzer.engine.UsageRules;

/**
 * The rules of a host on the use of its pages, from the files that segments have: robots.txt, which
 * Nutch stores with {@code fetcher.store.robotstxt}, and {@code tdmrep.json} if it was fetched as a
 * page. Of a file the newest fetch counts. As in WARC files of other crawlers, the rules apply to
 * the pages of a host and port, whatever the scheme.
 */
final class StoredRules {

  private final Segments segments;
  private String host = "";
  private List<CorpusPage> files = Collections.emptyList();
  private final Map<String, String> robots = new HashMap<>();
  private final Map<String, String> tdm = new HashMap<>();

  StoredRules(Segments segments) {
    this.segments = segments;
  }

  /**
   * @return whether a URL is that of a file with rules
   */
  static boolean isFile(Text url) {
    String text = url.toString();
    int path = text.indexOf('/', text.indexOf("://") + 3);
    return path > 0
        && (text.startsWith(UsageRules.ROBOTS_PATH, path)
                && text.length() == path + UsageRules.ROBOTS_PATH.length()
            || text.startsWith(UsageRules.TDM_PATH, path)
                && text.length() == path + UsageRules.TDM_PATH.length());
  }

  /** Forgets the rules of another host. Called before each URL. */
  void enter(String newHost) {
    if (!host.equals(newHost)) {
      host = newHost;
      files = Collections.emptyList();
      robots.clear();
      tdm.clear();
    }
  }

  /**
   * Reads a file of the host.
   *
   * @param parts what segments have of it
   */
  void add(String url, Iterable<PagePart> parts) {
    Content newest = null;
    long time = Long.MIN_VALUE;
    for (PagePart part : parts) {
      Content file = (Content) part.value();
      long millis = millis(file, part.segment());
      if (millis >= time) {
        newest = file;
        time = millis;
      }
    }
    if (newest == null || !isAnswer(newest.getMetadata())) {
      return;
    }
    boolean isRobots = url.endsWith(UsageRules.ROBOTS_PATH);
    String rules =
        isRobots ? UsageRules.ofRobots(newest.getContent()) : UsageRules.ofTdm(newest.getContent());
    if (rules != null) {
      (isRobots ? robots : tdm).put(authority(url), rules);
      // Readers of the list compare it with the one of the host before.
      files = new ArrayList<>(files);
      files.add(SegmentPage.ofFile(segments, url, newest, time));
    }
  }

  private long millis(Content file, int segment) {
    String time = file.getMetadata().get(Response.FETCH_TIME);
    return time != null && time.matches("[0-9]{1,18}")
        ? Long.parseLong(time)
        : segments.round(segment) * 1000;
  }

  /** Nutch stores redirects and error pages too; the status is in the head alone. */
  private static boolean isAnswer(Metadata metadata) {
    String status = metadata.get(Nutch.FETCH_STATUS_KEY);
    String head = metadata.get(Response.RESPONSE_HEADERS);
    // Names of HTTP/2 are in lower case.
    return Arrays.stream(metadata.names()).noneMatch(Metadata.LOCATION::equalsIgnoreCase)
        && (status == null || status.equals(Integer.toString(CrawlDatum.STATUS_FETCH_SUCCESS)))
        && (head == null || head.matches("(?s)HTTP/[0-9.]+ +200\\b.*"));
  }

  /** Host and port of a URL, in lower case. */
  private static String authority(String url) {
    String behind = url.substring(url.indexOf("://") + 3);
    return behind.split("[/?#]", 2)[0].toLowerCase(Locale.ROOT);
  }

  /**
   * @return the files of the host that have rules
   */
  List<CorpusPage> files() {
    return files;
  }

  /**
   * @return the lines of robots.txt on usage that apply to a page of the host; null if there are
   *     none
   */
  String robots(String url) {
    return robots.isEmpty() ? null : robots.get(authority(url));
  }

  /**
   * @return the {@code tdmrep.json} that applies to a page of the host; null if there is none
   */
  String tdm(String url) {
    return tdm.isEmpty() ? null : tdm.get(authority(url));
  }
}
