package org.corpulyzer.corpus;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.corpulyzer.engine.LanguageBytes;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.PageRecord;

/**
 * A fetched page as a corpus has it: its address, its text, its bytes, and its figures by the keys
 * of {@link PageKeys}. Each crawler has an implementation over its own store. A value may come from
 * anyone who can write to that store, so no method fails on a bad one.
 */
public interface CorpusPage {

  /**
   * @return the reversed URL, see {@link org.corpulyzer.engine.RowKeys#of}; unique in the crawl
   */
  String id();

  /**
   * @return the URL
   */
  String url();

  /**
   * @return the host as people write it
   */
  String host();

  /**
   * @return the round's number, or the time at which the round began in seconds since 1970; -1 if
   *     unknown
   */
  long round();

  /**
   * @return milliseconds since 1970 at which the fetcher got the response; 0 if unknown
   */
  long fetchMillis();

  /**
   * @return {@link #fetchMillis} in ISO 8601, UTC
   */
  default String fetchTime() {
    return Instant.ofEpochMilli(fetchMillis()).toString();
  }

  /**
   * @return the main content's title; empty if there is none
   */
  String title();

  /**
   * @return main content, blocks joined by line feeds; empty if there is none, and for pages that
   *     forbid indexing
   */
  String text();

  /**
   * @return {@link #text} in UTF-8; null if the page was not parsed
   */
  default byte[] utf8Text() {
    return text().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * @return the MIME type that the crawler found; empty if it found none
   */
  String contentType();

  /**
   * @return the source of the page's row, see {@link PageKeys#SOURCE}; empty if there is none
   */
  default String source() {
    return "";
  }

  /**
   * @return the signature, which is the MD5 of the page's bytes unless the operator chose another;
   *     null if there is none
   */
  byte[] signature();

  /**
   * @return the page as fetched, without content encoding and transfer encoding; null if it is not
   *     stored or was not read
   */
  byte[] content();

  /**
   * @return the response's header lines by name; empty if they were not read
   */
  Map<String, List<String>> headers();

  /**
   * @return the response's head, verbatim from the status line on; null if the fetcher did not
   *     store it
   */
  default String responseHead() {
    return null;
  }

  /**
   * @return the request as sent; null if the fetcher did not store it
   */
  default String request() {
    return null;
  }

  /**
   * @return the server's IP address; null if the fetcher did not store it
   */
  default String ipAddress() {
    return null;
  }

  /**
   * @return why the fetcher has not all of the content, a value of WARC-Truncated (ISO 28500);
   *     empty if it has all; null if unknown
   */
  default String truncation() {
    return null;
  }

  /**
   * @return the lines on usage of the host's robots.txt, see {@link
   *     org.corpulyzer.engine.UsageRules}, if the page was parsed without them; null if there are
   *     none
   */
  default String robotsFile() {
    return null;
  }

  /**
   * @return the host's {@code tdmrep.json}, under the same condition
   */
  default String tdmFile() {
    return null;
  }

  /**
   * @return the page's figures by key, for a WARC's metadata record
   */
  Map<String, String> figures();

  /**
   * @param key one of {@link PageKeys}
   * @return the value as stored; null if there is none
   */
  String figure(String key);

  /**
   * @return {@code keep} or {@code reject}, a blank, the reason; empty if no parser decided on the
   *     page
   */
  default String decision() {
    return orEmpty(figure(PageKeys.DECISION));
  }

  /**
   * @return whether the parser decided on it
   */
  default boolean isDecided() {
    return figure(PageKeys.DECISION) != null;
  }

  /**
   * @return whether the parser kept it
   */
  default boolean isKept() {
    return PageRecord.isKept(figure(PageKeys.DECISION));
  }

  /**
   * @param language one of several target languages, ISO 639-3
   * @param minBytes least bytes in the language, for a page that was read when the crawl had one
   *     target language
   * @return whether the parser kept it for this language
   */
  default boolean isKeptFor(String language, long minBytes) {
    if (!isKept()) {
      return false;
    }
    List<String> keptFor = PageRecord.keptFor(figure(PageKeys.DECISION));
    return keptFor == null
        ? bytesIn(language) >= Math.max(1, minBytes)
        : keptFor.contains(language);
  }

  /**
   * @param language one of several target languages that have a corpus each, ISO 639-3
   * @param minBytes smallest size of a page in the language
   * @return whether the corpus of the language has the page
   */
  default boolean isIn(String language, long minBytes) {
    return isKeptFor(language, minBytes);
  }

  /**
   * @return the decision for one of several target languages: a page that is kept for others only
   *     is rejected; null if no parser decided
   */
  default String decisionFor(String language, long minBytes) {
    String decision = figure(PageKeys.DECISION);
    return isKept() && !isKeptFor(language, minBytes)
        ? "reject" + decision.substring("keep".length())
        : decision;
  }

  /**
   * @return whether its main content was found to be junk, rejected for that or not
   */
  default boolean isJunk() {
    return figure(PageKeys.JUNK) != null;
  }

  /**
   * @return WHATWG name of the charset that the page was decoded from; empty if it was not decoded
   */
  default String charset() {
    return orEmpty(figure(PageKeys.CHARSET));
  }

  /**
   * @return versions of the record, the extractor and the identifier, which made the figures
   */
  default String recordVersion() {
    return orEmpty(figure(PageKeys.VERSION));
  }

  /**
   * @param key of a figure that counts bytes
   * @return the count; -1 if there is none, or none that reads
   */
  default long bytes(String key) {
    return PageRecord.bytes(figure(key));
  }

  /**
   * @return UTF-8 bytes of main content by ISO 639-3 code, most first; empty if they do not read
   */
  default Map<String, Long> languages() {
    return counts(figure(PageKeys.LANGUAGES));
  }

  /**
   * @return languages that the main content is written in, in whole percent, most first; empty if
   *     they do not read
   */
  default Map<String, Long> languageSet() {
    return counts(figure(PageKeys.LANGUAGE_SET));
  }

  /**
   * @return UTF-8 bytes of main content in a language (ISO 639-3); 0 if the figures do not read
   */
  default long bytesIn(String language) {
    return languages().getOrDefault(language, 0L);
  }

  /**
   * @return whether there is main content
   */
  default boolean hasText() {
    return !text().isEmpty();
  }

  /**
   * @return whether the page's bytes are stored
   */
  default boolean hasContent() {
    return content() != null;
  }

  /**
   * @return whether it has what a document of this format is made of; pages that forbid indexing
   *     have no text
   */
  default boolean has(DocumentFormat format) {
    return hasText() && (format != DocumentFormat.warc || hasContent());
  }

  /**
   * @param value null or a text
   * @return the text, empty for null
   */
  static String orEmpty(String value) {
    return value == null ? "" : value;
  }

  /**
   * @param figure bytes or percent by language
   * @return the counts; none if the figure does not read
   */
  static Map<String, Long> counts(String figure) {
    try {
      return LanguageBytes.parse(figure);
    } catch (RuntimeException e) {
      return Collections.emptyMap();
    }
  }
}
