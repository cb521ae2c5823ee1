package org.corpulyzer.install;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code bin/nutch}, changed in one word: the class that its command {@code updatedb} runs. All
 * other bytes are copied, so that restoring the word restores the script, with the changes that the
 * operator made since.
 */
final class NutchScript {
  static final String PLACE = "bin/nutch";

  private NutchScript() {}

  /** The script whose {@code updatedb} scores every host; one that does so already stays. */
  static byte[] adopt(String where, byte[] script, Line line) throws InstallException {
    if (runs(script, line.ourUpdate)) {
      return script;
    }
    if (runs(script, OldNames.UPDATE)) {
      return with(script, OldNames.UPDATE, line.ourUpdate);
    }
    if (!runs(script, line.stockUpdate)) {
      throw new InstallException(
          where
              + " has been changed: it has not, once, a line CLASS="
              + line.stockUpdate
              + " behind the one that asks for "
              + "\"updatedb\"; remove "
              + Installer.SOURCE
              + " from nutch-site.xml, install without --alias-updatedb, and run "
              + line.ourUpdate
              + " instead of updatedb.");
    }
    return with(script, line.stockUpdate, line.ourUpdate);
  }

  /** The script with Nutch's own {@code updatedb}. */
  static byte[] release(byte[] script) {
    byte[] released =
        runs(script, OldNames.UPDATE)
            ? with(script, OldNames.UPDATE, Line.NUTCH1.stockUpdate)
            : script;
    for (Line line : Line.values()) {
      released =
          runs(released, line.ourUpdate)
              ? with(released, line.ourUpdate, line.stockUpdate)
              : released;
    }
    return released;
  }

  static boolean isAdopted(byte[] script, Line line) {
    return script != null && runs(script, line.ourUpdate);
  }

  private static boolean runs(byte[] script, String job) {
    Matcher matcher = line(job).matcher(text(script));
    return matcher.find() && !matcher.find();
  }

  private static byte[] with(byte[] script, String job, String other) {
    return line(job)
        .matcher(text(script))
        .replaceFirst("$1" + other)
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /** {@code elif [ "$COMMAND" = "updatedb" ] ; then}, and on the next line what follows from it. */
  private static Pattern line(String job) {
    return Pattern.compile(
        "(?m)^([^#\\r\\n]*\"updatedb\"[^\\r\\n]*\\r?\\n[ \\t]*CLASS=\"?)"
            + Pattern.quote(job)
            + "(?=\"?[ \\t]*(?:#[^\\n]*)?\\r?$)");
  }

  private static String text(byte[] script) {
    return new String(script, StandardCharsets.ISO_8859_1);
  }
}
