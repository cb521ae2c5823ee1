package org.corpulyzer.corpus;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Heads of HTTP messages for WARC records. Fetchers decode a body before they store it, so the
 * lines of a response that describe the encoded body get the names that Common Crawl gives them,
 * {@code X-Crawler-...}, and the length is that of the stored body.
 */
final class HttpHead {

  private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
  private static final Pattern LINE =
      Pattern.compile("(" + TOKEN + ")[ \\t]*:(.*)", Pattern.DOTALL);
  private static final Pattern STATUS_LINE =
      Pattern.compile("HTTP/[0-9.]+ ([1-9][0-9]{2})( .*)?", Pattern.DOTALL);
  private static final Pattern REQUEST_LINE = Pattern.compile("(" + TOKEN + " [^ ]+) HTTP/[0-9.]+");

  /**
   * A line end inside the value of a header field, and the blanks after it (RFC 9112, section 5.2).
   */
  private static final Pattern FOLD = Pattern.compile("\\r?\\n[ \\t]+");

  private HttpHead() {}

  /**
   * @param length bytes of the stored body
   * @return the head as the server sent it if the fetcher stored it; otherwise one with status 200
   *     and the header lines that are stored
   */
  static String ofResponse(CorpusPage page, int length) {
    StringBuilder head = new StringBuilder();
    boolean[] has = new boolean[2];
    String[] lines = lines(page.responseHead());
    Matcher status = STATUS_LINE.matcher(lines[0]);
    if (status.matches()) {
      // Readers know the versions that are sent as text; HTTP/2 has another form on the wire.
      String version = lines[0].startsWith("HTTP/1.0 ") ? "HTTP/1.0 " : "HTTP/1.1 ";
      head.append(version)
          .append(status.group(1))
          .append(status.group(2) == null ? " " : status.group(2))
          .append("\r\n");
      for (int i = 1; i < lines.length; i++) {
        Matcher line = LINE.matcher(lines[i]);
        if (line.matches()) {
          responseLine(head, line.group(1), line.group(2), length, has);
        }
      }
    } else {
      head.append("HTTP/1.1 200 OK\r\n");
      for (Map.Entry<String, List<String>> header : page.headers().entrySet()) {
        String name = header.getKey().trim();
        if (name.matches(TOKEN)) {
          header.getValue().forEach(value -> responseLine(head, name, value, length, has));
        }
      }
      if (!has[0] && !page.contentType().isEmpty()) {
        line(head, "Content-Type", page.contentType());
      }
    }
    if (!has[1]) {
      line(head, "Content-Length", String.valueOf(length));
    }
    return head.append("\r\n").toString();
  }

  /**
   * @param has whether there was a type, and whether there was a length that is true
   */
  private static void responseLine(
      StringBuilder head, String name, String value, int length, boolean[] has) {
    has[0] |= name.equalsIgnoreCase("Content-Type");
    boolean ofTheWay =
        name.equalsIgnoreCase("Content-Encoding") || name.equalsIgnoreCase("Transfer-Encoding");
    if (name.equalsIgnoreCase("Content-Length")) {
      boolean isTrue = !has[1] && value.trim().equals(String.valueOf(length));
      has[1] |= isTrue;
      ofTheWay = !isTrue;
    }
    line(head, (ofTheWay ? "X-Crawler-" : "") + name, value);
  }

  /**
   * @param request as the fetcher stored it, or null
   * @return the request with clean line ends; null if it is none
   */
  static String ofRequest(String request) {
    String[] lines = lines(request);
    Matcher first = REQUEST_LINE.matcher(lines[0]);
    if (!first.matches()) {
      return null;
    }
    StringBuilder head =
        new StringBuilder(first.group(1))
            .append(lines[0].endsWith("/1.0") ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
    for (int i = 1; i < lines.length; i++) {
      Matcher line = LINE.matcher(lines[i]);
      if (line.matches()) {
        line(head, line.group(1), line.group(2));
      }
    }
    return head.append("\r\n").toString();
  }

  /**
   * Nutch's rule: the server announced more bytes than there are. The length of an encoded body is
   * another.
   */
  static boolean isTruncated(Map<String, List<String>> headers, int length) {
    long announced = -1;
    for (Map.Entry<String, List<String>> header : headers.entrySet()) {
      if (header.getKey().equalsIgnoreCase("Content-Encoding")) {
        return false;
      }
      if (header.getKey().equalsIgnoreCase("Content-Length")) {
        for (String value : header.getValue()) {
          announced =
              value.trim().matches("[0-9]{1,18}") ? Long.parseLong(value.trim()) : announced;
        }
      }
    }
    return announced > length;
  }

  private static String[] lines(String head) {
    String[] lines =
        head == null ? new String[0] : FOLD.matcher(head).replaceAll(" ").split("\\r?\\n");
    for (int i = 0; i < lines.length; i++) {
      lines[i] = oneLine(lines[i]);
    }
    return lines.length == 0 ? new String[] {""} : lines;
  }

  private static void line(StringBuilder head, String name, String value) {
    head.append(name).append(": ").append(oneLine(value)).append("\r\n");
  }

  /**
   * @return the value without control characters: values come from the web, and a line end in one
   *     would begin another line
   */
  static String oneLine(String value) {
    return value == null ? "" : value.replaceAll("[\\x00-\\x1f\\x7f]+", " ").trim();
  }
}
