package org.corpulyzer.install;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The value of {@code plugin.includes}: a regular expression that Nutch matches against whole
 * plugin ids.
 */
final class PluginIncludes {
  static final String KEY = "plugin.includes";
  static final String CORPULYZER = "corpulyzer";

  /** Nutch's link-based score. Beside ours it would multiply the language score away. */
  static final String OPIC = "scoring-opic";

  private PluginIncludes() {}

  /**
   * Takes {@code scoring-opic} out of the expression and puts {@code corpulyzer} in; an expression
   * that is so already stays.
   */
  static String adopt(String expression) throws InstallException {
    String adopted = without(OPIC, expression);
    if (!matches(adopted, CORPULYZER)) {
      adopted = adopted.isEmpty() ? CORPULYZER : adopted + "|" + CORPULYZER;
    }
    return adopted;
  }

  /**
   * Undoes {@link #adopt} on an expression that the operator has changed since. {@code before}
   * states whether it had OPIC.
   */
  static String release(String expression, String before) throws InstallException {
    String released = without(CORPULYZER, expression);
    if (matches(before, OPIC) && !matches(released, OPIC)) {
      released = released.isEmpty() ? OPIC : released + "|" + OPIC;
    }
    return released;
  }

  static boolean matches(String expression, String id) throws InstallException {
    try {
      return Pattern.compile(expression).matcher(id).matches();
    } catch (PatternSyntaxException e) {
      throw new InstallException(
          "plugin.includes in nutch-site.xml is not a regular expression ("
              + e.getDescription()
              + " in \""
              + expression
              + "\"): correct it first.");
    }
  }

  /**
   * Removes the id if it is an alternative of the expression. If a wider alternative matches the
   * id, puts an exclusion before the expression.
   */
  private static String without(String id, String expression) throws InstallException {
    if (!matches(expression, id)) {
      return expression;
    }
    String cut =
        expression
            .replaceAll("\\|" + id + "(?=[|)]|$)", "")
            .replaceAll("(?<=^|\\()" + id + "\\|", "")
            .replaceAll("^" + id + "$", "");
    return matches(cut, id) ? "(?!" + id + "$)(?:" + cut + ")" : cut;
  }
}
