package org.corpulyzer.engine;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;

/** A record of an {@link Archive}: a page, something else, or what is wrong in its place. */
public final class ArchiveRecord {

  /** Kinds of records. */
  public enum Kind {
    /** A page as fetched. */
    HTML,
    /** The text of a page without markup. */
    TEXT,
    /** A PDF or Office document, which is not read. */
    DOCUMENT,
    /** No page: a request, an image, an error of the server. */
    OTHER,
    /** A line of JSON lines: its bytes are {@link #content}. */
    LINE,
    /** A record that was skipped; {@link #problem} and {@link #message} say why. */
    PROBLEM
  }

  /** Problems of records. */
  public enum Problem {
    /** The record is damaged. */
    BROKEN_WARC,
    /** A response without a proper HTTP head. */
    BROKEN_HTTP,
    /** A line is not a page in JSON. */
    INVALID_JSON,
    /** The record is longer than the limit. */
    TOO_LONG,
    /** Compressed data is damaged: what was in the damaged part is lost. */
    BROKEN_COMPRESSION,
    /** The file ends within a record. */
    CUT_SHORT,
    /** The length of a record is wrong, so that it may hide others. */
    WRONG_LENGTH,
    /** The file is of a format that is not read. */
    UNREADABLE,
    /** The file is JSON lines in place of an archive, or an archive in place of JSON lines. */
    NO_ARCHIVE;

    /**
     * @return whether other records may be lost with it
     */
    public boolean isLoss() {
      return compareTo(TOO_LONG) > 0;
    }
  }

  private final Frame frame;
  private final byte[] content;

  ArchiveRecord(Frame frame) {
    this.frame = frame;
    byte[] bytes = frame.bytes(Tag.CONTENT);
    content = bytes == null ? new byte[0] : bytes;
  }

  public Kind kind() {
    return Kind.valueOf(frame.text(Tag.STEP).toUpperCase(Locale.ROOT));
  }

  /**
   * @return the problem of a {@link Kind#PROBLEM}
   */
  public Problem problem() {
    return Problem.valueOf(frame.text(Tag.PROBLEM).toUpperCase(Locale.ROOT));
  }

  /**
   * @return one sentence on the problem that names the file and the place
   */
  public String message() {
    return text(Tag.MESSAGE);
  }

  /**
   * @return the URL of a page, possibly empty
   */
  public String url() {
    return text(Tag.URL);
  }

  /**
   * @return the body of a page, without the codings of its transfer
   */
  public byte[] content() {
    return content;
  }

  /**
   * @return the keys of the MinHash bands of a {@link Kind#LINE}, none if its text has no words;
   *     null if it is no page with text
   */
  public long[] bands() {
    byte[] packed = frame.bytes(Tag.BANDS);
    if (packed == null) {
      return null;
    }
    long[] bands = new long[packed.length / Long.BYTES];
    ByteBuffer.wrap(packed).asLongBuffer().get(bands);
    return bands;
  }

  /**
   * @param number of the first page of the cluster
   * @param size pages of the cluster
   * @return the line of a {@link Kind#LINE} with the fields of its page's cluster
   */
  public byte[] marked(long number, long size) {
    byte[] fields =
        Frame.writer()
            .bytes(Tag.CONTENT, content)
            .u64(Tag.CLUSTER_ID, number)
            .u64(Tag.CLUSTER_SIZE, size)
            .toBytes();
    return Engine.accepted(Native.mark(fields)).bytes(Tag.CONTENT);
  }

  /**
   * @return the header Content-Type of a page, or null
   */
  public String contentType() {
    return frame.text(Tag.CONTENT_TYPE);
  }

  /**
   * @return the media type of a page in lower case, without parameters
   */
  public String mediaType() {
    return text(Tag.MEDIA_TYPE);
  }

  /**
   * @return the time of the response as the archive has it, possibly empty
   */
  public String date() {
    return text(Tag.DATE);
  }

  /**
   * @return values of the header X-Robots-Tag, one on each line; null if there is none
   */
  public String robots() {
    return text(Tag.ROBOTS_HEADER).isEmpty() ? null : text(Tag.ROBOTS_HEADER);
  }

  /** Adds the header fields with reservations to a response. */
  public PageResponse addReservations(PageResponse response) {
    for (String line : text(Tag.RESERVATION_HEADERS).split("\n")) {
      String[] field = line.split(": ", 2);
      response.header(field[0], Arrays.copyOfRange(field, 1, field.length));
    }
    return robots() == null ? response : response.header("x-robots-tag", robots().split("\n"));
  }

  private String text(int tag) {
    String text = frame.text(tag);
    return text == null ? "" : text;
  }
}
