package org.corpulyzer.crawl.companion;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import okhttp3.HttpUrl;
import okhttp3.Response;

/**
 * Pages that stand in front of the page that was asked for: a check whether a browser asks, a
 * consent to cookies, or a log-in. Providers put the scripts of their checks also into pages that
 * are delivered, so a sign counts only on a page with little text and few links. Signs that
 * delivered pages have too, such as the box of a captcha under an article, count only if no text of
 * the page is as long as a paragraph.
 */
enum Wall {
  CHALLENGE(
      "challenge page",
      signs(
          "cdn-cgi/challenge-platform/(?!scripts/jsd)",
          "cdn-cgi/phish-bypass",
          "cf-browser-verification",
          "cf_chl_",
          "challenge-error-text",
          "checking your browser",
          "just a moment\\.\\.\\.",
          "attention required! \\| cloudflare",
          "ddos-guard",
          "_incapsula_resource",
          "incapsula incident",
          "sgcaptcha",
          "captcha-delivery\\.com",
          "px-captcha",
          "/px/captcha",
          "awswafcookiedomainlist",
          "aws-waf-token",
          "awswafintegration",
          "token\\.awswaf\\.com",
          "anubis_challenge",
          "making sure you.{1,6}re not a bot",
          "slowaes",
          "tonumbers\\(",
          "sucuri_cloudproxy_js",
          "sec-if-cpt-container",
          "errors(\\.|&#46;)edgesuite(\\.|&#46;)net",
          "/__qrator/",
          "__arcsjs",
          "arvancloud",
          "enable javascript and cookies to continue",
          "enable js and disable any ad blocker",
          "verifying your browser",
          "verify(ing)? (that )?you(&#39;|'| a)re (a )?(human|not a (ro)?bot)",
          "checkcaptcha",
          "please wait while we verify",
          "browser wird .{1,8}berpr",
          "v.{1,8}rification de votre navigateur",
          "comprobando (su|tu) navegador"),
      signs(
          "g-recaptcha",
          "h-captcha",
          "cf-turnstile",
          "smartcaptcha",
          "frc-captcha",
          "<altcha-widget",
          "mtcaptcha",
          "arkoselabs\\.com",
          "are you a robot",
          "prove (that )?you are (a )?human",
          "document\\.cookie\\s*=[^<]{0,600}location\\s*([.]|=)",
          "location\\.(reload|replace|assign|href\\s*=)[^<]{0,600}document\\.cookie\\s*=",
          "<noscript>[^a-z]{0,40}(<[^>]{1,100}>\\s*)?please turn javascript on")),
  CONSENT(
      "consent page",
      signs(
          "collectconsent",
          "privacy[- ]?gate",
          "cookie-?wall",
          "before you continue to",
          "consent\\.(google|youtube|yahoo)\\.",
          "age-?(gate|verification)",
          "accept (all )?cookies to (continue|proceed|view)"),
      signs(
          "(action|href)=['\"]?[^'\">"
              + " ]{0,200}(consent|accept-?cookie|cookies?/accept|cookie-?consent)",
          "sp_choice_type",
          "wrappermessagingwithoutdetection",
          "didomi-notice-agree",
          "onetrust-accept-btn",
          "we value your privacy",
          // A gate that asks for the year of birth, in any language.
          "(<option[^<>]{0,60}>\\s{0,9}(19|20)[0-9]{2}\\s{0,9}(</option>)?\\s{0,9}){50}")),
  LOG_IN(
      "log-in page",
      signs(
          "(log|sign) ?in to (continue|proceed|view|read|see)",
          "must (be logged in|log in|sign in) to"),
      signs(
          "<input[^>]{0,200}type=['\"]?password",
          "<form[^>]{0,200}action=['\"]?[^'\"> ]{0,200}/(log-?in|sign-?in)\\b"));

  /** A page is looked at so far. */
  static final int LOOKED_AT_BYTES = 128 << 10;

  /** Characters that a wall says at most. Some explain at length why they are there. */
  private static final int MAX_CHARACTERS = 1500;

  /**
   * Characters of a page with a sign that delivered pages have too. Short articles have as many.
   */
  private static final int MAX_WEAK_CHARACTERS = 600;

  /** Characters of one text of such a page. Paragraphs have more. */
  private static final int MAX_RUN = 200;

  private static final int MAX_LINKS = 12;

  /** Elements that a reader does not see. */
  private static final String[] UNSEEN = {
    "script", "style", "noscript", "svg", "template", "head", "select"
  };

  private static final Pattern TITLE = Pattern.compile("(?s)<title[^<>]*>(.{0,300}?)</title");

  private static final Pattern CHALLENGE_TITLE =
      Pattern.compile(
          "just a moment|attention required|checking your browser|ddos-guard|robot check"
              + "|access to this page has been denied|human verification"
              + "|one moment, please|please wait\\.\\.\\.|are you a (ro)?bot|bot verification"
              + "|challenge validation|suspected phishing|you have been blocked"
              + "|you are being redirected|client challenge");

  /** Titles of articles begin so too. */
  private static final Pattern WEAK_CHALLENGE_TITLE =
      Pattern.compile("^\\s*access denied|security check");

  private static final Pattern LOG_IN_TITLE =
      Pattern.compile("^\\s*(log|sign)[ -]?in\\b|^\\s*login\\b");

