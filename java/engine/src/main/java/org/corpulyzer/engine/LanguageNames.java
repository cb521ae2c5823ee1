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
   * @param hasPacks whether a tag may name a script that only language packs have
   * @return their ISO 639-3 codes, sorted, with commas between
   * @throws NativeLibrary.Unavailable if the library does not load
   * @throws CorpulyzerException if one is unknown or ambiguous; the message is a sentence without
   *     its full stop, with the nearest names
   */
  public static String codes(String names, boolean hasPacks) {
    NativeLibrary.load("");
    return target(Native.languages(hasPacks ? 1 : 0, names.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Checks that the library can count languages without packs.
   *
   * @param codes as {@link #codes} returns them
   * @throws CorpulyzerException if it cannot count one of them; the message is a sentence without
   *     its full stop
   */
  public static void requireModels(String codes) {
    NativeLibrary.load("");
    target(Native.configure(("{\"target\":\"" + codes + "\"}").getBytes(StandardCharsets.UTF_8)));
  }

  private static String target(byte[] answer) {
    Frame frame = Frame.read(answer);
    String target = frame.text(Tag.TARGET);
    if (target == null) {
      throw new CorpulyzerException(String.valueOf(frame.text(Tag.MESSAGE)));
    }
    return target;
  }
}
