package org.corpulyzer.crawl.companion;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;

/**
 * Recognizes HTML pages that show their text by scripts alone: they have scripts, hardly any text,
 * and an element that scripts fill or a note that asks for JavaScript. Takes linear time.
 */
final class NeedsScript {
  /** The decision about such a page. */
  static final String DECISION = "reject needs_script";

  /** A page is looked at so far. Some have their data in front of the text. */
  private static final int LOOKED_AT_BYTES = 1 << 20;

  /** Characters of text besides the note. The shortest articles have as many. */
  private static final int MAX_CHARACTERS = 250;

  /** Characters of a page without any sign but its scripts. */
  private static final int MAX_BARE_CHARACTERS = 20;

  /** Characters of a page with an empty element that a script may fill. */
  private static final int MAX_EMPTY_CHARACTERS = 100;

  private static final String[] UNSEEN = {
    "script", "style", "noscript", "svg", "template", "head", "title"
  };

  private static final String NOTE = "noscript";

  private static final int MAX_NOTE = 2000;

  /** Characters of a note without its tags. Images and frames that count visits have none. */
  private static final int MIN_NOTE_CHARACTERS = 20;

  /** Most languages write the name in Latin letters. */
  private static final Pattern SCRIPT_NAME = Pattern.compile("java ?script");

  private static final Pattern EMPTY =
      Pattern.compile("<(div|main|section)\\s([^>]{0,200}\\s)?id=[^>]{1,200}>\\s*</\\1\\s*>");

  private static final Pattern SIGN =
      Pattern.compile(
          "<(div|main|section|body|span)\\s[^>]{0,200}\\bid=['\"]?(root|app|__next|__nuxt|___gatsby"
              + "|svelte|sapper|react-root|react-app|app-root|main-app|mount|application|q-app"
              + "|vue-app|ember[0-9]*|spa|container-app)['\"\\s>]"
              + "|<[a-z]{1,30}-(app|root)[\\s>]|<flt-glass-pane|<[^>]{1,300}\\s(ng-app|ng-version|data-reactroot"
              + "|data-v-app|data-server-rendered=['\"]?false)\\b");

  /** A script that goes to another page, as home pages do that choose a language. */
  private static final Pattern NEXT =
      Pattern.compile(
          "\\blocation(?:\\.href)?\\s{0,9}(?:=|\\.(?:replace|assign)\\s{0,9}\\()\\s{0,9}"
              + "(?:\"([^\"<>\\s]{1,1000})\"|'([^'<>\\s]{1,1000})')\\s{0,9}(?=[;)}\\n]|</)");

  private NeedsScript() {}

  /**
   * Returns the page to which the first such script of a page goes; null if there is none.
   *
   * @param page its bytes
   * @param url its URL
   */
  static String next(byte[] page, String url) {
    String html =
        new String(page, 0, Math.min(LOOKED_AT_BYTES, page.length), StandardCharsets.UTF_8);
    Matcher next = NEXT.matcher(html);
    HttpUrl base = HttpUrl.parse(url);
    if (base == null || !next.find()) {
      return null;
    }
    String to = next.group(1) == null ? next.group(2) : next.group(1);
    HttpUrl found = base.resolve(to.replace("\\/", "/"));
    return found == null ? null : found.toString();
  }

  /** Returns whether a page has no text of its own. Its bytes may be in any superset of ASCII. */
  static boolean is(byte[] page) {
    String html =
        new String(page, 0, Math.min(LOOKED_AT_BYTES, page.length), StandardCharsets.ISO_8859_1)
            .toLowerCase(Locale.ROOT);
    int script = html.indexOf("<script");
    if (script < 0) {
      return false;
    }
    StringBuilder seen = new StringBuilder();
    int characters = characters(html, MAX_CHARACTERS, seen);
    return characters <= MAX_BARE_CHARACTERS && !html.contains("<frameset")
        || characters <= MAX_EMPTY_CHARACTERS && (EMPTY.matcher(html).find() || hasNote(html))
        || characters <= MAX_CHARACTERS
            && (SIGN.matcher(html).find() || SCRIPT_NAME.matcher(seen).find());
  }

  /** Returns whether a page has a text for readers without scripts, in whatever language. */
  private static boolean hasNote(String html) {
    int close;
    for (int at = html.indexOf('<' + NOTE); at >= 0; at = html.indexOf('<' + NOTE, close)) {
      int open = behind(html, ">", at);
      close = html.indexOf("</" + NOTE, open);
      if (close < 0) {
        return false;
      }
      String note = html.substring(open, Math.min(close, open + MAX_NOTE));
      if (characters(note, MIN_NOTE_CHARACTERS, new StringBuilder()) > MIN_NOTE_CHARACTERS) {
        return true;
      }
    }
    return false;
  }

  /**
   * Counts the characters of the text that a reader without JavaScript sees, without white space.
   *
   * @param most the count may stop behind it
   * @param seen takes the text, and that of notes for such readers
   */
  static int characters(String html, int most, StringBuilder seen) {
    int count = 0;
    int at = 0;
    while (at < html.length() && count <= most) {
      char c = html.charAt(at);
      if (c == '<') {
        int end = behindTag(html, at);
        if (html.startsWith(NOTE, at + 1)) {
          seen.append(html, at, Math.min(end, at + MAX_NOTE));
        }
        at = end;
      } else {
        // Bytes of UTF-8 after the first of a character do not count.
        count += c > ' ' && (c < 0x80 || c >= 0xc0) ? 1 : 0;
        if (c > ' ' || seen.length() > 0 && seen.charAt(seen.length() - 1) > ' ') {
          seen.append(c);
        }
        at++;
      }
    }
    return count;
  }

  /** Returns the place behind a comment, a tag, or an element whose text is not shown. */
  private static int behindTag(String html, int at) {
    if (html.startsWith("<!--", at)) {
      return behind(html, "-->", at + 4);
    }
    for (String name : UNSEEN) {
      int end = at + 1 + name.length();
      if (html.startsWith(name, at + 1)
          && end < html.length()
          && !Character.isLetterOrDigit(html.charAt(end))
          && html.charAt(end) != '-') {
        return behind(html, ">", behind(html, "</" + name, end));
      }
    }
    return behind(html, ">", at);
  }

  private static int behind(String html, String end, int from) {
    int found = html.indexOf(end, from);
    return found < 0 ? html.length() : found + end.length();
  }
}
