package org.corpulyzer.crawl;

import com.github.luben.zstd.ZstdInputStream;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads a corpus back. */
final class Corpus {
  private Corpus() {}

  static List<String> lines(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new ZstdInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
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
      JsonElement value = JsonParser.parseString(line).getAsJsonObject().get(field);
      if (value != null) {
        values.add(value.getAsString());
      }
    }
    return values;
  }
}
