package org.corpulyzer.crawl.companion;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import okhttp3.Cookie;
import okhttp3.HttpUrl;
import okhttp3.Response;

/**
 * Cookies that redirects set, for hosts that show a page only to those who send them back. They are
 * in memory alone, sent to the host that set them, and forgotten after half an hour. Cookies of
 * pages are ignored.
 */
final class SessionCookies {
  /** Whether cookies of redirects are sent back. Default false. */
  static final String ENABLED = "corpulyzer.crawl.cookies";

  /** Redirects of a host that are followed at once, because one of them set a cookie. */
  static final int MAX_REDIRECTS = 5;

  private static final int MAX_HOSTS = 10_000;
  private static final int MAX_COOKIES = 20;
  private static final int MAX_CHARACTERS = 4096;

  private final Cache<String, List<Cookie>> byHost =
      CacheBuilder.newBuilder()
          .maximumSize(MAX_HOSTS)
          .expireAfterWrite(30, TimeUnit.MINUTES)
          .build();

  /** Returns the value of the header Cookie for a request; null if there are none. */
  String header(HttpUrl url) {
    List<Cookie> known = byHost.getIfPresent(url.host());
    String header =
        known == null
            ? ""
            : known.stream()
                .filter(cookie -> cookie.matches(url))
                .filter(cookie -> cookie.expiresAt() > System.currentTimeMillis())
                .map(cookie -> cookie.name() + "=" + cookie.value())
                .collect(Collectors.joining("; "));
    return header.isEmpty() ? null : header;
  }

  /**
   * Takes the cookies of a redirect.
   *
   * @return whether it set one
   */
  boolean take(HttpUrl url, Response response) {
    List<Cookie> set = new ArrayList<>();
    for (Cookie cookie : Cookie.parseAll(url, response.headers())) {
      if (cookie.name().length() + cookie.value().length() <= MAX_CHARACTERS) {
        set.add(cookie);
      }
    }
    if (set.isEmpty()) {
      return false;
    }
    byHost.asMap().merge(url.host(), set, SessionCookies::join);
    return true;
  }

  /** Later cookies replace those of their name, domain and path. The last ones are kept. */
  private static List<Cookie> join(List<Cookie> known, List<Cookie> set) {
    List<Cookie> all = new ArrayList<>(known);
    for (Cookie cookie : set) {
      all.removeIf(
          other ->
              other.name().equals(cookie.name())
                  && other.domain().equals(cookie.domain())
                  && other.path().equals(cookie.path()));
      all.add(cookie);
    }
    return new ArrayList<>(all.subList(Math.max(0, all.size() - MAX_COOKIES), all.size()));
  }
}
