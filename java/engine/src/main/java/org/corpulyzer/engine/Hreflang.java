package org.corpulyzer.engine;

import java.util.Locale;

/**
 * Whether an {@code hreflang} value (BCP 47, such as {@code ur-PK}) names the language of the
 * crawl.
 */
public final class Hreflang {
  private final Engine engine;

  /**
   * @param engine the engine of the crawl, which has the tags of its languages
   */
  public Hreflang(Engine engine) {
    this.engine = engine;
  }

  /**
   * @param hreflang as a page has it, or null
   * @return whether it names a language of the crawl
   */
  public boolean matches(String hreflang) {
    return hreflang != null
        && engine.tags().contains(hreflang.trim().split("[-_]", 2)[0].toLowerCase(Locale.ROOT));
  }
}
