package org.corpulyzer.corpus;

import java.util.regex.Pattern;

/**
 * Cells of tab-separated tables, in the syntax of the command's tables: that of RFC 4180 with tabs
 * instead of commas. No cell has a tab or the end of a line.
 */
public final class TableCell {
  /** Characters that separate cells or lines, or control terminals or spreadsheets. */
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\u2028\\u2029]");

  /** After white space and apostrophes, the sign of a formula, in ASCII or in full width. */
  private static final Pattern FORMULA = Pattern.compile("(?U)\\s*'*[=+\\-@＝＋－＠].*");

  private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9.]*[0-9][0-9.]*");

  private TableCell() {}

  /**
   * @return the text as a cell: each control character becomes a space, a text that a spreadsheet
   *     may run as a formula gets an apostrophe before it, and one that holds a quote is enclosed
   *     in quotes
   */
  public static String of(String text) {
    String line = CONTROL.matcher(text).replaceAll(" ");
    String guarded =
        FORMULA.matcher(line).matches() && !NUMBER.matcher(line).matches() ? "'" + line : line;
    return guarded.indexOf('"') < 0 ? guarded : '"' + guarded.replace("\"", "\"\"") + '"';
  }
}