  /** Where sites send readers who have not consented yet. */
  private static final Pattern CONSENT_PATH =
      Pattern.compile("(?i)/(cookie|gdpr|privacy)?[-_]?(consent|wall|gate)([-_.]?[a-z]{0,9})?/?$");

  private static final Pattern LINK = Pattern.compile("(?i)<a\\s[^<>]*href");

  private final String reason;
  private final List<Pattern> signs;
  private final List<Pattern> weakSigns;

  /**
   * @param signs those of walls alone, in lower case
   * @param weakSigns those that delivered pages have too
   */
  Wall(String reason, List<Pattern> signs, List<Pattern> weakSigns) {
    this.reason = reason;
    this.signs = signs;
    this.weakSigns = weakSigns;
  }

  /** One pattern each, because Java searches fast for what begins with plain text. */
  private static List<Pattern> signs(String... signs) {
    return Arrays.stream(signs).map(Pattern::compile).collect(Collectors.toList());
  }

  private static boolean hasOne(List<Pattern> signs, String html) {
    return signs.stream().anyMatch(sign -> sign.matcher(html).find());
  }

  /** Returns the reason of the row. */
  String reason() {
    return reason;
  }

  /** Returns the kind of wall that a response is by its headers alone, or null. */
  static Wall of(Response response) {
    return "challenge".equalsIgnoreCase(response.header("cf-mitigated"))
            || "challenge".equalsIgnoreCase(response.header("x-amzn-waf-action"))
            || "captcha".equalsIgnoreCase(response.header("x-amzn-waf-action"))
        ? CHALLENGE
        : null;
  }

  /** Returns the kind of wall that an HTML page is, or null. */
  static Wall of(HttpUrl url, byte[] bytes) {
    String page =
        new String(bytes, 0, Math.min(LOOKED_AT_BYTES, bytes.length), StandardCharsets.ISO_8859_1);
    if (hasManyLinks(page)) {
      return null;
    }
    String html = page.toLowerCase(Locale.ROOT);
    Extent extent = new Extent(html);
    if (extent.characters > MAX_CHARACTERS) {
      return null;
    }
    Matcher title = TITLE.matcher(html);
    String name = title.find() ? title.group(1) : "";
    if (CHALLENGE_TITLE.matcher(name).find()) {
      return CHALLENGE;
    }
    for (Wall wall : values()) {
      if (hasOne(wall.signs, html)) {
        return wall;
      }
    }
    if (CONSENT_PATH.matcher(url.encodedPath()).find() && hasOne(CONSENT.weakSigns, html)) {
      return CONSENT;
    }
    if (extent.characters > MAX_WEAK_CHARACTERS || extent.longest > MAX_RUN) {
      return null;
    }
    if (WEAK_CHALLENGE_TITLE.matcher(name).find()) {
      return CHALLENGE;
    }
    if (url.host().startsWith("consent.")) {
      return CONSENT;
    }
    for (Wall wall : values()) {
      if (hasOne(wall.weakSigns, html)) {
        return wall;
      }
    }
    return LOG_IN_TITLE.matcher(name).find() ? LOG_IN : null;
  }

  private static boolean hasManyLinks(String page) {
    int links = 0;
    Matcher found = LINK.matcher(page);
    while (links <= MAX_LINKS && found.find()) {
      links++;
    }
    return links > MAX_LINKS;
  }

  /** How much a reader sees of a page. */
  private static final class Extent {
    /** Characters without white space. */
    private int characters;

    /** Those of the longest text between two tags. */
    private int longest;

    private final String html;

    /** Marks that the page has no more of: none is looked for again, so the time is linear. */
    private final Set<String> over = new HashSet<>();

    Extent(String html) {
      this.html = html;
      int from = 0;
      for (int tag = html.indexOf('<');
          tag >= 0 && characters <= MAX_CHARACTERS;
          tag = html.indexOf('<', from)) {
        add(seen(html, from, tag));
        from = behind(tag);
      }
      add(seen(html, from, html.length()));
    }

    /** The place behind a tag, a comment, or an element that a reader does not see. */
    private int behind(int tag) {
      int end = html.startsWith("<!--", tag) ? end("-->", tag) : -1;
      for (String name : UNSEEN) {
        int next = tag + 1 + name.length();
        if (html.startsWith(name, tag + 1)
            && next < html.length()
            && !Character.isLetterOrDigit(html.charAt(next))) {
          int close = end("</" + name, tag);
          end = close < 0 ? close : end(">", close);
        }
      }
      end = end < 0 ? end(">", tag) : end;
      return end < 0 ? tag + 1 : end;
    }

    /** The place behind the next mark; -1 if there is none. */
    private int end(String mark, int from) {
      int at = over.contains(mark) ? -1 : html.indexOf(mark, from);
      if (at < 0) {
        over.add(mark);
        return -1;
      }
      return at + mark.length();
    }

    private void add(int run) {
      characters += run;
      longest = Math.max(longest, run);
    }
  }

  /** Bytes of UTF-8 after the first of a character do not count. */
  private static int seen(String html, int from, int to) {
    int count = 0;
    for (int i = from; i < to; i++) {
      char c = html.charAt(i);
      count += c > ' ' && (c < 0x80 || c >= 0xc0) ? 1 : 0;
    }
    return count;
  }
}
