package org.corpulyzer.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The languages that the library counts without packs of the operator's own, for jobs where no
 * native library is loaded. {@link LanguageNames} finds the languages that a user names. Made from
 * the library's tables by {@code cargo run -p langid --example languages}; a test compares the two.
 */
public final class Languages {

  private static final String TABLE = "languages.tsv";

  /** By all codes. */
  private static final Map<String, Language> BY_CODE = read();

  private Languages() {}

  /** A line of the table. */
  private static final class Language {
    private final String code;
    private final String name;
    private final String words;

    Language(String[] columns) {
      code = columns[0];
      name = columns[2];
      words = columns[3];
    }
  }

  private static Map<String, Language> read() {
    Map<String, Language> languages = new TreeMap<>();
    try (InputStream in = Languages.class.getResourceAsStream(TABLE);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.startsWith("#")) {
          String[] columns = line.split("\t", -1);
          Language language = new Language(columns);
          languages.put(columns[0], language);
          if (!columns[1].equals("-")) {
            Arrays.stream(columns[1].split(",")).forEach(other -> languages.put(other, language));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("corpulyzer-engine.jar has no readable " + TABLE, e);
    }
    return languages;
  }

  private static Language find(String code) {
    return BY_CODE.get(code.trim().toLowerCase(Locale.ROOT));
  }

  /**
   * @param codes of languages, with commas between
   * @return their English names for people; a code that is not in the table stays
   */
  public static String names(String codes) {
    return Arrays.stream(codes.split(",", -1))
        .map(code -> find(code) == null ? code.trim() : find(code).name)
        .collect(Collectors.joining(", "));
  }

  /**
   * @return whether the library counts this language, by one of its codes
   */
  public static boolean isKnown(String code) {
    return find(code) != null;
  }

  /**
   * @return the ISO 639-3 code of a language; a code that is not in the table, in small letters
   */
  public static String threeLetters(String code) {
    Language language = find(code);
    return language == null ? code.trim().toLowerCase(Locale.ROOT) : language.code;
  }

  /**
   * @return words that are frequent in a language and rare in its neighbours, with blanks between
   *     them; empty when none are known
   */
  public static String typicalWords(String code) {
    Language language = find(code);
    return language == null ? "" : language.words;
  }

  /**
   * @return the ISO 639-3 codes of all languages
   */
  public static Set<String> codes() {
    Set<String> codes = new LinkedHashSet<>();
    BY_CODE.values().forEach(language -> codes.add(language.code));
    return codes;
  }
}
