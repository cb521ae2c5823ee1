package org.corpulyzer.engine;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.MissingResourceException;

/**
 * Whether an {@code hreflang} value (BCP 47, such as {@code ur-PK}) names the language of the
 * crawl.
 */
public final class Hreflang {
  private final List<String> targets;

  /**
   * @param targets the languages of the crawl, ISO 639-3, separated by commas
   */
  public Hreflang(String targets) {
    this.targets = Arrays.asList(targets.split(","));
  }

  /**
   * @param hreflang as a page has it, or null
   * @return whether it names a language of the crawl
   */
  public boolean matches(String hreflang) {
    if (hreflang == null) {
      return false;
    }
    String language = hreflang.trim().split("[-_]", 2)[0].toLowerCase(Locale.ROOT);
    if (language.length() != 2) {
      return targets.contains(language);
    }
    try {
      return targets.contains(new Locale(language).getISO3Language());
    } catch (MissingResourceException e) {
      return false;
    }
  }
}
