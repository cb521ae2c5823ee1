package org.corpulyzer.engine;

import java.util.function.UnaryOperator;

/**
 * A page of a crawl's store as a document of a corpus. The native library writes it, so a document
 * has the same bytes whichever program wrote it. {@link NativeLibrary#load} must have been called.
 * A value that does not read is left out, because anyone who can write to the store may have
 * written it.
 */
public final class Document {

  private final Frame.Writer fields = Frame.writer();

  /**
   * @param id reversed URL, unique in a corpus
   * @param url its URL
   * @param host the host as people write it
   */
  public Document(String id, String url, String host) {
    fields.text(Tag.DOCUMENT_ID, id).text(Tag.URL, url).text(Tag.HOST, host);
  }

  /**
   * @param time of the response in ISO 8601, UTC
   * @param round the round's number or the time at which it began; negative if unknown
   * @param source of the seeds that the page was found from; empty if they have none
   */
  public Document fetched(String time, long round, String source) {
    fields.text(Tag.DATE, time).text(Tag.SOURCE, source);
    if (round >= 0) {
      fields.u64(Tag.ROUND, round);
    }
    return this;
  }

  /**
   * @param contentType MIME type of the page
   * @param signature of the page as fetched, or null
   */
  public Document content(String contentType, byte[] signature) {
    fields.text(Tag.CONTENT_TYPE, contentType).bytes(Tag.SIGNATURE, signature);
    return this;
  }

  /**
   * @param title the page's title
   * @param text main content, blocks joined by line feeds
   */
  public Document text(String title, String text) {
    fields.text(Tag.TITLE, title).text(Tag.MAIN_TEXT, text);
    return this;
  }

  /**
   * @param figure returns a figure of the page as text by a key of {@link PageKeys}, or null
   */
  public Document figures(UnaryOperator<String> figure) {
    bytes(Tag.RAW_BYTES, figure.apply(PageKeys.RAW_BYTES));
    bytes(Tag.VISIBLE_BYTES, figure.apply(PageKeys.VISIBLE_BYTES));
    bytes(Tag.MAIN_BYTES, figure.apply(PageKeys.MAIN_BYTES));
    fields
        .text(Tag.CHARSET, figure.apply(PageKeys.CHARSET))
        .text(Tag.LANGUAGES, figure.apply(PageKeys.LANGUAGES))
        .text(Tag.LANGUAGE_SET, figure.apply(PageKeys.LANGUAGE_SET))
        .text(Tag.DECISION, figure.apply(PageKeys.DECISION))
        .text(Tag.RECORD_VERSION, figure.apply(PageKeys.VERSION));
    for (Statement statement : Statement.values()) {
      fields.text(statement.tag(), figure.apply(statement.key()));
    }
    return this;
  }

  /**
   * Adds the rules of the page's host to the reservations of the page, which was parsed without
   * them; see {@link UsageRules}.
   *
   * @param robots the lines of robots.txt on usage, or null
   * @param tdm {@code tdmrep.json}, or null
   */
  public Document hostRules(String robots, String tdm) {
    fields.text(Tag.ROBOTS_FILE, robots).text(Tag.TDM_FILE, tdm);
    return this;
  }

  private void bytes(int tag, String figure) {
    long count = PageRecord.bytes(figure);
    if (count >= 0) {
      fields.u64(tag, count);
    }
  }

  /**
   * @return a JSON object with all fields, and a line feed, in UTF-8
   */
  public byte[] jsonLine() {
    return written();
  }

  /**
   * @return the lines of the text that are not empty, and an empty line, in UTF-8
   */
  public byte[] plainText() {
    fields.bytes(Tag.PLAIN_TEXT, new byte[0]);
    return written();
  }

  private byte[] written() {
    return Engine.accepted(Native.document(fields.toBytes())).bytes(Tag.DOCUMENT);
  }
}
