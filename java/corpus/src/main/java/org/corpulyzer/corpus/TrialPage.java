package org.corpulyzer.corpus;

import java.nio.charset.StandardCharsets;
import org.corpulyzer.engine.Languages;

/**
 * A page in the language of a crawl, to try the parse filter on: words that are typical of the
 * language, by the library's own models. For a language without such words (of a pack of the
 * operator's own, or one that is counted without models) it is in English; {@link #isInTarget}
 * returns false then.
 */
public final class TrialPage {

  private static final String ENGLISH = "eng";
  private static final String URL = "http://doctor.invalid/";
  private static final int SENTENCE = 10;

  private final String target;
  private final String language;
  private final String text;

  private TrialPage(String target, String language, String text) {
    this.target = target;
    this.language = language;
    this.text = text;
  }

  /**
   * @param targets ISO 639-1 or ISO 639-3 code of the crawl's language; of several, separated by
   *     commas, the first
   */
  public static TrialPage in(String targets) {
    String target = targets.split(",")[0];
    String code = Languages.threeLetters(target);
    String words = Languages.typicalWords(target);
    return words.isEmpty()
        ? new TrialPage(code, ENGLISH, sentences(Languages.typicalWords(ENGLISH)))
        : new TrialPage(code, code, sentences(words));
  }

  private static String sentences(String words) {
    StringBuilder text = new StringBuilder();
    String[] all = words.split(" ");
    for (int i = 0; i < all.length; i++) {
      text.append(all[i]).append(i + 1 == all.length || (i + 1) % SENTENCE == 0 ? ". " : " ");
    }
    return text.toString();
  }

  /**
   * @return ISO 639-3 code of the crawl's language
   */
  public String target() {
    return target;
  }

  /**
   * @return whether the page is in the crawl's language
   */
  public boolean isInTarget() {
    return language.equals(target);
  }

  /**
   * @return ISO 639-3 code of the page's language
   */
  public String language() {
    return language;
  }

  /**
   * @return an address that no server has
   */
  public String url() {
    return URL;
  }

  /**
   * @return a word of the main text
   */
  public String word() {
    return text.split(" ", 2)[0];
  }

  /**
   * @return the page: UTF-8, two paragraphs of the text
   */
  public byte[] html() {
    String page =
        "<!DOCTYPE html><html><head><meta charset=utf-8><title>"
            + word()
            + "</title></head><body><p>"
            + text
            + text
            + "</p><p>"
            + text
            + text
            + "</p></body></html>";
    return page.getBytes(StandardCharsets.UTF_8);
  }
}
