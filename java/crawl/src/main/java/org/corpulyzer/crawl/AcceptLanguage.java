package org.corpulyzer.crawl;

import java.util.Arrays;
import java.util.IllformedLocaleException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The header Accept-Language (RFC 9110, 12.5.4) with codes of BCP 47. */
final class AcceptLanguage {
  private static final Pattern WEIGHT = Pattern.compile("q=(0([.][0-9]{0,3})?|1([.]0{0,3})?)");

  private AcceptLanguage() {}

  /** The header for the target languages, in their shortest codes, before any other language. */
  static String of(List<String> targets) {
    return targets.stream().map(AcceptLanguage::shortest).collect(Collectors.joining(","))
        + ",*;q=0.5";
  }

  /** BCP 47 has the code of two letters wherever there is one. */
  private static String shortest(String code) {
    return code.length() != 3
        ? code
        : Arrays.stream(Locale.getISOLanguages())
            .filter(two -> new Locale(two).getISO3Language().equals(code))
            .findFirst()
            .orElse(code);
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
