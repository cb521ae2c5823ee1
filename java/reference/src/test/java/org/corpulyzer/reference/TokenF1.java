package org.corpulyzer.reference;

import java.text.Normalizer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * How alike two texts are as bags of tokens: the harmonic mean of precision and recall.
 *
 * <p>A token is a run of letters, marks and digits after NFKC and folding of case, without joiners,
 * soft hyphens, direction marks and tatweel; each letter of a script that is written without blanks
 * (Han, Kana, Thai, Lao, Khmer, Burmese) is a token.
 */
final class TokenF1 {
  private static final Pattern DROPPED =
      Pattern.compile(
          "[\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u2069\\ufeff\\u0640]");

  private TokenF1() {}

  /** Between 0 and 1; 1 if neither text has a token. */
  static double of(String text, String other) {
    Map<String, Integer> left = tokens(text);
    Map<String, Integer> right = tokens(other);
    int total = size(left) + size(right);
    if (total == 0) {
      return 1;
    }
    int common = 0;
    for (Map.Entry<String, Integer> token : left.entrySet()) {
      common += Math.min(token.getValue(), right.getOrDefault(token.getKey(), 0));
    }
    return 2.0 * common / total;
  }

  private static int size(Map<String, Integer> bag) {
    return bag.values().stream().mapToInt(Integer::intValue).sum();
  }

  private static Map<String, Integer> tokens(String text) {
    String folded =
        DROPPED
            .matcher(Normalizer.normalize(text, Normalizer.Form.NFKC))
            .replaceAll("")
            .toUpperCase(Locale.ROOT)
            .toLowerCase(Locale.ROOT);
    Map<String, Integer> bag = new HashMap<>();
    StringBuilder word = new StringBuilder();
    folded
        .codePoints()
        .forEach(
            c -> {
              if (isUnspaced(c)) {
                add(bag, word);
                word.appendCodePoint(c);
                add(bag, word);
              } else if (isPartOfWord(c)) {
                word.appendCodePoint(c);
              } else {
                add(bag, word);
              }
            });
    add(bag, word);
    return bag;
  }

  private static void add(Map<String, Integer> bag, StringBuilder word) {
    if (word.length() > 0) {
      bag.merge(word.toString(), 1, Integer::sum);
      word.setLength(0);
    }
  }

  private static boolean isPartOfWord(int c) {
    switch (Character.getType(c)) {
      case Character.NON_SPACING_MARK:
      case Character.COMBINING_SPACING_MARK:
      case Character.ENCLOSING_MARK:
      case Character.LETTER_NUMBER:
      case Character.OTHER_NUMBER:
        return true;
      default:
        return Character.isLetterOrDigit(c);
    }
  }

  private static boolean isUnspaced(int c) {
    if (!isPartOfWord(c) || Character.isDigit(c)) {
      return false;
    }
    switch (Character.UnicodeScript.of(c)) {
      case HAN:
      case HIRAGANA:
      case KATAKANA:
      case THAI:
      case LAO:
      case KHMER:
      case MYANMAR:
        return true;
      default:
        return false;
    }
  }
}
