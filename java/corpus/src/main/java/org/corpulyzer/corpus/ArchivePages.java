package org.corpulyzer.corpus;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.PageLinks;
import org.corpulyzer.engine.PageRecord;
import org.corpulyzer.engine.PageResponse;
import org.corpulyzer.engine.Settings;

/**
 * From the records of an archive to pages, as {@code corpulyzer collect} reads them: HTML by the
 * whole engine with the page's directives, texts of WET files as they are, for each language.
 * Decisions are those of the engine.
 */
final class ArchivePages {

  /** Outcome of a record. */
  enum Outcome {
    /** A page with text. */
    PAGE,
    /** It is no page: another status or type. */
    NO_PAGE,
    /** A page that the first look rules out for every language. */
    RULED_OUT,
    /** A page without main content, or one that forbids indexing. */
    WITHOUT_TEXT,
    /** A response without a proper HTTP head. */
    BROKEN_HTTP,
    /** A body in a coding that is not decoded. */
    UNKNOWN_CODING,
    /** The engine could not read the page. */
    FAILED
  }

  private static final List<String> HOST_FILES =
      Arrays.asList("/robots.txt", "/.well-known/tdmrep.json");
  private static final Set<String> HTML =
      Collections.unmodifiableSet(
          new HashSet<>(Arrays.asList("text/html", "application/xhtml+xml")));
  private static final PageLinks.Options DIRECTIVES = PageLinks.Options.defaults().maxLinks(0);

  private final List<Engine> engines;
  private final boolean looksFirst;
  private final long maxBytes;
  private final List<ArchivePage> pages = new ArrayList<>();

  /**
   * @param engines one for each language that has a corpus
   * @param looksFirst whether pages without the language's script are not parsed
   * @param maxBytes longest body of a response, in bytes
   */
  ArchivePages(List<Engine> engines, boolean looksFirst, long maxBytes) {
    this.engines = engines;
    this.looksFirst = looksFirst;
    this.maxBytes = maxBytes;
  }

  /**
   * @return an engine for each target language
   */
  static List<Engine> engines(Configuration conf) {
    List<Engine> engines = new ArrayList<>();
    for (String language : Settings.from(conf::get).targetCodes()) {
      engines.add(
          Engine.of(
              Settings.from(
                  key -> key.equals(Settings.LANGUAGE_TARGET) ? language : conf.get(key))));
    }
    return engines;
  }

  /**
   * Reads a record that has no problem.
   *
   * @param file number of its file among the inputs
   * @param number of the record in the file
   */
  Outcome read(ArchiveReader.Record record, long file, long number) {
    pages.clear();
    String type = record.field("warc-type").toLowerCase(Locale.ROOT);
    String contentType = record.field("content-type").toLowerCase(Locale.ROOT);
    if (type.equals("response") && contentType.startsWith("application/http")) {
      return response(record, file, number);
    }
    if (type.equals("conversion") && contentType.startsWith("text/plain")) {
      return text(record, file, number);
    }
    if (type.equals("resource") && contentType.startsWith("text/html")) {
      PageResponse response = new PageResponse(millis(record.field("warc-date")));
      return html(
          record,
          file,
          number,
          record.block(),
          contentType,
          mediaType(contentType),
          null,
          response);
    }
    return Outcome.NO_PAGE;
  }

  /**
   * @return the pages of the last record: one for each language whose engine has read it
   */
  List<ArchivePage> pages() {
    return pages;
  }

  private Outcome response(ArchiveReader.Record record, long file, long number) {
    ArchivedResponse response = ArchivedResponse.read(record.block());
    if (response == null) {
      return Outcome.BROKEN_HTTP;
    }
    if (response.status() != 200 || HOST_FILES.contains(path(record.url()))) {
      return Outcome.NO_PAGE;
    }
    String contentType = response.header("content-type");
    String mediaType = mediaType(record.field("warc-identified-payload-type"));
    if (mediaType.isEmpty()) {
      mediaType = mediaType(contentType == null ? "text/html" : contentType);
    }
    if (!HTML.contains(mediaType)) {
      return Outcome.NO_PAGE;
    }
    byte[] body = response.body(maxBytes, engines.get(0));
    if (response.hasUnknownCoding()) {
      return Outcome.UNKNOWN_CODING;
    }
    PageResponse stated = new PageResponse(millis(record.field("warc-date")));
    for (String name : PageResponse.HEADERS) {
      stated.header(name, response.headers(name).toArray(new String[0]));
    }
    List<String> robots = response.headers("x-robots-tag");
    return html(
        record,
        file,
        number,
        body,
        contentType,
        mediaType,
        robots.isEmpty() ? null : String.join("\n", robots),
        stated);
  }

