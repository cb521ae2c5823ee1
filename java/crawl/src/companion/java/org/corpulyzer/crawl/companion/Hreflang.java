package org.corpulyzer.crawl.companion;

import java.util.Locale;
import java.util.MissingResourceException;

/**
 * Whether an {@code hreflang} value (BCP 47, such as {@code ur-PK}) names the language of the
 * crawl.
 */
final class Hreflang {
  private final String target;

  /**
   * @param target the language of the crawl, ISO 639-3
   */
  Hreflang(String target) {
    this.target = target;
  }

  boolean matches(String hreflang) {
    if (hreflang == null) {
      return false;
    }
    String language = hreflang.trim().split("[-_]", 2)[0].toLowerCase(Locale.ROOT);
    if (language.length() != 2) {
      return language.equals(target);
    }
    try {
      return new Locale(language).getISO3Language().equals(target);
    } catch (MissingResourceException e) {
      return false;
    }
  }
}
