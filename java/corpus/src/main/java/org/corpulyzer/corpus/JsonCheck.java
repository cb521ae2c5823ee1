package org.corpulyzer.corpus;

/**
 * Checks that a text is one JSON value (RFC 8259) without raw surrogates, so that a line of JSON
 * stays one if the value is written into it. Values come from a store that others may write to.
 */
final class JsonCheck {

  /** Deepest nesting of a valid value. The engine's own values have a depth of 3. */
  private static final int MAX_DEPTH = 16;

  private final String text;
  private int at;

  private JsonCheck(String text) {
    this.text = text;
  }

  /**
   * @return whether the text is a JSON value of at most 16 levels, without white space between its
   *     tokens
   */
  static boolean isValue(String text) {
    JsonCheck check = new JsonCheck(text);
    return check.value(0) && check.at == text.length();
  }

  private boolean value(int depth) {
    if (depth > MAX_DEPTH || at >= text.length()) {
      return false;
    }
    switch (text.charAt(at)) {
      case '{':
        return items('}', depth, true);
      case '[':
        return items(']', depth, false);
      case '"':
        return string();
      default:
        return word("true") || word("false") || word("null") || number();
    }
  }

  private boolean items(char end, int depth, boolean named) {
    at++;
    if (next(end)) {
      return true;
    }
    do {
      if (named && !(string() && next(':')) || !value(depth + 1)) {
        return false;
      }
    } while (next(','));
    return next(end);
  }

  private boolean string() {
    if (!next('"')) {
      return false;
    }
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') {
        return true;
      }
      if (c < ' ' || Character.isSurrogate(c) || c == '\\' && !escape()) {
        return false;
      }
    }
    return false;
  }

  private boolean escape() {
    if (at < text.length() && "\"\\/bfnrt".indexOf(text.charAt(at)) >= 0) {
      at++;
      return true;
    }
    boolean isUnit =
        at + 5 <= text.length() && text.substring(at, at + 5).matches("u[0-9a-fA-F]{4}");
    at += 5;
    return isUnit;
  }

  private boolean number() {
    int from = at;
    while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    return text.substring(from, at).matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
  }

  private boolean word(String word) {
    boolean is = text.startsWith(word, at);
    at += is ? word.length() : 0;
    return is;
  }

  private boolean next(char c) {
    boolean is = at < text.length() && text.charAt(at) == c;
    at += is ? 1 : 0;
    return is;
  }
}
