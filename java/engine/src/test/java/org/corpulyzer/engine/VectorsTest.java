package org.corpulyzer.engine;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.Test;

public class VectorsTest {

  @Test
  public void everyPageHasTheRecordThatRustHasForIt() throws IOException {
    Engine engine =
        Engine.of(Settings.from(key -> key.equals(Settings.LANGUAGE_TARGET) ? "urd" : null));
    JsonObject hints = json(Vectors.folder("pages").resolve("hints.json"));
    List<Path> records = Vectors.files("records", ".json");
    assertTrue("only " + records.size() + " records", records.size() >= 16);
    for (Path file : records) {
      String name = file.getFileName().toString().replace(".json", "");
      Path page = page(name);
      String pageName = page.getFileName().toString();
      JsonObject hint = hints.has(pageName) ? hints.getAsJsonObject(pageName) : new JsonObject();
      Engine.Kind kind =
          hint.has("kind")
              ? Engine.Kind.valueOf(hint.get("kind").getAsString().toUpperCase(Locale.ROOT))
              : Engine.Kind.HTML;
      PageRecord record =
          engine.page(
              Files.readAllBytes(page), text(hint, "url"), text(hint, "content_type"), kind);
      JsonObject expected = json(file);
      // Java has it as a statement, and statements come with links.
      expected.remove("headline");
      assertEquals(name, expected, json(record));
    }
  }

  /** The record as {@code corpulyzer inspect} prints it. */
  private static JsonObject json(PageRecord record) {
    JsonObject json = new JsonObject();
    json.addProperty("version", record.recordVersion());
    json.addProperty("status", record.status().code());
    add(json, "message", record.message());
    add(json, "charset", record.charset());
    json.addProperty("title", record.title());
    add(json, "declared_language", record.declaredLanguage());
    json.addProperty("noindex", record.isNoindex());
    json.addProperty("nofollow", record.isNofollow());
    json.addProperty("raw_bytes", record.rawBytes());
    json.addProperty("visible_bytes", record.visibleBytes());
    json.addProperty("main_bytes", record.mainBytes());
    JsonObject languages = new JsonObject();
    for (Map.Entry<String, Long> language : LanguageBytes.parse(record.languages()).entrySet()) {
      languages.addProperty(language.getKey(), language.getValue());
    }
    json.add("languages", languages);
    json.addProperty("target_bytes", record.targetBytes());
    JsonObject set = new JsonObject();
    for (Map.Entry<String, Long> language : LanguageBytes.parse(record.languageSet()).entrySet()) {
      set.addProperty(language.getKey(), language.getValue());
    }
    json.add("language_set", set);
    add(json, "junk", record.junk());
    add(json, "excerpts", record.excerpts());
    json.addProperty("decision", record.decision());
    add(json, "stage", record.stage());
    json.addProperty("text", record.mainText());
    // Read back, so that numbers compare as numbers of a text do.
    return JsonParser.parseString(json.toString()).getAsJsonObject();
  }

  private static void add(JsonObject json, String key, String value) {
    if (value != null && !value.isEmpty()) {
      json.addProperty(key, value);
    }
  }

  private static String text(JsonObject json, String key) {
    JsonElement value = json.get(key);
    return value == null ? null : value.getAsString();
  }

  private static JsonObject json(Path file) throws IOException {
    return JsonParser.parseString(new String(Files.readAllBytes(file), StandardCharsets.UTF_8))
        .getAsJsonObject();
  }

  private static Path page(String name) throws IOException {
    try (Stream<Path> files = Files.list(Vectors.folder("pages"))) {
      List<Path> pages =
          files
              .filter(file -> file.getFileName().toString().startsWith(name + "."))
              .collect(Collectors.toList());
      assertEquals(name + ": " + pages, 1, pages.size());
      return pages.get(0);
    }
  }
}
