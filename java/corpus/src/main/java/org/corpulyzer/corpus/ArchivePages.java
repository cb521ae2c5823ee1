package org.corpulyzer.corpus;

import java.net.MalformedURLException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.PageLinks;
import org.corpulyzer.engine.PageReading;
import org.corpulyzer.engine.PageRecord;
import org.corpulyzer.engine.PageResponse;

/**
 * From the records of an archive to pages, as {@code corpulyzer collect} reads them: HTML by the
 * whole engine with the page's directives, texts of WET files as they are. Decisions are those of
 * the engine.
 */
final class ArchivePages {

  /** Outcome of a record. */
  enum Outcome {
    /** A page. */
    PAGE,
    /** It is no page: another status or type. */
    NO_PAGE,
    /** A page without main content, or one that forbids indexing. */
    WITHOUT_TEXT,
    /** A response without a proper HTTP head. */
    BROKEN_HTTP,
    /** A body in a coding that Java does not have. */
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

  private final Engine engine;
  private final long maxBytes;
  private ArchivePage page;

  /**
   * @param maxBytes longest body of a response, in bytes
   */
  ArchivePages(Engine engine, long maxBytes) {
    this.engine = engine;
    this.maxBytes = maxBytes;
  }

  /**
   * Reads a record that has no problem.
   *
   * @param file number of its file among the inputs
   * @param number of the record in the file
   */
  Outcome read(ArchiveReader.Record record, long file, long number) {
    page = null;
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
   * @return the page of the last record, if it was one
   */
  ArchivePage page() {
    return page;
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
    byte[] body = response.body(maxBytes);
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
    PageRecord read =
        engine.page(body, url, contentType, DIRECTIVES.robotsHeader(robots), response);
    switch (read.status()) {
      case TOO_LARGE:
      case UNSUPPORTED_CHARSET:
      case FAILED:
        return Outcome.FAILED;
      default:
    }
    // A page that forbids indexing has no text in a corpus, whatever else is decided.
    if (read.links().isNoindex() || read.mainText().isEmpty()) {
      return Outcome.WITHOUT_TEXT;
    }
    String decision =
        leadsAway(read.links(), url) ? "reject refresh to another page" : read.decision();
    page =
        new ArchivePage(file, number, url, record.field("warc-date"), read, decision)
            .fetched(read, mediaType, md5(body));
    return Outcome.PAGE;
  }

  private Outcome text(ArchiveReader.Record record, long file, long number) {
    // Lines of plain text may break anywhere; an empty line ends a paragraph.
    String text = new String(record.block(), StandardCharsets.UTF_8).replace("\n", "\n\n");
    PageRecord read =
        engine.page(text.getBytes(StandardCharsets.UTF_8), null, null, Engine.Kind.TEXT);
    if (read.status() == PageRecord.Status.TOO_LARGE || read.status() == PageRecord.Status.FAILED) {
      return Outcome.FAILED;
    }
    if (read.mainText().isEmpty()) {
      return Outcome.WITHOUT_TEXT;
    }
    page =
        new ArchivePage(
                file, number, record.url(), record.field("warc-date"), read, read.decision())
            .given();
    return Outcome.PAGE;
  }

  private static boolean leadsAway(PageLinks links, String url) {
    try {
      return links.refreshUrl() != null
          && !PageReading.isSamePage(new URL(links.refreshUrl()), url);
    } catch (MalformedURLException e) {
      return false;
    }
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
