package org.corpulyzer.crawl.companion;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.TimeUnit;
import org.apache.tika.exception.TikaException;
import org.apache.tika.exception.WriteLimitReachedException;
import org.apache.tika.extractor.EmbeddedDocumentExtractor;
import org.apache.tika.metadata.Metadata;
import org.apache.tika.metadata.TikaCoreProperties;
import org.apache.tika.parser.ParseContext;
import org.apache.tika.parser.Parser;
import org.apache.tika.parser.microsoft.OfficeParser;
import org.apache.tika.parser.microsoft.OfficeParserConfig;
import org.apache.tika.parser.microsoft.ooxml.OOXMLParser;
import org.apache.tika.parser.microsoft.rtf.RTFParser;
import org.apache.tika.parser.odf.OpenDocumentParser;
import org.apache.tika.parser.pdf.PDFParser;
import org.apache.tika.parser.pdf.PDFParserConfig;
import org.apache.tika.sax.BodyContentHandler;
import org.xml.sax.ContentHandler;
import org.xml.sax.SAXException;

/**
 * A process that reads documents with Tika, so that a document that never ends or fills the memory
 * ends only this process. Standard input has documents one after the other: the type (modified
 * UTF-8), the length (int), the bytes. Standard output has an answer for each: a byte, {@value
 * #TEXT} or {@value #FAILED}; title and text, or the reason, each as length (int) and UTF-8.
 * Embedded documents and images are not read. The process ends with its input, or when a document
 * takes longer than its time, which is processor time, because on a busy machine a small document
 * may take seconds by the clock.
 */
public final class DocumentWorker {
  static final int TEXT = 0;
  static final int FAILED = 1;

  /** Most characters of a title, or of a reason. A document may call a megabyte its title. */
  static final int MAX_LINE = 4096;

  /** A document that waits instead of working ends after so many times its time, by the clock. */
  static final int CLOCK_TIMES = 3;

  private static final int EXIT_TIME = 3;
  private static final int EXIT_MEMORY = 4;

  /** Milliseconds between two looks at the processor time. */
  private static final long CHECK_MILLIS = 100;

  private DocumentWorker() {}

  /**
   * Reads documents until standard input ends.
   *
   * @param args most characters of a text; most milliseconds of processor time for a document; the
   *     folder of temporary files, which is deleted at the end
   */
  public static void main(String[] args) throws IOException {
    try {
      readAll(Integer.parseInt(args[0]), Long.parseLong(args[1]));
    } finally {
      TemporaryFolder.delete(Path.of(args[2]));
    }
  }

  private static void readAll(int maxCharacters, long maxMillis) throws IOException {
    DataInputStream in = new DataInputStream(System.in);
    DataOutputStream out = new DataOutputStream(System.out);
    // Libraries that print must not write into the results.
    System.setOut(new PrintStream(System.err, true));
    Timer timer = new Timer(true);
    while (true) {
      String type;
      try {
        type = in.readUTF();
      } catch (EOFException e) {
        return;
      }
      byte[] document = new byte[in.readInt()];
      in.readFully(document);
      TimerTask end = new Deadline(maxMillis);
      timer.schedule(end, maxMillis, CHECK_MILLIS);
      answer(out, type, document, maxCharacters);
      end.cancel();
    }
  }

  /** Ends the process when a document has had its time. */
  private static final class Deadline extends TimerTask {
    private final long maxMillis;
    private final long began = System.nanoTime();
    private final Duration used = processorTime();

    Deadline(long maxMillis) {
      this.maxMillis = maxMillis;
    }

    @Override
    public void run() {
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
      if (millis >= CLOCK_TIMES * maxMillis
          || processorTime().minus(used).toMillis() >= maxMillis) {
        Runtime.getRuntime().halt(EXIT_TIME);
      }
    }

    /**
     * That of all threads of this process, because collecting garbage counts too. Where the system
     * does not tell, only the clock ends a document.
     */
    private static Duration processorTime() {
      return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }
  }

  private static void answer(DataOutputStream out, String type, byte[] document, int maxCharacters)
      throws IOException {
    Metadata metadata = new Metadata();
    BodyContentHandler text = new BodyContentHandler(maxCharacters);
    String failure = null;
    try (InputStream in = new ByteArrayInputStream(document)) {
      parser(type).parse(in, text, metadata, context());
    } catch (OutOfMemoryError e) {
      Runtime.getRuntime().halt(EXIT_MEMORY);
    } catch (TikaException | SAXException | IOException | RuntimeException | StackOverflowError e) {
      // Tika wraps the exception of the limit.
      failure = WriteLimitReachedException.isWriteLimitReached(e) ? null : e.toString();
    }
    if (failure == null) {
      String title = metadata.get(TikaCoreProperties.TITLE);
      out.writeByte(TEXT);
      write(out, title == null ? "" : cut(title));
      write(out, text.toString());
    } else {
      out.writeByte(FAILED);
      write(out, cut(failure));
    }
    out.flush();
  }

  private static String cut(String line) {
    return line.substring(0, Math.min(line.length(), MAX_LINE));
  }

  private static void write(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static Parser parser(String type) throws TikaException {
    switch (type) {
      case "application/pdf":
        return new PDFParser();
      case "application/rtf":
      case "text/rtf":
        return new RTFParser();
      case "application/msword":
      case "application/vnd.ms-excel":
      case "application/vnd.ms-powerpoint":
      case "application/x-tika-msoffice":
        return new OfficeParser();
      case "application/x-tika-ooxml":
      case "application/vnd.openxmlformats-officedocument.wordprocessingml.document":
      case "application/vnd.openxmlformats-officedocument.presentationml.presentation":
      case "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet":
        return new OOXMLParser();
      case "application/vnd.oasis.opendocument.text":
      case "application/vnd.oasis.opendocument.presentation":
      case "application/vnd.oasis.opendocument.spreadsheet":
        return new OpenDocumentParser();
      default:
        throw new TikaException("no parser for " + type);
    }
  }

  private static ParseContext context() {
    ParseContext context = new ParseContext();
    PDFParserConfig pdf = new PDFParserConfig();
    pdf.setOcrStrategy(PDFParserConfig.OCR_STRATEGY.NO_OCR);
    pdf.setExtractInlineImages(false);
    context.set(PDFParserConfig.class, pdf);
    OfficeParserConfig office = new OfficeParserConfig();
    office.setUseSAXDocxExtractor(true);
    office.setUseSAXPptxExtractor(true);
    context.set(OfficeParserConfig.class, office);
    context.set(
        EmbeddedDocumentExtractor.class,
        new EmbeddedDocumentExtractor() {
          @Override
          public boolean shouldParseEmbedded(Metadata metadata) {
            return false;
          }

          @Override
          public void parseEmbedded(
              InputStream stream, ContentHandler handler, Metadata metadata, boolean outputHtml) {
            // Attachments are no text of the document.
          }
        });
    return context;
  }
}
