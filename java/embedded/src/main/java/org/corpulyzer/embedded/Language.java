package org.corpulyzer.embedded;

import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.NativeLibrary;
import org.corpulyzer.engine.Settings;

/** Asks the engine whether it knows a language, which also shows whether the native library loads. */
final class Language {
  private Language() {}

  /** @return the language's ISO 639-3 code */
  static String require(String code) throws CrawlException {
    try {
      return Engine.of(Settings.from(key -> key.equals(Settings.LANGUAGE_TARGET) ? code : System.getProperty(key))).target();
    } catch (NativeLibrary.Unavailable e) {
      throw CrawlException.failed(e.getMessage(), e);
    } catch (CorpulyzerException e) {
      throw CrawlException.usage(e.getMessage());
    }
  }
}
