package org.corpulyzer.corpus;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Statement;

/**
 * Writes a JSON object a line. No library does it, because no JSON library is on the class path of
 * every Nutch and writes the same bytes in all its releases; a corpus's lines must not change with
 * the line of Nutch.
 */
final class JsonLines extends DocumentWriter {

  private static final String HEX = "0123456789ABCDEF";

  private final Writer out;
  private String separator = "";

  JsonLines(OutputStream out) {
    this.out = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
  }

  @Override
  public void write(CorpusPage page, String text) throws IOException {
    begin("{");
    string("id", page.id());
    string("url", page.url());
    string("host", page.host());
    string("fetch_time", page.fetchTime());
    if (page.round() >= 0) {
      number("round", page.round());
    }
    if (!page.source().isEmpty()) {
      string("source", page.source());
    }
    string("title", page.title());
    string("text", text);
    string("charset", page.charset());
    string("content_type", page.contentType());
    number("raw_bytes", Math.max(0, page.bytes(PageKeys.RAW_BYTES)));
    number("visible_bytes", Math.max(0, page.bytes(PageKeys.VISIBLE_BYTES)));
    number("main_bytes", Math.max(0, page.bytes(PageKeys.MAIN_BYTES)));
    numbers("languages", page.languages());
    numbers("language_set", page.languageSet());
    string("decision", page.decision());
    string("record_version", page.recordVersion());
    string("signature", hex(page.signature()));
    for (Statement statement : Statement.values()) {
      stated(statement, page.figure(statement.key()));
    }
    out.write("}\n");
  }

  /** Writes no field for a value that is missing, or that is not the JSON that it must be. */
  private void stated(Statement statement, String value) throws IOException {
    if (value == null || value.isEmpty()) {
      return;
    }
    if (!statement.isJson()) {
      string(statement.field(), value);
    } else if (JsonCheck.isValue(value)) {
      name(statement.field());
      out.write(value);
    }
  }

  private void begin(String bracket) throws IOException {
    out.write(bracket);
    separator = "";
  }

  private void name(String field) throws IOException {
    out.write(separator);
    separator = ",";
    quote(field);
    out.write(':');
  }

  private void string(String field, String value) throws IOException {
    name(field);
    quote(value);
  }

  private void number(String field, long value) throws IOException {
    name(field);
    out.write(Long.toString(value));
  }

  private void numbers(String field, Map<String, Long> byLanguage) throws IOException {
    name(field);
    begin("{");
    for (Map.Entry<String, Long> language : byLanguage.entrySet()) {
      number(language.getKey(), language.getValue());
    }
    out.write('}');
    separator = ",";
  }

  /**
   * Escapes the characters that JSON requires (RFC 8259, section 7), and surrogates, because a
   * single one has no UTF-8 form.
   */
  private void quote(String text) throws IOException {
    out.write('"');
    int written = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c != '"' && c != '\\' && !Character.isSurrogate(c)) {
        continue;
      }
      out.write(text, written, i - written);
      written = i + 1;
      out.write('\\');
      int known = "\b\t\n\f\r\"\\".indexOf(c);
      if (known >= 0) {
        out.write("btnfr\"\\".charAt(known));
      } else {
        out.write('u');
        for (int shift = 12; shift >= 0; shift -= 4) {
          out.write(HEX.charAt(c >> shift & 15));
        }
      }
    }
    out.write(text, written, text.length() - written);
    out.write('"');
  }

  private static String hex(byte[] bytes) {
    StringBuilder hex = new StringBuilder();
    if (bytes != null) {
      for (byte b : bytes) {
        hex.append(Character.forDigit(b >> 4 & 15, 16)).append(Character.forDigit(b & 15, 16));
      }
    }
    return hex.toString();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
