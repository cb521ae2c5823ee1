package org.corpulyzer.crawl.companion;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Set;
import okhttp3.Response;

/**
 * Responses by which a server asks for fewer requests, and the time that it asks for (Retry-After,
 * RFC 9110, 10.2.3).
 */
final class RetryAfter {
  static final String HEADER = "Retry-After";

  /** A longer time is no wish, and is cut. */
  static final long MAX_SECONDS = Duration.ofDays(30).getSeconds();

  /**
   * Too many requests, also in the codes that some services have for it (420, 430, 529, 999);
   * overload; gateways whose servers do not respond.
   */
  private static final Set<Integer> REFUSALS =
      Set.of(420, 429, 430, 502, 503, 504, 509, 520, 521, 522, 523, 524, 529, 530, 999);

  private RetryAfter() {}

  /** Returns whether a status says that the host has no time now. */
  static boolean isRefusal(int code) {
    return REFUSALS.contains(code);
  }

  /** Returns the seconds that a response asks to wait; null if it has no such header. */
  static Long seconds(Response response) {
    String value = response.header(HEADER);
    return value == null ? null : seconds(value.trim(), Instant.now());
  }

  static Long seconds(String value, Instant now) {
    if (value.matches("[0-9]+([.][0-9]+)?")) {
      String whole = value.split("[.]")[0];
      return whole.length() > 9 ? MAX_SECONDS : Math.min(MAX_SECONDS, Long.parseLong(whole));
    }
    try {
      Instant then = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      return Math.max(0, Math.min(MAX_SECONDS, Duration.between(now, then).getSeconds()));
    } catch (DateTimeParseException e) {
      return null;
    }
  }
}
