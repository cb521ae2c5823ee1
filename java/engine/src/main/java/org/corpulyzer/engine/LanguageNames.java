package org.corpulyzer.engine;

import java.nio.charset.StandardCharsets;

/**
 * The languages that a user names. The native library has the names, as the command has them. No
 * class that this one loads needs slf4j, because the installer has none.
 */
public final class LanguageNames {

  private LanguageNames() {}

  /** The library has no model of a language that was named. A pack may have one. */
  public static final class NoModel extends CorpulyzerException {
    private final boolean hasAdvice;

    private NoModel(String message, String advice) {
      super(message);
      hasAdvice = !advice.isEmpty();
    }

    /** Whether the message ends with the languages to name instead. */
    public boolean hasAdvice() {
      return hasAdvice;
    }
  }

  /**
   * @param names ISO 639 codes, tags such as {@code urd_Arab} or names, with commas between
   * @param hasPacks whether packs may have the models of the languages; otherwise the library must
   * @return their ISO 639-3 codes, sorted, with commas between
   * @throws NativeLibrary.Unavailable if the library does not load
   * @throws NoModel if the library must have their models and has none of one
   * @throws CorpulyzerException if one is unknown or ambiguous; this message and that of {@link
   *     NoModel} are sentences without their full stops, with the nearest names
   */
  public static String codes(String names, boolean hasPacks) {
    NativeLibrary.load("");
    byte[] text = names.getBytes(StandardCharsets.UTF_8);
    Frame answer = Frame.read(Native.languages(hasPacks ? 1 : 0, text));
    String codes = answer.text(Tag.TARGET);
    String advice = answer.text(Tag.NO_MODEL);
    if (advice != null) {
      throw new NoModel(answer.text(Tag.MESSAGE), advice);
    }
    if (codes == null) {
      throw new CorpulyzerException(String.valueOf(answer.text(Tag.MESSAGE)));
    }
    return codes;
  }
}
