package org.corpulyzer.corpus;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;

/**
 * Writes WARC 1.0 (ISO 28500:2009). Each record is a gzip member of its own, as in Common Crawl, so
 * that any WARC reader can read it, also from the middle of a file. The records of a page have the
 * same ids in every export, until the page is fetched again.
 *
 * <p>This class writes the records itself, because a WARC library would be one more jar in Nutch's
 * lib and on the class path of every task, for a few record types. The tests read the files with a
 * library that follows the standard's grammar strictly.
 */
final class WarcWriter extends DocumentWriter {

  private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  private static final String FIELDS = "application/warc-fields";

  private final DocumentFormat format;
  private final OutputStream out;
  private final String info;

  WarcWriter(DocumentFormat format, OutputStream out, String file, CrawlDescription crawl)
      throws IOException {
    this.format = format;
    this.out = out;
    Map<String, String> about = new TreeMap<>();
    about.put("software", crawl.software());
    about.put("format", "WARC File Format 1.0");
    about.put("isPartOf", crawl.crawl());
    about.put(
        "description",
        (format == DocumentFormat.warc ? "pages, as fetched," : "main content of pages")
            + " of a crawl for the language "
            + crawl.language());
    about.put("http-header-user-agent", crawl.userAgent());
    about.put("http-header-from", crawl.contact());
    String date = date(System.currentTimeMillis());
    info = id("warcinfo", file, date);
    write(
        new Header("warcinfo", info, date).line("WARC-Filename", file),
        FIELDS,
        new byte[0],
        fields(about));
  }

  @Override
  public void write(CorpusPage page, String text) throws IOException {
    String date = date(page.fetchMillis());
    // Readers look for HTTP's head in responses from HTTP servers alone; a file from another server
    // is a resource.
    boolean isHttp = page.url().startsWith("http://") || page.url().startsWith("https://");
    String type = isHttp ? "response" : "resource";
    String source = id(type, page.id(), date);
    if (format == DocumentFormat.wet) {
      write(
          header("conversion", page, date).line("WARC-Refers-To", source),
          "text/plain",
          new byte[0],
          utf8(text));
      return;
    }
    byte[] content = page.content();
    Header header =
        header(type, page, date)
            .line("WARC-Identified-Payload-Type", page.contentType())
            .line("WARC-IP-Address", address(page))
            .line("WARC-Truncated", truncation(page, content.length));
    if (isHttp) {
      header.line("WARC-Payload-Digest", sha1(new byte[0], content));
      write(
          header,
          "application/http; msgtype=response",
          utf8(HttpHead.ofResponse(page, content.length)),
          content);
    } else {
      write(
          header,
          page.contentType().isEmpty() ? "application/octet-stream" : page.contentType(),
          new byte[0],
          content);
    }
    String request = isHttp ? HttpHead.ofRequest(page.request()) : null;
    if (request != null) {
      write(
          new Header("request", id("request", page.id(), date), date)
              .line("WARC-Warcinfo-ID", info)
              .line("WARC-Target-URI", uri(page.url()))
              .line("WARC-Concurrent-To", source)
              .line("WARC-IP-Address", address(page)),
          "application/http; msgtype=request",
          new byte[0],
          utf8(request));
    }
    write(
        header("metadata", page, date).line("WARC-Concurrent-To", source),
        FIELDS,
        new byte[0],
        fields(page.figures()));
  }

  private Header header(String type, CorpusPage page, String date) {
    return new Header(type, id(type, page.id(), date), date)
        .line("WARC-Warcinfo-ID", info)
        .line("WARC-Target-URI", uri(page.url()))
        .line("WARC-Identified-Content-Language", languages(page));
  }

  /** One record: its block is given in two parts. */
  private void write(Header header, String contentType, byte[] head, byte[] body)
      throws IOException {
    header
        .line("Content-Type", contentType)
        .line("WARC-Block-Digest", sha1(head, body))
        .line("Content-Length", String.valueOf(head.length + (long) body.length));
    // Closing the member frees zlib's memory at once; the file stays open.
    try (OutputStream member =
        new GZIPOutputStream(
            new FilterOutputStream(out) {
              @Override
              public void write(byte[] bytes, int from, int length) throws IOException {
                out.write(bytes, from, length);
              }

              @Override
              public void close() {}
            })) {
      member.write(utf8(header.text() + "\r\n"));
      member.write(head);
      member.write(body);
      member.write(utf8("\r\n\r\n"));
    }
  }

