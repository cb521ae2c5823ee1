package org.corpulyzer.engine;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The record of one page. With status {@code failed} only {@link #status()} and {@link #message()}
 * say anything.
 */
public final class PageRecord {

  private static final String KEPT_FOR = "keep for ";

  /** How it went; everything but {@link #OK} has a {@link PageRecord#message()}. */
  public enum Status {
    /** Parsed, main content found. */
    OK,
    /** Parsed, no main content. */
    NO_CONTENT,
    /** Above corpulyzer.page.maxBytes, not parsed. */
    TOO_LARGE,
    /** A charset that is not decoded. */
    UNSUPPORTED_CHARSET,
    /**
     * Reading stopped at a limit of blocks, time or memory, and the figures cover the part before
     * it; or the page was flattened at the depth limit.
     */
    LIMIT_HIT,
    /** The engine failed; the page's figures are unknown. */
    FAILED;

    /**
     * @return the name in frames and metadata, e.g. {@code no_content}
     */
    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Status of(String code) {
      for (Status status : values()) {
        if (status.code().equals(code)) {
          return status;
        }
      }
      throw new CorpulyzerException(
          "Status '"
              + code
              + "' found in a result of the native library: it is of another release than the"
              + " jars.");
    }
  }

  private static final int NOINDEX = 1;
  private static final int NOFOLLOW = 2;

  private final Status status;
  private final String message;
  private final String recordVersion;
  private final String charset;
  private final String title;
  private final String mainText;
  private final long rawBytes;
  private final long visibleBytes;
  private final long mainBytes;
  private final String languages;
  private final String decision;
  private final String declaredLanguage;
  private final int robots;
  private final long targetBytes;
  private final String languageSet;
  private final String junk;
  private final String excerpts;
  private final String stage;
  private final PageLinks links;
  private final Map<Statement, String> statements;

  /** Reads a frame to its end: it is of no use afterwards. */
  PageRecord(Frame frame, boolean hasLinks) {
    links = hasLinks ? new PageLinks(frame) : null;
    status = Status.of(frame.text(Tag.STATUS));
    message = orEmpty(frame.text(Tag.MESSAGE));
    recordVersion = orEmpty(frame.text(Tag.RECORD_VERSION));
    charset = orEmpty(frame.text(Tag.CHARSET));
    title = orEmpty(frame.text(Tag.TITLE));
    rawBytes = frame.u64(Tag.RAW_BYTES);
    visibleBytes = frame.u64(Tag.VISIBLE_BYTES);
    mainBytes = frame.u64(Tag.MAIN_BYTES);
    languages = orEmpty(frame.text(Tag.LANGUAGES));
    decision = orEmpty(frame.text(Tag.DECISION));
    declaredLanguage = frame.text(Tag.DECLARED_LANGUAGE);
    byte[] bits = frame.bytes(Tag.ROBOTS);
    robots = bits == null || bits.length == 0 ? 0 : bits[0];
    targetBytes = frame.u64(Tag.TARGET_BYTES);
    languageSet = orEmpty(frame.text(Tag.LANGUAGE_SET));
    junk = orEmpty(frame.text(Tag.JUNK));
    excerpts = orEmpty(frame.text(Tag.EXCERPTS));
    stage = orEmpty(frame.text(Tag.STAGE));
    Map<Statement, String> found = new EnumMap<>(Statement.class);
    for (Statement statement : Statement.values()) {
      String value = frame.text(statement.tag());
      if (value != null) {
        found.put(statement, value);
      }
    }
    statements = Collections.unmodifiableMap(found);
    mainText = orEmpty(frame.lastText(Tag.MAIN_TEXT));
  }

  /**
   * A record for a page that did not reach the engine.
   *
   * @param message one sentence
   */
  public static PageRecord failed(String message) {
    return new PageRecord(
        Frame.read(
            Frame.writer()
                .text(Tag.STATUS, Status.FAILED.code())
                .text(Tag.MESSAGE, message)
                .toBytes()),
        false);
  }

  private static String orEmpty(String text) {
    return text == null ? "" : text;
  }

  /**
   * @return how it went
   */
  public Status status() {
    return status;
  }

  /**
   * @return one sentence, empty when the status is ok
   */
  public String message() {
    return message;
  }

  /**
   * @return version of record, extractor and identifier
   */
  public String recordVersion() {
    return recordVersion;
  }

  /**
   * @return charset that the page was decoded from, WHATWG name
   */
  public String charset() {
    return charset;
  }

  /**
   * @return title, empty when the page has none
   */
  public String title() {
    return title;
  }

  /**
   * @return main content, blocks joined by line feeds
   */
  public String mainText() {
    return mainText;
  }

  /**
   * @return bytes of the page as it came
   */
  public long rawBytes() {
    return rawBytes;
  }

  /**
   * @return bytes of visible text (UTF-8)
   */
  public long visibleBytes() {
    return visibleBytes;
  }

  /**
   * @return bytes of main text (UTF-8)
   */
  public long mainBytes() {
    return mainBytes;
  }

  /**
   * @return bytes per language as {@code crp.l} has them, see {@link LanguageBytes}
   */
  public String languages() {
    return languages;
  }

  /**
   * @return {@code keep} or {@code reject}, a blank, the reason
   */
  public String decision() {
    return decision;
  }

  /**
   * @return whether the page belongs into the corpus
   */
  public boolean isKept() {
    return isKept(decision);
  }

  /**
   * @param decision a {@code crp.d} value, or null
   * @return whether the decision is keep
   */
  public static boolean isKept(String decision) {
    return decision != null && (decision.equals("keep") || decision.startsWith("keep "));
  }

  /**
   * @param figure a figure of a page that counts bytes, or null
   * @return the count; -1 if there is none, or none that reads
   */
  public static long bytes(String figure) {
    return figure != null && figure.matches("[0-9]{1,18}") ? Long.parseLong(figure) : -1;
  }

  /**
   * @param decision a {@code crp.d} value, or null
   * @return of a page that is kept and was read for several target languages, those that it is kept
   *     for: {@code keep for skr,urd: 812 bytes of urd, 256 wanted}; null of any other page
   */
  public static List<String> keptFor(String decision) {
    if (decision == null || !decision.startsWith(KEPT_FOR)) {
      return null;
    }
    int end = decision.indexOf(':');
    return end < 0
        ? null
        : Collections.unmodifiableList(
            Arrays.asList(decision.substring(KEPT_FOR.length(), end).split(",")));
  }

  /**
   * @return language that the page declares, as written, or null
   */
  public String declaredLanguage() {
    return declaredLanguage;
  }

  /**
   * @return whether the page's robots meta forbids indexing
   */
  public boolean isNoindex() {
    return (robots & NOINDEX) != 0;
  }

  /**
   * @return whether the page's robots meta forbids following links
   */
  public boolean isNofollow() {
    return (robots & NOFOLLOW) != 0;
  }

  /**
   * @return bytes in the target language; those of several are summed up
   */
  public long targetBytes() {
    return targetBytes;
  }

  /**
   * @return languages that the main text is written in as {@code crp.s} has them, in whole percent
   */
  public String languageSet() {
    return languageSet;
  }

  /**
   * @return why the main text is junk, empty when it is not
   */
  public String junk() {
    return junk;
  }

  /**
   * @return excerpts in the target language of all excerpts, e.g. {@code 1/3}; empty when the text
   *     is too short for excerpts
   */
  public String excerpts() {
    return excerpts;
  }

  /**
   * @return the stage that decided, as in {@code crp.ds}; empty if there is no decision
   */
  public String stage() {
    return stage;
  }

  /**
   * @return what the page states about itself; empty if it was not requested
   */
  public Map<Statement, String> statements() {
    return statements;
  }

  /**
   * @return the page's links, or null if they were not requested
   */
  public PageLinks links() {
    return links;
  }
}
