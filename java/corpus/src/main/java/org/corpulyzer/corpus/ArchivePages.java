package org.corpulyzer.corpus;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.corpulyzer.engine.ArchiveRecord;
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
    /** A PDF or Office document. */
    DOCUMENT,
    /** A page that the first look rules out for every language. */
    RULED_OUT,
    /** A page without main content, or one that forbids indexing. */
    WITHOUT_TEXT,
    /** The engine could not read the page. */
    FAILED
  }

  private static final PageLinks.Options DIRECTIVES = PageLinks.Options.defaults().maxLinks(0);

  private final List<Engine> engines;
  private final boolean looksFirst;
  private final List<ArchivePage> pages = new ArrayList<>();

  /**
   * @param engines one for each language that has a corpus
   * @param looksFirst whether pages without the language's script are not parsed
   */
  ArchivePages(List<Engine> engines, boolean looksFirst) {
    this.engines = engines;
    this.looksFirst = looksFirst;
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
  Outcome read(ArchiveRecord record, long file, long number) {
    pages.clear();
    switch (record.kind()) {
      case HTML:
        return html(record, file, number);
      case TEXT:
        return text(record, file, number);
      case DOCUMENT:
        return Outcome.DOCUMENT;
      default:
        return Outcome.NO_PAGE;
    }
  }

  /**
   * @return the pages of the last record: one for each language whose engine has read it
   */
  List<ArchivePage> pages() {
    return pages;
  }

  private Outcome html(ArchiveRecord record, long file, long number) {
    byte[] body = record.content();
    String contentType = record.contentType();
    PageResponse response = record.addReservations(new PageResponse(millis(record.date())));
    String url = record.url();
    byte[] md5 = null;
    Outcome outcome = Outcome.RULED_OUT;
    for (Engine engine : engines) {
      if (looksFirst && !engine.mayKeep(body, url, contentType, Engine.Kind.HTML)) {
        continue;
      }
      PageRecord read =
          engine.page(body, url, contentType, DIRECTIVES.robotsHeader(record.robots()), response);
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
          new ArchivePage(file, number, url, record.date(), read, decision)
              .fetched(read, record.mediaType(), md5)
              .of(engine.target()));
    }
    return outcome;
  }

  private Outcome text(ArchiveRecord record, long file, long number) {
    // Lines of plain text may break anywhere; an empty line ends a paragraph.
    byte[] text =
        new String(record.content(), StandardCharsets.UTF_8)
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
      String date = record.date();
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
