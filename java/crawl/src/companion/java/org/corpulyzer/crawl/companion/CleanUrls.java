package org.corpulyzer.crawl.companion;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Different spellings of one URL: percent codes (RFC 3986, 6.2.2), and the parameters that sites
 * add for a visitor (session ids) or for the way of a visitor (campaigns, clicks). A parameter is
 * left out by its name alone if no site uses the name for anything else, and otherwise only if its
 * value looks drawn at random.
 */
final class CleanUrls {
  /** Session ids and tracking parameters, in lower case. */
  private static final Set<String> NAMES =
      Set.of(
          "phpsessid",
          "phpsession",
          "jsessionid",
          "aspsessionid",
          "asp.net_sessionid",
          "sessionid",
          "session_id",
          "sessid",
          "cfid",
          "cftoken",
          "zenid",
          "oscsid",
          "osadcid",
          "xtcsid",
          "xoopssid",
          "fbclid",
          "gclid",
          "gclsrc",
          "dclid",
          "gbraid",
          "wbraid",
          "msclkid",
          "yclid",
          "twclid",
          "ttclid",
          "igshid",
          "igsh",
          "mc_cid",
          "mc_eid",
          "_hsenc",
          "_hsmi",
          "__hssc",
          "__hstc",
          "__hsfp",
          "hsctatracking",
          "mkt_tok",
          "_ga",
          "_gl",
          "_openstat",
          "vero_id",
          "vero_conv",
          "oly_anon_id",
          "oly_enc_id",
          "wickedid",
          "srsltid",
          "ga_source",
          "ga_medium",
          "ga_campaign",
          "ga_term",
          "ga_content",
          "yadclid",
          "rb_clickid",
          "s_cid",
          "piwik_campaign",
          "piwik_kwd",
          "mtm_source",
          "mtm_medium",
          "mtm_campaign",
          "mtm_keyword",
          "mtm_content",
          "mtm_cid",
          "mtm_group",
          "mtm_placement",
          "pk_campaign",
          "pk_kwd",
          "pk_source",
          "pk_medium",
          "pk_content",
          "at_medium",
          "at_campaign",
          "spm",
          "jsessionidsso",
          "sess_id",
          "session-id",
          "bv_sessionid",
          "bv_engineid",
          "fb_action_ids",
          "fb_action_types",
          "fb_source",
          "fb_ref",
          "mibextid",
          "gad_source",
          "gad_campaignid",
          "li_fat_id",
          "epik",
          "sfnsn",
          "_branch_match_id",
          "_branch_referrer",
          "ref_src",
          "ref_url",
          "__twitter_impression",
          "wt_mc",
          "wt_zmc",
          "s_kwcid",
          "ef_id",
          "dm_i",
          "trk_contact",
          "trk_msg",
          "trk_module",
          "trk_sid",
          "sc_campaign",
          "cmpid",
          "ncid",
          "icid",
          "xtor",
          "guccounter",
          "guce_referrer",
          "guce_referrer_sig",
          "nr_email_referer");

  /** Names with which many sites also number articles. */
  private static final Set<String> NAMES_OF_RANDOM =
      Set.of("sid", "s", "session", "sess", "ssid", "phpsid", "token", "osid", "suid", "psid");

  /** A session id: at least 16 letters and digits, both of them, or 32 hexadecimal digits. */
  private static final Pattern RANDOM =
      Pattern.compile(
          "(?=[^0-9]*[0-9])(?=[^A-Za-z]*[A-Za-z])(\\{|%7B)?[A-Za-z0-9_,-]{16,128}(\\}|%7D)?"
              + "|[0-9A-Fa-f]{32,128}");

  /** Names that begin so, in lower case. */
  private static final List<String> PREFIXES =
      List.of("utm_", "hsa_", "matomo_", "at_custom", "__cf_chl_", "aspsessionid");

  /** A session id as a parameter of the path, also before another one. */
  private static final Pattern PATH_SESSION =
      Pattern.compile(";(?:jsessionid|phpsessid|sessionid|sid)=[^;/]*", Pattern.CASE_INSENSITIVE);

  /** A session id of ASP.NET in a segment of its own. */
  private static final Pattern SEGMENT_SESSION =
      Pattern.compile("/\\([A-Za-z]\\([A-Za-z0-9_-]{20,}\\)\\)(?=/)");

  private static final String HEX = "0123456789ABCDEF";

  private CleanUrls() {}

  /** Writes percent codes in upper case, and unreserved characters as they are. */
  static String percentCodes(String encoded) {
    int at = encoded.indexOf('%');
    if (at < 0) {
      return encoded;
    }
    StringBuilder one = new StringBuilder(encoded.length());
    int copied = 0;
    for (; at >= 0 && at + 2 < encoded.length(); at = encoded.indexOf('%', at + 1)) {
      int high = Character.digit(encoded.charAt(at + 1), 16);
      int low = Character.digit(encoded.charAt(at + 2), 16);
      if (high >= 0 && low >= 0) {
        one.append(encoded, copied, at);
        char c = (char) (high << 4 | low);
        if (isUnreserved(c)) {
          one.append(c);
        } else {
          one.append('%').append(HEX.charAt(high)).append(HEX.charAt(low));
        }
        copied = at + 3;
      }
    }
    return one.append(encoded, copied, encoded.length()).toString();
  }

  private static boolean isUnreserved(char c) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || c == '-'
        || c == '.'
        || c == '_'
        || c == '~';
  }

  /** Returns a path without session ids. */
  static String path(String encoded) {
    String path = encoded.indexOf(';') < 0 ? encoded : PATH_SESSION.matcher(encoded).replaceAll("");
    return path.indexOf('(') < 0 ? path : SEGMENT_SESSION.matcher(path).replaceAll("");
  }

  /**
   * Returns a query without session ids and tracking parameters; null if nothing else is in it.
   *
   * @param encoded a query, or null
   */
  static String query(String encoded) {
    if (encoded == null) {
      return null;
    }
    String left =
        Arrays.stream(encoded.split("&", -1))
            .map(CleanUrls::withoutVisitor)
            .filter(part -> part != null)
            .collect(Collectors.joining("&"));
    return left.length() == encoded.length() ? encoded : left.isEmpty() ? null : left;
  }

  /** Some sites separate parameters by semicolons (HTML 4.01, B.2.2). */
  private static String withoutVisitor(String part) {
    if (part.indexOf(';') < 0) {
      return isOfVisitor(part) ? null : part;
    }
    String left =
        Arrays.stream(part.split("(?<!^amp|&amp);", -1))
            .filter(parameter -> !isOfVisitor(parameter))
            .collect(Collectors.joining(";"));
    return left.isEmpty() ? null : left;
  }

  private static boolean isOfVisitor(String parameter) {
    int equals = parameter.indexOf('=');
    String name =
        (equals < 0 ? parameter : parameter.substring(0, equals)).toLowerCase(Locale.ROOT);
    // Links that were escaped twice have names such as amp;utm_source.
    String bare = name.startsWith("amp;") ? name.substring("amp;".length()) : name;
    return NAMES.contains(bare)
        || PREFIXES.stream().anyMatch(bare::startsWith)
        || NAMES_OF_RANDOM.contains(bare)
            && equals >= 0
            && RANDOM.matcher(parameter.substring(equals + 1)).matches();
  }
}
