package org.corpulyzer.corpus;

import java.util.Collection;
import java.util.Locale;

/**
 * Lines of a crawl's link graph, as {@code corpulyzer simulate --graph} reads them: a line for each
 * page, with the fields host, page, state, target bytes, downloaded bytes and links, separated by
 * tabs; links are separated by blanks. A page's name is 16 hexadecimal digits, the beginning of the
 * MD5 of its key: of ten million pages, two have the same name with a probability of 1 in 300,000.
 * Not thread-safe.
 */
public final class LinkGraph {

  /** State of a page in the graph. */
  public enum State {
    /** A page was fetched. */
    FETCHED,
    /** The URL was never fetched. */
    UNFETCHED,
    /** The URL gave no page: an error or a redirect. */
    GONE;

    private final String code = name().toLowerCase(Locale.ROOT);
  }

  private final KeyHash hash = new KeyHash();

  /**
   * @return a page's name in the graph
   */
  public String name(byte[] key) {
    return String.format("%016x", hash.of(key));
  }

  /**
   * @return whether a line can contain the host: it is not empty and has no control character and
   *     no quote
   */
  public static boolean isHost(String host) {
    return !host.isEmpty() && host.chars().noneMatch(c -> Character.isISOControl(c) || c == '"');
  }

  /**
   * @param host the host, as in URLs; {@link #isHost} is true for it
   * @param page the page's name
   * @param injected whether the page is an injected seed
   * @param targetBytes main-text bytes in the target language; negative if unknown; not written
   *     unless the page was fetched
   * @param rawBytes bytes as downloaded; likewise
   * @param links names of the pages that it links to; likewise
   * @return the line without its end
   */
  public static String line(
      String host,
      String page,
      State state,
      boolean injected,
      long targetBytes,
      long rawBytes,
      Collection<String> links) {
    boolean fetched = state == State.FETCHED;
    return host
        + '\t'
        + page
        + '\t'
        + state.code
        + (injected ? ",injected" : "")
        + '\t'
        + (fetched ? bounded(targetBytes) : 0)
        + '\t'
        + (fetched ? bounded(rawBytes) : 0)
        + '\t'
        + (fetched ? String.join(" ", links) : "");
  }

  private static long bounded(long bytes) {
    return Math.max(0, Math.min(bytes, Integer.MAX_VALUE));
  }
}
