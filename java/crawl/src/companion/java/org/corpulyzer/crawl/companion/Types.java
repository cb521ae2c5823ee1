package org.corpulyzer.crawl.companion;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Content types that the crawl reads, and the properties that switch them. */
public final class Types {
  /** Whether sitemaps and feeds are fetched for their links. Default true. */
  public static final String SITEMAPS = "corpulyzer.crawl.sitemaps";

  /** Whether PDF, Office and OpenDocument files are fetched for their text. Default false. */
  public static final String DOCUMENTS = "corpulyzer.crawl.documents";

  /** Types of servers that do not know Office files, or their endings. */
  private static final Set<String> ZIP =
      Set.of("application/zip", "application/x-zip", "application/x-zip-compressed");

  private static final Pattern TEXT = Pattern.compile("text/.*|application/(.*\\+)?xml");
  private static final Set<String> GZIP = Set.of("application/gzip", "application/x-gzip");
  private static final Set<String> OFFICE =
      Set.of(
          "application/pdf",
          "application/x-pdf",
          "application/acrobat",
          "application/msword",
          "application/vnd.ms-powerpoint",
          "application/rtf",
          "application/x-rtf",
          "text/rtf",
          "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
          "application/vnd.openxmlformats-officedocument.presentationml.presentation",
          "application/vnd.ms-excel",
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
          "application/vnd.oasis.opendocument.text",
          "application/vnd.oasis.opendocument.presentation",
          "application/vnd.oasis.opendocument.spreadsheet");

  /**
   * Types of files whose ending a server does not know, or that name no content: those of the MIME
   * Sniffing Standard (7.1), types of programs instead of what they print, and downloads.
   */
  private static final Pattern ANY_BYTES =
      Pattern.compile(
          "(application|binary|content|unknown)/(octet-?stream|(x-)?unknown(-content-type)?"
              + "|(x-)?(force-)?download|(x-)?(httpd-)?php[0-9]?|(x-)?html)|[*]/[*]");

  private Types() {}

  /**
   * Returns the first type that a Content-Type header names, in lower case, without quotes and
   * parameters; empty if there is no header.
   */
  static String of(String header) {
    return header == null
        ? ""
        : header.split("[;,]", 2)[0].replaceAll("[\"']", "").trim().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns whether a response of this type may be a page: HTML, XML and other text; also a header
   * that names no type.
   */
  static boolean isText(String type) {
    return !type.contains("/") || TEXT.matcher(type).matches();
  }

  static boolean isHtml(String type) {
    return type.equals("text/html") || type.equals("application/xhtml+xml");
  }

  static boolean isGzip(String type) {
    return GZIP.contains(type);
  }

  static boolean isDocument(String type) {
    return OFFICE.contains(type);
  }

  static boolean isZip(String type) {
    return ZIP.contains(type);
  }

  static boolean isAnyBytes(String type) {
    return ANY_BYTES.matcher(type).matches();
  }
}
