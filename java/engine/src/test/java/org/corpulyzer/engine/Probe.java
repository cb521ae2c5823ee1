package org.corpulyzer.engine;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * Reads one page as Urdu; a class loader that has a copy of its own has a native library of its
 * own.
 */
public final class Probe implements Function<String, String> {

  @Override
  public String apply(String html) {
    Engine engine =
        Engine.of(Settings.from(key -> key.equals(Settings.LANGUAGE_TARGET) ? "ur" : null));
    PageRecord record =
        engine.page(
            html.getBytes(StandardCharsets.UTF_8),
            "http://a.example/",
            "text/html; charset=utf-8",
            Engine.Kind.HTML);
    return record.status().code() + " " + record.languages() + " " + record.mainText();
  }
}
