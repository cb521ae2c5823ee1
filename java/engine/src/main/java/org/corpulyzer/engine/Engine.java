package org.corpulyzer.engine;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native engine for one target language and one set of limits. Thread-safe; never closed, since
 * there is one per settings.
 */
public final class Engine {

  /** Kind of the bytes of a page. */
  public enum Kind {
    /** HTML or XHTML in any charset. */
    HTML,
    /**
     * UTF-8 text from another parser: its languages are counted, and no main content is extracted.
     */
    TEXT,
    /** The same of a document: a text in no known language is junk. */
    DOCUMENT
  }

  private static final Logger LOG = LoggerFactory.getLogger("org.corpulyzer.native");
  private static final Map<String, Engine> ENGINES = new ConcurrentHashMap<>();

  private final int id;
  private final String target;
  private final List<String> tags;
  private final String recordVersion;

  private Engine(Frame configured) {
    this.id = configured.u32(Tag.ENGINE_ID);
    this.target = configured.text(Tag.TARGET);
    this.tags = Arrays.asList(configured.text(Tag.TARGET_TAGS).split(","));
    this.recordVersion = configured.text(Tag.RECORD_VERSION);
  }

  /**
   * Loads the library at the first call in a class loader.
   *
   * @return the engine of these settings, one per JVM and class loader
   * @throws NativeLibrary.Unavailable when the library does not load
   * @throws CorpulyzerException when it refuses the settings
   */
  public static Engine of(Settings settings) {
    NativeLibrary.load(settings.nativePath());
    return ENGINES.computeIfAbsent(settings.toJson(), json -> configure(json, settings));
  }

  private static Engine configure(String json, Settings settings) {
    Frame answer = logged(Frame.read(Native.configure(json.getBytes(StandardCharsets.UTF_8))));
    String setting = answer.text(Tag.SETTING);
    if (setting != null) {
      throw new CorpulyzerException(
          settings.property(setting) + ": " + answer.text(Tag.MESSAGE) + ".");
    }
    accepted(answer);
    if (answer.text(Tag.TARGET_TAGS) == null || answer.text(Tag.RECORD_VERSION) == null) {
      throw new CorpulyzerException(
          "The native library is of another release than the jars: it does not name its target"
              + " language.");
    }
    LOG.info("The native library is {}", NativeLibrary.origin());
    return new Engine(answer);
  }

  /**
   * Parses a page and counts its languages. A problem with the page is a status in the record, not
   * an exception.
   *
   * @param content the page as it came (a text's UTF-8 for {@link Kind#TEXT})
   * @param url the page's URL, or null
   * @param contentType HTTP Content-Type header, or null
   * @param kind kind of the bytes
   */
  public PageRecord page(byte[] content, String url, String contentType, Kind kind) {
    return new PageRecord(page(content, hints(url, contentType, kind)), false);
  }

  /**
   * Parses an HTML page, counts its languages, and returns its links in {@link PageRecord#links()}.
   * The page is decoded and its markup is read once for both.
   *
   * @param content the page as it came
   * @param url the page's URL, which relative links are resolved against, or null
   * @param contentType HTTP Content-Type header, or null
   * @param options limits of the links, and the X-Robots-Tag header
   */
  public PageRecord page(
      byte[] content, String url, String contentType, PageLinks.Options options) {
    return page(content, url, contentType, options, null);
  }

  /**
   * Parses an HTML page and counts its languages. On request it also returns the page's links in
   * {@link PageRecord#links()} and its statements about itself in {@link PageRecord#statements()}.
   * The page is decoded and its markup is read once for all.
   *
   * @param content the page as it came
   * @param url the page's URL, which relative links are resolved against, or null
   * @param contentType HTTP Content-Type header, or null
   * @param options limits of the links, and the X-Robots-Tag header; null for no links
   * @param response the page's response; null for no statements
   */
  public PageRecord page(
      byte[] content,
      String url,
      String contentType,
      PageLinks.Options options,
      PageResponse response) {
    Frame.Writer hints = hints(url, contentType, Kind.HTML);
    hints = options == null ? hints : options.writeTo(hints);
    hints = response == null ? hints : response.writeTo(hints);
    return new PageRecord(page(content, hints), options != null);
  }

  /**
   * Counts the languages of a text that another parser made of a document.
   *
   * @param text in UTF-8
   * @param url the document's URL, or null
   * @param response the document's response, whose reservations {@link PageRecord#statements()}
   *     has; null for no statements
   */
  public PageRecord text(byte[] text, String url, PageResponse response) {
    Frame.Writer hints = hints(url, null, Kind.DOCUMENT);
    return new PageRecord(page(text, response == null ? hints : response.writeTo(hints)), false);
  }

