package org.corpulyzer.embedded;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.corpulyzer.engine.PageKeys;

/** One format of the corpus. */
abstract class DocumentWriter implements Closeable {
  /** @param text the document's text, which may be the row's in another form */
  abstract void write(PageRow row, String text) throws IOException;

  static DocumentWriter of(CrawlOptions.Format format, OutputStream out) throws IOException {
    return format == CrawlOptions.Format.jsonl ? new JsonLines(out) : new PlainText(out);
  }

  /** A JSON object a line. */
  private static final class JsonLines extends DocumentWriter {
    private final JsonGenerator json;

    JsonLines(OutputStream out) throws IOException {
      json = new JsonFactory().createGenerator(out, JsonEncoding.UTF8);
      json.setRootValueSeparator(null);
    }

    @Override
    void write(PageRow row, String text) throws IOException {
      json.writeStartObject();
      json.writeStringField("id", row.id());
      json.writeStringField("url", row.url());
      json.writeStringField("host", row.host());
      json.writeStringField("fetch_time", Instant.ofEpochMilli(row.fetchMillis()).toString());
      json.writeNumberField("round", row.round());
      json.writeStringField("title", row.title());
      json.writeStringField("text", text);
      json.writeStringField("charset", row.figure(PageKeys.CHARSET));
      json.writeStringField("content_type", row.contentType());
      json.writeNumberField("raw_bytes", row.bytes(PageKeys.RAW_BYTES));
      json.writeNumberField("visible_bytes", row.bytes(PageKeys.VISIBLE_BYTES));
      json.writeNumberField("main_bytes", row.bytes(PageKeys.MAIN_BYTES));
      numbers("languages", row.languages());
      numbers("language_set", row.languageSet());
      json.writeStringField("record_version", row.figure(PageKeys.VERSION));
      json.writeStringField("signature", row.signature());
      json.writeEndObject();
      json.writeRaw('\n');
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
    void write(PageRow row, String text) throws IOException {
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
