package org.corpulyzer.engine;

import java.net.MalformedURLException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The data of an HTML page that a crawler needs in addition to its text: links, alternates, feeds,
 * refresh, robots directives. All URLs are absolute, have the scheme http or https, are normalized
 * as the WHATWG URL standard has it, and have no fragment.
 */
public final class PageLinks {

  /** Most characters of {@link #title()}. */
  public static final int MAX_TITLE = 1000;

  /**
   * The longest delay of a redirect, in seconds, as the core has it. A page that loads another one
   * later is there to be read.
   */
  public static final int MAX_REDIRECT_SECONDS = 5;

  private static final int NOINDEX = 1;
  private static final int NOFOLLOW = 2;
  private static final int NOARCHIVE = 4;
  private static final int TOO_MANY = 8;
  private static final int UNREAD = 16;

  private final String title;
  private final int flags;
  private final String baseUrl;
  private final List<Link> links;
  private final List<Alternate> alternates;
  private final List<String> feeds;
  private final String canonical;
  private final String refreshUrl;
  private final long refreshSeconds;

  /** A result without the field of flags belongs to a page that was not read. */
  PageLinks(Frame frame) {
    title = shortened(frame.text(Tag.TITLE));
    byte[] bits = frame.bytes(Tag.LINK_FLAGS);
    flags = bits == null || bits.length == 0 ? UNREAD : bits[0];
    baseUrl = frame.text(Tag.BASE_URL);
    canonical = frame.text(Tag.CANONICAL);
    List<Link> foundLinks = new ArrayList<>();
    for (Packed in = new Packed(frame, Tag.LINKS); in.hasMore(); ) {
      int rel = in.number(1);
      foundLinks.add(new Link(in.text(), in.text(), rel));
    }
    links = Collections.unmodifiableList(foundLinks);
    List<Alternate> foundAlternates = new ArrayList<>();
    for (Packed in = new Packed(frame, Tag.ALTERNATES); in.hasMore(); ) {
      foundAlternates.add(new Alternate(in.text(), in.text()));
    }
    alternates = Collections.unmodifiableList(foundAlternates);
    List<String> foundFeeds = new ArrayList<>();
    for (Packed in = new Packed(frame, Tag.FEEDS); in.hasMore(); ) {
      foundFeeds.add(in.text());
    }
    feeds = Collections.unmodifiableList(foundFeeds);
    Packed refresh = new Packed(frame, Tag.REFRESH);
    refreshSeconds = refresh.hasMore() ? refresh.number(Integer.BYTES) & 0xFFFFFFFFL : 0;
    refreshUrl = refresh.hasMore() ? refresh.text() : null;
  }

  private static String shortened(String title) {
    if (title == null) {
      return "";
    }
    return title.codePointCount(0, title.length()) <= MAX_TITLE
        ? title
        : title.substring(0, title.offsetByCodePoints(0, MAX_TITLE));
  }

  /**
   * @return the page's title, at most {@value #MAX_TITLE} characters; empty when there is none
   */
  public String title() {
    return title;
  }

  /**
   * @return the URL that relative URLs are resolved against: the first {@code <base href>}, else
   *     the page's own; null when neither is an http or https URL
   */
  public String baseUrl() {
    return baseUrl;
  }

  /**
   * @return links of {@code a[href]}, {@code area[href]}, {@code frame[src]} and {@code
   *     iframe[src]} in the page's order, each URL once, also links with {@code rel=nofollow} and
   *     links of a page that forbids to follow them
   */
  public List<Link> links() {
    return links;
  }

  /**
   * @return {@code <link rel=alternate hreflang=... href=...>}, each pair once, at most as many as
   *     links were requested
   */
  public List<Alternate> alternates() {
    return alternates;
  }

  /**
   * @return URLs of {@code <link rel=alternate>} of type RSS or Atom, each once, at most as many as
   *     links were requested
   */
  public List<String> feeds() {
    return feeds;
  }

  /**
   * @return URL of the first {@code <link rel=canonical>}, or null
   */
  public String canonical() {
    return canonical;
  }

  /**
   * @return where the first {@code <meta http-equiv=refresh>} outside of {@code noscript} leads (it
   *     may be the page itself), or null
   */
  public String refreshUrl() {
    return refreshUrl;
  }

  /**
   * @return seconds that a browser waits before the refresh; 0 when there is none
   */
  public long refreshSeconds() {
    return refreshSeconds;
  }

  /**
   * @param page the page's URL
   * @return whether the page only forwards its readers: it has a refresh to another page within
   *     {@value #MAX_REDIRECT_SECONDS} seconds
   */
  public boolean isRedirect(String page) {
    if (refreshUrl == null || refreshSeconds > MAX_REDIRECT_SECONDS) {
      return false;
    }
    try {
      return !PageReading.isSamePage(new URL(refreshUrl), page);
    } catch (MalformedURLException e) {
      return false;
    }
  }

  /**
   * @return whether robots meta or the X-Robots-Tag header forbid to index the page
   */
  public boolean isNoindex() {
    return (flags & NOINDEX) != 0;
  }

  /**
   * @return whether robots meta or the X-Robots-Tag header forbid to follow the page's links
   */
  public boolean isNofollow() {
    return (flags & NOFOLLOW) != 0;
  }

  /**
   * @return whether robots meta, the X-Robots-Tag header or {@code <meta http-equiv=pragma
   *     content=no-cache>} forbid to show a copy
   */
  public boolean isNoarchive() {
    return (flags & NOARCHIVE) != 0;
  }

  /**
   * @return whether the page has more links, alternates or feeds than were requested
   */
  public boolean hasMoreLinks() {
    return (flags & TOO_MANY) != 0;
  }

