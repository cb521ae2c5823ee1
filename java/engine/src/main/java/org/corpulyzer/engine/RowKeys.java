package org.corpulyzer.engine;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;

/**
 * Hosts in the web table. A row key is a reversed URL ({@code com.example.www:http:8080/path}), so
 * a host's rows are one contiguous range. The comparison is exact to the byte.
 */
public final class RowKeys {

  /**
   * Reads URLs of any scheme. Java's own look-up supports few schemes, and Nutch 1.x replaces it by
   * one that supports the schemes of its active plugins.
   */
  private static final URLStreamHandler ANY_SCHEME =
      new URLStreamHandler() {
        @Override
        protected URLConnection openConnection(URL url) throws IOException {
          throw new IOException(url + " is only read as text.");
        }
      };

  private RowKeys() {}

  /**
   * @return the row key of a URL, as Nutch 2.4's TableUtil builds it: labels of the host in reverse
   *     order, scheme, port if it is written, path and query; null if the text is no URL with a
   *     host
   */
  public static String of(String url) {
    URL parsed;
    try {
      parsed = new URL(null, url, ANY_SCHEME);
    } catch (MalformedURLException e) {
      return null;
    }
    String file = parsed.getFile();
    String port = parsed.getPort() < 0 ? "" : ":" + parsed.getPort();
    String key =
        reverse(parsed.getHost())
            + ':'
            + parsed.getProtocol()
            + port
            + (file.isEmpty() || file.startsWith("/") ? "" : "/")
            + file;
    return isValid(key) ? key : null;
  }

  /**
   * Returns the URL of a row. Nutch's own TableUtil reads the groups of an IPv6 address as a scheme
   * and a port.
   *
   * @param rowKey reversed URL
   * @throws IllegalArgumentException when the key has no host or no scheme
   */
  public static String url(String rowKey) {
    String host = host(rowKey);
    String rest = rowKey.substring(host.length() + 1);
    int end = 0;
    while (end < rest.length() && rest.charAt(end) != ':' && rest.charAt(end) != '/') {
      end++;
    }
    return rest.substring(0, end) + "://" + reverse(host) + rest.substring(end);
  }

  /**
   * @param host a host as URLs or as row keys have it
   * @return the host with its labels in reverse order, without empty ones
   */
  public static String reverse(String host) {
    StringBuilder reversed = new StringBuilder();
    for (String label : host.split("\\.")) {
      if (!label.isEmpty()) {
        reversed.insert(0, reversed.length() == 0 ? label : label + '.');
      }
    }
    return reversed.length() == 0 ? host : reversed.toString();
  }

  /**
   * @param rowKey reversed URL
   * @return whether it has a host and a scheme: {@link #host} returns a host exactly for these keys
   */
  public static boolean isValid(String rowKey) {
    int end = hostEnd(rowKey);
    return end > 0 && end + 1 < rowKey.length() && isAsciiLetter(rowKey.charAt(end + 1));
  }

  /**
   * @param rowKey reversed URL
   * @return the key up to its first colon, or up to the first colon after ']' for an IPv6 address
   * @throws IllegalArgumentException when the key has no host or no scheme
   */
  public static String host(String rowKey) {
    if (!isValid(rowKey)) {
      throw new IllegalArgumentException(
          "'" + rowKey + "' is not a row key of the form host:scheme/path.");
    }
    return rowKey.substring(0, hostEnd(rowKey));
  }

  /**
   * @return the first key that a row of this host may have (inclusive)
   */
  public static String startKey(String host) {
    return host + ':';
  }

  /**
   * @return the key after the last that a row of this host may have (no valid row key equals it)
   */
  public static String endKey(String host) {
    // ';' follows ':' in ASCII.
    return host + ';';
  }

  private static int hostEnd(String rowKey) {
    if (rowKey == null) {
      return -1;
    }
    int colon = rowKey.indexOf(':');
    int bracket = rowKey.indexOf('[');
    if (bracket < 0 || bracket > colon) {
      return colon;
    }
    // An IPv4-mapped address is reversed at its dots, which puts ']' before '['; its last groups
    // are then the host.
    int close = rowKey.indexOf(']');
    return close < 0 ? -1 : rowKey.indexOf(':', Math.max(close, bracket));
  }

  private static boolean isAsciiLetter(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
  }
}
