package org.corpulyzer.corpus;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import org.corpulyzer.engine.Document;

/** Writes pages as documents of one format. */
public abstract class DocumentWriter implements Closeable {

  /**
   * @param text the document's text, which may be the page's in another form; {@link
   *     DocumentFormat#warc} does not write it
   * @throws IOException if the stream fails
   */
  public abstract void write(CorpusPage page, String text) throws IOException;

  /**
   * The native library must be loaded: it writes JSON lines and texts.
   *
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
      case text:
        return new Documents(format, out);
      default:
        return new WarcWriter(format, out, file, crawl);
    }
  }

  /** JSON lines or texts. */
  private static final class Documents extends DocumentWriter {

    private final DocumentFormat format;
    private final OutputStream out;

    Documents(DocumentFormat format, OutputStream out) {
      this.format = format;
      this.out = new BufferedOutputStream(out);
    }

    @Override
    public void write(CorpusPage page, String text) throws IOException {
      Document document =
          new Document(page.id(), page.url(), page.host())
              .fetched(page.fetchTime(), page.round(), page.source())
              .content(page.contentType(), page.signature())
              .text(page.title(), text)
              .figures(page::figure)
              .hostRules(page.robotsFile(), page.tdmFile());
      out.write(format == DocumentFormat.text ? document.plainText() : document.jsonLine());
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }
}