  /**
   * Looks whether a page can be in the target language, without parsing it: whether it has letters
   * of the language's scripts.
   *
   * @param content the page as it came (a text's UTF-8 for {@link Kind#TEXT})
   * @param url the page's URL, or null
   * @param contentType HTTP Content-Type header, or null
   * @param kind kind of the bytes
   * @return false if the page would be rejected for certain
   */
  public boolean mayKeep(byte[] content, String url, String contentType, Kind kind) {
    byte[] hints = hints(url, contentType, kind).toBytes();
    return accepted(Native.look(id, content, hints)).bytes(Tag.RULED_OUT) == null;
  }

  private static Frame.Writer hints(String url, String contentType, Kind kind) {
    return Frame.writer()
        .text(Tag.CONTENT_TYPE, contentType)
        .text(Tag.URL, url)
        .text(Tag.KIND, kind.name().toLowerCase(Locale.ROOT));
  }

  private Frame page(byte[] content, Frame.Writer hints) {
    return logged(Frame.read(Native.page(id, content, hints.toBytes())));
  }

  /**
   * Scores hosts; one call for a batch of them is cheaper than many.
   *
   * @param totals host totals
   * @return a score per host, in the same order
   */
  public HostScore[] scores(HostTotals... totals) {
    ByteBuffer packed = ByteBuffer.allocate(Math.multiplyExact(totals.length, 2 * Long.BYTES));
    ByteBuffer unread = ByteBuffer.allocate(packed.capacity() / 2);
    ByteBuffer raw = ByteBuffer.allocate(packed.capacity() / 2);
    boolean allRead = true;
    boolean isSizeUnknown = true;
    for (HostTotals host : totals) {
      packed.putLong(host.targetBytes()).putLong(host.fetchedPages());
      unread.putLong(host.unreadPages());
      raw.putLong(host.rawBytes());
      allRead &= host.unreadPages() == 0;
      isSizeUnknown &= host.rawBytes() == 0;
    }
    byte[] asked =
        Frame.writer()
            .bytes(Tag.TOTALS, packed.array())
            .bytes(Tag.UNREAD, allRead ? null : unread.array())
            .bytes(Tag.HOST_RAW_BYTES, isSizeUnknown ? null : raw.array())
            .toBytes();
    Frame answer = accepted(Native.scores(id, asked));
    ByteBuffer in = floats(answer.bytes(Tag.SCORES), totals.length);
    byte[] more = answer.bytes(Tag.OTHER_SCORES);
    ByteBuffer others = more == null ? null : floats(more, totals.length);
    HostScore[] scores = new HostScore[totals.length];
    for (int i = 0; i < scores.length; i++) {
      float rows = in.getFloat();
      float injected = in.getFloat();
      scores[i] =
          new HostScore(
              rows,
              injected,
              others == null ? rows : others.getFloat(),
              others == null ? rows : others.getFloat());
    }
    return scores;
  }

  /** Two for each host. */
  private static ByteBuffer floats(byte[] packed, int hosts) {
    if (packed == null || packed.length != hosts * 2 * Float.BYTES) {
      throw new CorpulyzerException(
          "The native library scored another number of hosts than the " + hosts + " it was given.");
    }
    return ByteBuffer.wrap(packed);
  }

  /**
   * @return ISO 639-3 code under which {@code crp.l} has the target language; the codes of several
   *     are sorted and separated by commas
   */
  public String target() {
    return target;
  }

  /**
   * @return language tags of BCP 47 that name a target language, in small letters, of each the
   *     shortest first: {@code ur}, {@code urd}
   */
  public List<String> tags() {
    return tags;
  }

  /**
   * @return the target languages, each of weight 1
   */
  public Targets targets() {
    return Targets.of(target);
  }

  /**
   * @return version of the records that this engine makes; rows of another version are stale
   */
  public String recordVersion() {
    return recordVersion;
  }

  /**
   * @return version of the native library, e.g. {@code 0.1.0}
   */
  public String libraryVersion() {
    return accepted(Native.version()).text(Tag.LIBRARY_VERSION);
  }

  /**
   * @return its id on the native side
   */
  int id() {
    return id;
  }

  /**
   * @throws CorpulyzerException if the library refuses; the message is its sentence
   */
  static Frame accepted(byte[] answer) {
    return accepted(logged(Frame.read(answer)));
  }

  private static Frame accepted(Frame frame) {
    if (!PageRecord.Status.OK.code().equals(frame.text(Tag.STATUS))) {
      throw new CorpulyzerException(String.valueOf(frame.text(Tag.MESSAGE)));
    }
    return frame;
  }

  private static Frame logged(Frame frame) {
    for (byte[] record : frame.all(Tag.LOG)) {
      if (record.length > 0) {
        log(record[0], new String(record, 1, record.length - 1, StandardCharsets.UTF_8));
      }
    }
    return frame;
  }

  private static void log(byte level, String text) {
    switch (level) {
      case 1:
        LOG.error("{}", text);
        break;
      case 2:
        LOG.warn("{}", text);
        break;
      case 3:
        LOG.info("{}", text);
        break;
      case 4:
        LOG.debug("{}", text);
        break;
      default:
        LOG.trace("{}", text);
    }
  }
}
