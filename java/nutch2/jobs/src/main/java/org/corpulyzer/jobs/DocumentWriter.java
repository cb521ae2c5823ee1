package org.corpulyzer.jobs;

import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.codehaus.jackson.JsonEncoding;
import org.codehaus.jackson.JsonFactory;
import org.codehaus.jackson.JsonGenerator;
import org.codehaus.jackson.util.MinimalPrettyPrinter;

/** Writes pages as documents of one format. */
public abstract class DocumentWriter implements Closeable {

  /**
   * @param text the document's text, which may be the page's in another form; {@link DocumentFormat#warc} does not write it
   * @throws IOException as the stream says
   */
  public abstract void write(CorpusPage page, String text) throws IOException;

  /**
   * @param out is closed with the writer
   * @param file the name of the file that is written
   * @param conf Nutch's configuration: who crawled, and which crawl
   * @return a writer of documents in this format
   */
  public static DocumentWriter of(DocumentFormat format, OutputStream out, String file, Configuration conf) throws IOException {
    switch (format) {
      case jsonl:
        return new JsonLines(out);
      case text:
        return new PlainText(out);
      default:
        return new WarcWriter(format, out, file, conf);
    }
  }

  /** A JSON object a line. */
  private static final class JsonLines extends DocumentWriter {

    private final JsonGenerator json;
    private boolean isEmpty = true;

    JsonLines(OutputStream out) throws IOException {
      json = new JsonFactory().createJsonGenerator(out, JsonEncoding.UTF8);
      // Between two documents and nowhere else.
      json.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
    }

    @Override
    public void write(CorpusPage page, String text) throws IOException {
      isEmpty = false;
      json.writeStartObject();
      json.writeStringField("id", page.id());
      json.writeStringField("url", page.url());
      json.writeStringField("host", page.host());
      json.writeStringField("fetch_time", Instant.ofEpochMilli(page.fetchMillis()).toString());
      if (page.round() >= 0) {
        json.writeNumberField("round", page.round());
      }
      json.writeStringField("title", page.title());
      json.writeStringField("text", text);
      json.writeStringField("charset", page.charset());
      json.writeStringField("content_type", page.contentType());
      json.writeNumberField("raw_bytes", page.rawBytes());
      json.writeNumberField("visible_bytes", page.visibleBytes());
      json.writeNumberField("main_bytes", page.mainBytes());
      numbers("languages", page.languages());
      numbers("language_set", page.languageSet());
      json.writeStringField("decision", page.decision());
      json.writeStringField("record_version", page.recordVersion());
      json.writeStringField("signature", page.signature());
      json.writeEndObject();
    }

    private void numbers(String field, Map<String, Long> byLanguage) throws IOException {
      json.writeObjectFieldStart(field);
      for (Map.Entry<String, Long> language : byLanguage.entrySet()) {
        json.writeNumberField(language.getKey(), language.getValue());
      }
      json.writeEndObject();
    }

    @Override
    public void close() throws IOException {
      if (!isEmpty) {
        json.writeRaw('\n');
      }
      json.close();
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
