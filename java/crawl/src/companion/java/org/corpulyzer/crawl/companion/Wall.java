package org.corpulyzer.crawl.companion;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;
import okhttp3.Response;

/**
 * Pages that stand in front of the page that was asked for: a check whether a browser asks, a
 * consent to cookies, or a log-in. Providers put the scripts of their checks also into pages that
 * are delivered, so a sign counts only on a page with hardly any text and few links.
 */
enum Wall {
  CHALLENGE(
      "challenge page",
      "cdn-cgi/challenge-platform|cf-browser-verification|cf_chl_|checking your browser|just a"
          + " moment\\.\\.\\.|attention required! \\|"
          + " cloudflare|ddos-guard|_incapsula_resource|incapsula"
          + " incident|sgcaptcha|captcha-delivery\\.com|px-captcha|awswafcookiedomainlist|aws-waf-token|anubis_challenge|making"
          + " sure you&#39;re not a bot|slowaes|toNumbers\\(|sucuri_cloudproxy_js|enable javascript"
          + " and cookies to continue|verify(ing)? (that )?you are (a )?human|are you a"
          + " robot|g-recaptcha|h-captcha|cf-turnstile|smartcaptcha|checkcaptcha|please wait while"
          + " we verify"),
  CONSENT(
      "consent page",
      "collectconsent|privacy-?gate|cookie-?wall|action=['\"]?[^'\"> ]{0,200}consent"
          + "|before you continue to|consent\\.(google|youtube|yahoo)\\."
          + "|accept (all )?cookies to (continue|proceed|view)"),
  LOG_IN("log-in page", "<input[^>]{0,200}type=['\"]?password");

  /** A page is looked at so far. */
  private static final int LOOKED_AT_BYTES = 128 << 10;

  /** Characters that a wall says at most. The shortest articles have as many. */
  private static final int MAX_CHARACTERS = 600;

  private static final int MAX_LINKS = 12;

  private static final Pattern UNSEEN =
      Pattern.compile(
          "(?s)<!--.*?-->|<(script|style|noscript|svg|template|head)\\b.*?</\\1\\s*>|<[^>]*>");

  private static final Pattern TITLE = Pattern.compile("(?s)<title[^>]*>(.{0,300}?)</title");

  private static final Pattern CHALLENGE_TITLE =
      Pattern.compile(
          "just a moment|attention required|checking your browser|ddos-guard|robot check"
              + "|access to this page has been denied|human verification|security check"
              + "|one moment, please|please wait\\.\\.\\.|are you a (ro)?bot|bot verification");

  private static final Pattern LINK = Pattern.compile("<a\\s[^>]*href");

  private final String reason;
  private final Pattern signs;

  Wall(String reason, String signs) {
    this.reason = reason;
    this.signs = Pattern.compile(signs, Pattern.CASE_INSENSITIVE);
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
    String html =
        new String(bytes, 0, Math.min(LOOKED_AT_BYTES, bytes.length), StandardCharsets.ISO_8859_1)
            .toLowerCase(Locale.ROOT);
    Matcher title = TITLE.matcher(html);
    boolean isTitled = title.find() && CHALLENGE_TITLE.matcher(title.group(1)).find();
    Wall found = isTitled ? CHALLENGE : url.host().startsWith("consent.") ? CONSENT : null;
    for (Wall wall : values()) {
      if (found == null && wall.signs.matcher(html).find()) {
        found = wall;
      }
    }
    return found != null && isBare(html) ? found : null;
  }

  private static boolean isBare(String html) {
    Matcher links = LINK.matcher(html);
    for (int count = 0; links.find(); count++) {
      if (count == MAX_LINKS) {
        return false;
      }
    }
    int characters = 0;
    int from = 0;
    for (Matcher unseen = UNSEEN.matcher(html); unseen.find(); from = unseen.end()) {
      characters += seen(html, from, unseen.start());
      if (characters > MAX_CHARACTERS) {
        return false;
      }
    }
    return characters + seen(html, from, html.length()) <= MAX_CHARACTERS;
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
