package org.corpulyzer.corpus;

import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/** Writes pages as documents of one format. */
public abstract class DocumentWriter implements Closeable {

  /**
   * @param text the document's text, which may be the page's in another form; {@link
   *     DocumentFormat#warc} does not write it
   * @throws IOException if the stream fails
   */
  public abstract void write(CorpusPage page, String text) throws IOException;

  /**
   * @param out is closed with the writer
   * @param file the name of the file that is written
   * @param crawl description of the crawl for WARC files
   * @return a writer of documents in this format
   */
  public static DocumentWriter of(
      DocumentFormat format, OutputStream out, String file, CrawlDescription crawl)
      throws IOException {
    switch (format) {
      case jsonl:
        return new JsonLines(out);
      case text:
        return new PlainText(out);
      default:
        return new WarcWriter(format, out, file, crawl);
    }
  }

  /** The texts, each followed by an empty line; a text itself has none. */
  private static final class PlainText extends DocumentWriter {

    private final Writer writer;

    PlainText(OutputStream out) {
      writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    }

    @Override
    public void write(CorpusPage page, String text) throws IOException {
      for (String line : text.split("\n")) {
        if (!line.trim().isEmpty()) {
          writer.write(line);
          writer.write('\n');
        }
      }
      writer.write('\n');
    }

    @Override
    public void close() throws IOException {
      writer.close();
    }
  }
}
