package org.corpulyzer.embedded;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.codehaus.jackson.JsonFactory;
import org.codehaus.jackson.JsonParser;
import org.codehaus.jackson.JsonToken;

/** Reads a corpus back. */
final class Corpus {
  private Corpus() {}

  static List<String> lines(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    try (BufferedReader in = new BufferedReader(new InputStreamReader(new ZstdInputStream(Files.newInputStream(file)),
        StandardCharsets.UTF_8))) {
      for (String line; (line = in.readLine()) != null; ) {
        lines.add(line);
      }
    }
    return lines;
  }

  /** The text of a field of each document. */
  static List<String> values(Path file, String field) throws IOException {
    List<String> values = new ArrayList<>();
    for (String line : lines(file)) {
      try (JsonParser parser = new JsonFactory().createJsonParser(line)) {
        for (JsonToken token; (token = parser.nextToken()) != null; ) {
          if (token == JsonToken.FIELD_NAME && field.equals(parser.getCurrentName())) {
            parser.nextToken();
            values.add(parser.getText());
            break;
          }
        }
      }
    }
    return values;
  }
}
