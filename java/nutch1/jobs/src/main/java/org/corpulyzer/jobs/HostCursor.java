package org.corpulyzer.jobs;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableComparator;
import org.apache.nutch.util.URLUtil;

/**
 * Follows the URLs of a CrawlDb part and finds where the rows of a host end. A host is what Nutch's
 * generator limits: URLUtil.getHost, lower case, without port. In a part the rows of a host are
 * neighbours, once per scheme; most rows cost one comparison of bytes.
 */
final class HostCursor {

  private static final byte[][] SCHEMES = {utf8("http://"), utf8("https://")};

  private String host;

  /**
   * Scheme, authority and slash of the current row: the beginning of the next rows of the host.
   * Empty if these do not determine the host.
   */
  private byte[] origin = {};

  /**
   * @return whether this row is of another host than the row before, or the first of those without
   *     a host
   */
  boolean moveTo(Text url) {
    if (origin.length > 0 && startsWith(url, origin)) {
      return false;
    }
    String next = hostOf(url.toString());
    origin = originOf(url);
    boolean moved = !Objects.equals(next, host);
    host = next;
    return moved;
  }

  /**
   * @return the current row's host, or null when its key is no URL or names no host
   */
  String host() {
    return host;
  }

  /**
   * @return the URL's host in lower case, or null when the text is no URL or names no host
   */
  static String hostOf(String url) {
    String host = URLUtil.getHost(url);
    return host == null || host.isEmpty() ? null : host;
  }

  private static byte[] originOf(Text url) {
    byte[] bytes = url.getBytes();
    for (byte[] scheme : SCHEMES) {
      if (startsWith(url, scheme)) {
        for (int i = scheme.length;
            i < url.getLength() && bytes[i] != '?' && bytes[i] != '#';
            i++) {
          if (bytes[i] == '/') {
            return Arrays.copyOf(bytes, i + 1);
          }
        }
      }
    }
    return new byte[0];
  }

  static boolean startsWith(Text text, byte[] prefix) {
    return text.getLength() >= prefix.length
        && WritableComparator.compareBytes(
                text.getBytes(), 0, prefix.length, prefix, 0, prefix.length)
            == 0;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