  /**
   * @return whether the page was read to its end; if not, links may be missing, and the record's
   *     message has the reason
   */
  public boolean isWhole() {
    return (flags & UNREAD) == 0;
  }

  /** A link to another page. */
  public static final class Link {
    private static final int UGC = 2;
    private static final int SPONSORED = 4;
    private static final int IN_TARGET = 8;
    private static final int IN_OTHER = 16;

    private final String url;
    private final String anchor;
    private final int rel;

    private Link(String url, String anchor, int rel) {
      this.url = url;
      this.anchor = anchor;
      this.rel = rel;
    }

    /**
     * @return where it leads
     */
    public String url() {
      return url;
    }

    /**
     * @return its text with white space folded, at most 100 characters; empty for frames and areas
     */
    public String anchor() {
      return anchor;
    }

    /**
     * @return whether {@code rel} has nofollow, in each link of the page to this URL
     */
    public boolean isNofollow() {
      return (rel & 1) != 0;
    }

    /**
     * @return whether {@code rel} has ugc (content of users), in each link of the page to this URL
     */
    public boolean isUgc() {
      return (rel & UGC) != 0;
    }

    /**
     * @return whether {@code rel} has sponsored, in each link of the page to this URL
     */
    public boolean isSponsored() {
      return (rel & SPONSORED) != 0;
    }

    /**
     * @return whether the anchor is in a target language; null if it is unknown or {@link
     *     Options#withAnchors} was not called
     */
    public Boolean isAnchorInTarget() {
      return (rel & IN_TARGET) != 0 ? Boolean.TRUE : (rel & IN_OTHER) != 0 ? Boolean.FALSE : null;
    }

    @Override
    public String toString() {
      return url;
    }
  }

  /** The same page in another language. */
  public static final class Alternate {
    private final String language;
    private final String url;

    private Alternate(String language, String url) {
      this.language = language;
      this.url = url;
    }

    /**
     * @return value of {@code hreflang} in lower case, such as {@code ur-pk} or {@code x-default};
     *     at most 64 characters
     */
    public String language() {
      return language;
    }

    /**
     * @return where it is
     */
    public String url() {
      return url;
    }

    @Override
    public String toString() {
      return language + " " + url;
    }
  }

  /** Options for the links of a page. Immutable. */
  public static final class Options {
    private static final Options DEFAULTS = new Options(5000, 2048, null, false);

    private final int maxLinks;
    private final int maxUrlBytes;
    private final String robotsHeader;
    private final boolean readsAnchors;

    private Options(int maxLinks, int maxUrlBytes, String robotsHeader, boolean readsAnchors) {
      this.maxLinks = maxLinks;
      this.maxUrlBytes = maxUrlBytes;
      this.robotsHeader = robotsHeader;
      this.readsAnchors = readsAnchors;
    }

    /**
     * @return at most 5,000 links with URLs of at most 2,048 bytes, and no X-Robots-Tag header
     */
    public static Options defaults() {
      return DEFAULTS;
    }

    /**
     * @return the same with at most this many links, 0 or more; also the limit of alternates and of
     *     feeds
     */
    public Options maxLinks(int most) {
      return new Options(notNegative("maxLinks", most), maxUrlBytes, robotsHeader, readsAnchors);
    }

    /**
     * @return the same with URLs of at most this many bytes, at most 65,535; links to longer URLs
     *     are dropped
     */
    public Options maxUrlBytes(int most) {
      return new Options(maxLinks, notNegative("maxUrlBytes", most), robotsHeader, readsAnchors);
    }

    /**
     * @param header value of the HTTP header X-Robots-Tag, or null; several headers are joined by
     *     line feeds. Directives for a named crawler ({@code googlebot: noindex}) are ignored
     * @return the same with this header
     */
    public Options robotsHeader(String header) {
      return new Options(maxLinks, maxUrlBytes, header, readsAnchors);
    }

    /**
     * @return the same with the languages of anchors, see {@link Link#isAnchorInTarget}
     */
    public Options withAnchors() {
      return new Options(maxLinks, maxUrlBytes, robotsHeader, true);
    }

    private static int notNegative(String name, int value) {
      if (value < 0) {
        throw new IllegalArgumentException(name + " is " + value + ", 0 or more is allowed");
      }
      return value;
    }

    Frame.Writer writeTo(Frame.Writer hints) {
      return hints
          .bytes(
              Tag.LINK_LIMITS,
              ByteBuffer.allocate(2 * Integer.BYTES).putInt(maxLinks).putInt(maxUrlBytes).array())
          .text(Tag.ROBOTS_HEADER, robotsHeader)
          .bytes(Tag.ANCHORS, readsAnchors ? new byte[0] : null);
    }
  }

  /** A field of several values one after the other. */
  private static final class Packed {
    private final int tag;
    private final ByteBuffer in;

    Packed(Frame frame, int tag) {
      this.tag = tag;
      byte[] value = frame.bytes(tag);
      in = ByteBuffer.wrap(value == null ? new byte[0] : value);
    }

    boolean hasMore() {
      return in.hasRemaining();
    }

    int number(int bytes) {
      need(bytes);
      int number = 0;
      for (int i = 0; i < bytes; i++) {
        number = number << Byte.SIZE | in.get() & 0xFF;
      }
      return number;
    }

    String text() {
      int length = number(Short.BYTES);
      need(length);
      String text = new String(in.array(), in.position(), length, StandardCharsets.UTF_8);
      in.position(in.position() + length);
      return text;
    }

    private void need(int bytes) {
      if (in.remaining() < bytes) {
        throw new CorpulyzerException("The frame's field " + tag + " ends inside a value.");
      }
    }
  }
}
