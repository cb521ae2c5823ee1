package org.corpulyzer.engine;

import java.nio.charset.StandardCharsets;

/**
 * The languages that a user names. The native library has the names, as the command has them. No
 * class that this one loads needs slf4j, because the installer has none.
 */
public final class LanguageNames {

  private LanguageNames() {}

  /**
   * @param names ISO 639 codes, tags such as {@code urd_Arab} or names, with commas between
   * @param hasPacks whether packs may have the models of the languages; otherwise the library must
   * @return their ISO 639-3 codes, sorted, with commas between
   * @throws NativeLibrary.Unavailable if the library does not load
   * @throws CorpulyzerException if one is unknown or ambiguous, or has no model; the message is a
   *     sentence without its full stop, with the nearest names
   */
  public static String codes(String names, boolean hasPacks) {
    NativeLibrary.load("");
    byte[] text = names.getBytes(StandardCharsets.UTF_8);
    Frame answer = Frame.read(Native.languages(hasPacks ? 1 : 0, text));
    String codes = answer.text(Tag.TARGET);
    if (codes == null) {
      throw new CorpulyzerException(String.valueOf(answer.text(Tag.MESSAGE)));
    }
    return codes;
  }
}