  /** The named lines of a record's head, but those that describe its block. */
  private static final class Header {

    private final StringBuilder lines = new StringBuilder("WARC/1.0\r\n");

    Header(String type, String id, String date) {
      line("WARC-Type", type).line("WARC-Record-ID", id).line("WARC-Date", date);
    }

    /** A line without a value is left out. */
    Header line(String name, String value) {
      String line = HttpHead.oneLine(value);
      if (!line.isEmpty()) {
        lines.append(name).append(": ").append(line).append("\r\n");
      }
      return this;
    }

    String text() {
      return lines.toString();
    }
  }

  /** The server's IP address, if it reads as one. */
  private static String address(CorpusPage page) {
    String address = CorpusPage.orEmpty(page.ipAddress());
    return address.matches("[0-9a-fA-F:.]{2,45}") ? address : "";
  }

  /** The fetcher's note, or else Nutch's rule: the server announced more bytes than there are. */
  private static String truncation(CorpusPage page, int length) {
    String noted = page.truncation();
    return noted != null ? noted : HttpHead.isTruncated(page.headers(), length) ? "length" : "";
  }

  /**
   * Those of the language set, most first, as Common Crawl writes them; where there is none those
   * that have bytes.
   */
  private static String languages(CorpusPage page) {
    StringJoiner codes = new StringJoiner(",");
    Map<String, Long> languages =
        page.languageSet().isEmpty() ? page.languages() : page.languageSet();
    languages.keySet().stream()
        .filter(code -> code.matches("[a-z]{3}") && !code.equals("und"))
        .limit(3)
        .forEach(codes::add);
    return codes.toString();
  }

  private static byte[] fields(Map<String, String> fields) {
    StringBuilder lines = new StringBuilder();
    fields.forEach(
        (name, value) -> {
          if (!value.isEmpty()) {
            lines
                .append(HttpHead.oneLine(name))
                .append(": ")
                .append(HttpHead.oneLine(value))
                .append("\r\n");
          }
        });
    return utf8(lines.toString());
  }

  /**
   * The page's URL as a URI. Characters that a URI does not allow are escaped, except for letters
   * of a host: Nutch's normalisers may let them pass.
   */
  private static String uri(String url) {
    int authority = url.indexOf("://") + 3;
    int path = url.indexOf('/', authority);
    String host = path < 0 ? url : url.substring(0, path);
    StringBuilder uri = new StringBuilder(host.replaceAll("[\\x00-\\x20\\x7f<>]", ""));
    for (byte c : utf8(url.substring(host.length()))) {
      if (c <= ' ' || c == 0x7f || "<>\"{}|\\^`".indexOf(c) >= 0) {
        uri.append(String.format("%%%02X", c));
      } else {
        uri.append((char) c);
      }
    }
    return uri.toString();
  }

  /** A name made from its content, so that it is the same in every export. */
  private static String id(String type, String name, String date) {
    return "<urn:uuid:" + UUID.nameUUIDFromBytes(utf8(type + ' ' + name + ' ' + date)) + ">";
  }

  private static String date(long millis) {
    return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** In Base32, as WARC files have it. */
  private static String sha1(byte[] head, byte[] body) {
    try {
      MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
      sha1.update(head);
      // Five bits a digit. The libraries for this that Hadoop puts before a job's own are too old
      // to have it.
      StringBuilder digits = new StringBuilder(new BigInteger(1, sha1.digest(body)).toString(32));
      while (digits.length() < 32) {
        digits.insert(0, '0');
      }
      for (int i = 0; i < 32; i++) {
        digits.setCharAt(i, BASE32.charAt(Character.digit(digits.charAt(i), 32)));
      }
      return "sha1:" + digits;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-1", e);
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
