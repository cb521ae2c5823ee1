package org.corpulyzer.engine;

import java.util.HashMap;
import java.util.Map;

/**
 * The {@link LinkSigns} of the links of a page as a row of Nutch 2.4 has them until updatedb counts
 * the links ({@link PageKeys#LINK_SIGNS}): five ASCII characters for each link that differs from
 * what is assumed without signs, which are a code and a hash of the URL. Immutable.
 */
public final class SignedLinks {

  /** Most links with signs; others count as links without. */
  static final int MOST = 256;

  private static final int SIZE = 5;
  private static final char FIRST = 'a';

  /** Added to the code of an alternate in a target language. */
  private static final int ALTERNATE = 6;

  private static final int BITS = 6;
  private static final char FIRST_DIGIT = '0';

  private final Map<String, Integer> codes = new HashMap<>();

  private SignedLinks() {}

  /**
   * @param text of {@link #text}, or null
   */
  public static SignedLinks parse(String text) {
    SignedLinks links = new SignedLinks();
    for (int at = 0; text != null && at + SIZE <= text.length(); at += SIZE) {
      links.codes.put(text.substring(at + 1, at + SIZE), text.charAt(at) - FIRST);
    }
    return links;
  }

  /**
   * @param signs of a page
   * @param urls of its links, absolute
   * @param isInTarget whether the page is in a target language
   * @return empty if no link has signs of its own
   */
  public static String text(LinkSigns signs, Iterable<String> urls, boolean isInTarget) {
    String assumed = isInTarget ? LinkSigns.ANCHOR_IN_TARGET : LinkSigns.ANCHOR_IN_OTHER;
    StringBuilder text = new StringBuilder();
    for (String url : urls) {
      String own = signs.of(url);
      int code =
          (own.equals(assumed) ? 0 : LinkSigns.code(own))
              + (signs.isAlternate(url) ? ALTERNATE : 0);
      if (code > 0 && text.length() < MOST * SIZE) {
        text.append((char) (FIRST + code)).append(hash(url));
      }
    }
    return text.toString();
  }

  /**
   * @param url of a link, also in the form that Nutch's normalizers have given it
   * @return the signs; empty if it has none
   */
  public String of(String url) {
    return LinkSigns.decoded((char) ('0' + code(url) % ALTERNATE));
  }

  /**
   * @param url as for {@link #of}
   * @return whether the page names it as its alternate in a target language
   */
  public boolean isAlternate(String url) {
    return code(url) >= ALTERNATE;
  }

  private int code(String url) {
    return codes.isEmpty() ? 0 : codes.getOrDefault(hash(url), 0);
  }

  /** 24 bits: of 100 links of a page, two have the same hash on one page in 3,000. */
  private static String hash(String url) {
    int bits = LinkSigns.normalized(url).hashCode() * 0x9E3779B1 >>> Byte.SIZE;
    char[] digits = new char[SIZE - 1];
    for (int i = 0; i < digits.length; i++, bits >>>= BITS) {
      digits[i] = (char) (FIRST_DIGIT + (bits & (1 << BITS) - 1));
    }
    return new String(digits);
  }
}
