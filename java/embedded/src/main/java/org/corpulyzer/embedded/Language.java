package org.corpulyzer.embedded;

import java.nio.file.Paths;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.NativeLibrary;
import org.corpulyzer.engine.Settings;

/** Asks the engine whether it knows a language, which also shows whether the native library loads. */
final class Language {
  private Language() {}

  /** @return the property that names these language packs: their absolute paths, since Nutch's plugins look elsewhere */
  static String packs(List<String> files) {
    return files.stream().map(file -> Paths.get(file).toAbsolutePath().toString()).collect(Collectors.joining(","));
  }

  /** @return the language's ISO 639-3 code */
  static String require(String code, List<String> packs) throws CrawlException {
    Map<String, String> given = new HashMap<>();
    given.put(Settings.LANGUAGE_TARGET, code);
    given.put(Settings.LANGUAGE_PACKS, packs(packs));
    try {
      return Engine.of(Settings.from(key -> given.containsKey(key) ? given.get(key) : System.getProperty(key))).target();
    } catch (NativeLibrary.Unavailable e) {
      throw CrawlException.failed(e.getMessage(), e);
    } catch (CorpulyzerException e) {
      throw CrawlException.usage(e.getMessage());
    }
  }
}
