package org.corpulyzer.engine;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Bytes per language as {@code crp.l} has them: {@code urd:3140,eng:133,und:20}, ISO 639-3 codes,
 * UTF-8 bytes of main text.
 */
public final class LanguageBytes {

  private LanguageBytes() {}

  /**
   * @param crpL a {@code crp.l} value; null and empty mean no text
   * @return bytes by language in the order written; a code that repeats is added up
   * @throws CorpulyzerException when an entry is not {@code code:count}
   */
  public static Map<String, Long> parse(String crpL) {
    Map<String, Long> bytes = new LinkedHashMap<>();
    if (crpL == null || crpL.isEmpty()) {
      return bytes;
    }
    for (String entry : crpL.split(",", -1)) {
      int colon = entry.indexOf(':');
      try {
        long count = Long.parseLong(entry.substring(colon + 1));
        if (colon > 0 && Character.isDigit(entry.charAt(colon + 1))) {
          bytes.merge(entry.substring(0, colon), count, Math::addExact);
          continue;
        }
      } catch (NumberFormatException | ArithmeticException e) {
        // Told below, with the entry.
      }
      throw new CorpulyzerException(
          "'" + entry + "' found in " + PageKeys.LANGUAGES + ", language:bytes is allowed.");
    }
    return bytes;
  }

  /**
   * @param crpL a {@code crp.l} value; null and empty mean no text
   * @param code ISO 639-3 code, or several that are separated by commas, as {@link Engine#target()}
   *     returns it
   * @return bytes in that language, 0 when there are none; those of several are summed up
   * @throws CorpulyzerException when the value is malformed
   */
  public static long targetBytes(String crpL, String code) {
    Map<String, Long> bytes = parse(crpL);
    if (code.indexOf(',') < 0) {
      return bytes.getOrDefault(code, 0L);
    }
    long sum = 0;
    for (String one : code.split(",")) {
      sum = HostTally.sum(sum, bytes.getOrDefault(one, 0L));
    }
    return sum;
  }
}