  private Outcome html(
      ArchiveReader.Record record,
      long file,
      long number,
      byte[] body,
      String contentType,
      String mediaType,
      String robots,
      PageResponse response) {
    String url = record.url();
    byte[] md5 = null;
    Outcome outcome = Outcome.RULED_OUT;
    for (Engine engine : engines) {
      if (looksFirst && !engine.mayKeep(body, url, contentType, Engine.Kind.HTML)) {
        continue;
      }
      PageRecord read =
          engine.page(body, url, contentType, DIRECTIVES.robotsHeader(robots), response);
      if (isUnread(read)) {
        return failed();
      }
      // A page that forbids indexing has no text in a corpus, whatever else is decided.
      if (read.links().isNoindex() || read.mainText().isEmpty()) {
        outcome = outcome == Outcome.PAGE ? outcome : Outcome.WITHOUT_TEXT;
        continue;
      }
      outcome = Outcome.PAGE;
      String decision =
          read.links().isRedirect(url) ? "reject refresh to another page" : read.decision();
      md5 = md5 == null ? md5(body) : md5;
      pages.add(
          new ArchivePage(file, number, url, record.field("warc-date"), read, decision)
              .fetched(read, mediaType, md5)
              .of(engine.target()));
    }
    return outcome;
  }

  private Outcome text(ArchiveReader.Record record, long file, long number) {
    // Lines of plain text may break anywhere; an empty line ends a paragraph.
    byte[] text =
        new String(record.block(), StandardCharsets.UTF_8)
            .replace("\n", "\n\n")
            .getBytes(StandardCharsets.UTF_8);
    Outcome outcome = Outcome.RULED_OUT;
    for (Engine engine : engines) {
      if (looksFirst && !engine.mayKeep(text, null, null, Engine.Kind.TEXT)) {
        continue;
      }
      PageRecord read = engine.page(text, null, null, Engine.Kind.TEXT);
      if (isUnread(read)) {
        return failed();
      }
      if (read.mainText().isEmpty()) {
        outcome = outcome == Outcome.PAGE ? outcome : Outcome.WITHOUT_TEXT;
        continue;
      }
      outcome = Outcome.PAGE;
      String date = record.field("warc-date");
      pages.add(
          new ArchivePage(file, number, record.url(), date, read, read.decision())
              .given()
              .of(engine.target()));
    }
    return outcome;
  }

  private static boolean isUnread(PageRecord read) {
    switch (read.status()) {
      case TOO_LARGE:
      case UNSUPPORTED_CHARSET:
      case FAILED:
        return true;
      default:
        return false;
    }
  }

  /** A page that one engine cannot read is in no corpus. */
  private Outcome failed() {
    pages.clear();
    return Outcome.FAILED;
  }

  /** Path and query of a URL. */
  private static String path(String url) {
    int behind = url.indexOf("://");
    int slash = url.indexOf('/', behind < 0 ? 0 : behind + 3);
    return slash < 0 ? "" : url.substring(slash);
  }

  /** The media type of a header's value in lower case, without parameters. */
  private static String mediaType(String value) {
    return value.split(";", 2)[0].trim().toLowerCase(Locale.ROOT);
  }

  /**
   * @param date in ISO 8601
   * @return milliseconds since 1970; those of the day if only the day reads; 0 if not even that
   */
  static long millis(String date) {
    try {
      return Instant.parse(date).toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      // The day may read.
    }
    try {
      return LocalDate.parse(date.substring(0, Math.min(10, date.length())))
          .atStartOfDay(ZoneOffset.UTC)
          .toInstant()
          .toEpochMilli();
    } catch (DateTimeException e) {
      return 0;
    }
  }

  private static byte[] md5(byte[] bytes) {
    try {
      return MessageDigest.getInstance("MD5").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has MD5", e);
    }
  }
}
