package org.corpulyzer.engine;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * The header fields and the fetch time of a page's response. If a call passes one, the engine also
 * returns the statements of the page about itself ({@link Statement}).
 */
public final class PageResponse {

  /**
   * Header fields with reservations against the use of the text, in lower case and in the order in
   * which the engine reads them.
   */
  public static final List<String> HEADERS =
      Collections.unmodifiableList(
          Arrays.asList(
              "tdm-reservation", "tdm-policy", "content-usage", "content-signal", "x-robots-tag"));

  /**
   * Name by which the one-machine crawl stores the lines of the host's robots.txt on usage with a
   * page. No header field has such a name.
   */
  public static final String ROBOTS_FILE = "_corpulyzer.robots_";

  /** The same for the host's {@code /.well-known/tdmrep.json}. */
  public static final String TDM_FILE = "_corpulyzer.tdmrep_";

  private final long fetchMillis;
  private final StringBuilder[] lines = new StringBuilder[HEADERS.size()];
  private String robotsFile;
  private String tdmFile;

  /**
   * @param fetchMillis time of the fetch in milliseconds since 1970; 0 or less if it is unknown
   */
  public PageResponse(long fetchMillis) {
    this.fetchMillis = fetchMillis;
  }

  /**
   * @param fetchMillis time of the fetch in milliseconds since 1970 as a header has it, or null
   * @return a response of this time; of now if the time is not a number or in the future
   */
  public static PageResponse fetchedAt(String fetchMillis) {
    boolean isNumber = fetchMillis != null && fetchMillis.matches("[0-9]{1,18}");
    return fetchedAt(isNumber ? Long.parseLong(fetchMillis) : 0);
  }

  /**
   * @param fetchMillis time of the fetch in milliseconds since 1970
   * @return a response of this time; of now if the time is in the future or not above 0
   */
  public static PageResponse fetchedAt(long fetchMillis) {
    long now = System.currentTimeMillis();
    return new PageResponse(fetchMillis > 0 && fetchMillis <= now ? fetchMillis : now);
  }

  /**
   * Adds a header field, or one of the files {@link #ROBOTS_FILE} and {@link #TDM_FILE}. Fields
   * without reservations are ignored.
   *
   * @param name the name in any case; null is ignored
   * @param values the values; null is ignored
   * @return this
   */
  public PageResponse header(CharSequence name, CharSequence... values) {
    if (name != null && values.length > 0 && values[0] != null) {
      if (name.toString().equals(ROBOTS_FILE)) {
        robotsFile = values[0].toString();
      } else if (name.toString().equals(TDM_FILE)) {
        tdmFile = values[0].toString();
      }
    }
    int at = name == null ? -1 : HEADERS.indexOf(name.toString().toLowerCase(Locale.ROOT));
    for (int i = 0; at >= 0 && i < values.length; i++) {
      if (values[i] != null) {
        lines[at] = lines[at] == null ? new StringBuilder() : lines[at];
        // As the writers of WARC files do: a line end in a value would begin another field.
        lines[at]
            .append(HEADERS.get(at))
            .append(": ")
            .append(values[i].toString().replaceAll("[\\x00-\\x1f\\x7f]+", " ").trim())
            .append('\n');
      }
    }
    return this;
  }

  Frame.Writer writeTo(Frame.Writer hints) {
    StringBuilder all = new StringBuilder();
    for (StringBuilder field : lines) {
      all.append(field == null ? "" : field);
    }
    return hints
        .text(Tag.RESERVATION_HEADERS, all.toString())
        .text(Tag.ROBOTS_FILE, robotsFile)
        .text(Tag.TDM_FILE, tdmFile)
        .bytes(
            Tag.FETCH_TIME,
            fetchMillis <= 0 ? null : ByteBuffer.allocate(Long.BYTES).putLong(fetchMillis).array());
  }
}
