package org.corpulyzer.crawl;

import java.util.IllformedLocaleException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The header Accept-Language (RFC 9110, 12.5.4) with codes of BCP 47. */
final class AcceptLanguage {
  private static final Pattern WEIGHT = Pattern.compile("q=(0([.][0-9]{0,3})?|1([.]0{0,3})?)");

  private AcceptLanguage() {}

  /** The header for all tags of the target languages, before any other language. */
  static String of(List<String> tags) {
    return String.join(",", tags) + ",*;q=0.5";
  }

  /**
   * @param list the value of the option, or null
   */
  static void check(String list) throws CrawlException {
    for (String range : list == null ? new String[0] : list.split(",", -1)) {
      String[] parts = range.trim().split("\\s*;\\s*", -1);
      if (!isRange(parts[0])
          || parts.length > 2
          || parts.length == 2 && !WEIGHT.matcher(parts[1]).matches()) {
        throw CrawlException.usage(
            "--accept-language has '"
                + range.trim()
                + "'; allowed are codes of BCP 47 or '*', each optionally with a weight from 0 to"
                + " 1, separated by commas, such as ur,en;q=0.3");
      }
    }
  }

  private static boolean isRange(String range) {
    if (range.equals("*")) {
      return true;
    }
    try {
      int letters = new Locale.Builder().setLanguageTag(range).build().getLanguage().length();
      return letters == 2 || letters == 3;
    } catch (IllformedLocaleException e) {
      return false;
    }
  }
}
