package org.corpulyzer.crawl.companion;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import crawlercommons.robots.BaseRobotRules;
import crawlercommons.robots.SimpleRobotRules;
import crawlercommons.robots.SimpleRobotRules.RobotRulesMode;
import crawlercommons.robots.SimpleRobotRulesParser;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules of robots.txt for each scheme, host and port (RFC 9309), read by crawler-commons and kept for a day. 4xx permits everything;
 * so do more redirects than are followed. While robots.txt cannot be had (no connection, 5xx, 429) nothing of the host is fetched; it is
 * asked for again after ten minutes.
 */
final class Robots {
  private static final Logger LOG = LoggerFactory.getLogger(Robots.class);
  /** RFC 9309, 2.5: a parser must read at least 500 KiB. */
  static final int MAX_BYTES = 500 * 1024;
  /** Sitemaps of a host that are given out. */
  private static final int MAX_SITEMAPS = 10;
  private static final long UNAVAILABLE_MINUTES = 10;
  /** The page is requested from the same host next. */
  private static final long LONGEST_PAUSE_MILLIS = 1000;
  /** Shared by the instances that Nutch makes for each job; the proxy is part of the key. */
  private static final Cache<String, Rules> RULES =
      CacheBuilder.newBuilder().maximumSize(100_000).expireAfterWrite(1, TimeUnit.DAYS).build();
  private static final Cache<String, Rules> UNAVAILABLE =
      CacheBuilder.newBuilder().maximumSize(100_000).expireAfterWrite(UNAVAILABLE_MINUTES, TimeUnit.MINUTES).build();

  private final OkHttpClient client;
  private final Set<String> agentNames;
  private final String userAgent;
  private final long pauseMillis;
  private final int maxRedirects;
  private final boolean allowForbidden;

  /**
   * @param client the client that pages are fetched with; it does not follow redirects
   * @param agentNames the names that the rules are matched with, in lower case
   * @param userAgent the whole User-Agent header
   * @param delayMillis the host's delay; up to a second of it passes after robots.txt
   * @param maxRedirects redirects that are followed
   * @param allowForbidden whether 401 and 403 permit everything, as other 4xx do
   */
  Robots(OkHttpClient client, Set<String> agentNames, String userAgent, long delayMillis, int maxRedirects, boolean allowForbidden) {
    this.client = client;
    this.agentNames = agentNames;
    this.userAgent = userAgent;
    pauseMillis = Math.min(delayMillis, LONGEST_PAUSE_MILLIS);
    this.maxRedirects = maxRedirects;
    this.allowForbidden = allowForbidden;
  }

  Rules rules(HttpUrl url) {
    String key = url.scheme() + "://" + url.host() + ":" + url.port() + " " + agentNames + " " + client.proxy();
    Rules known = RULES.getIfPresent(key);
    if (known == null) {
      known = UNAVAILABLE.getIfPresent(key);
    }
    if (known != null) {
      return known;
    }
    Rules rules = fetch(url.newBuilder().encodedPath("/robots.txt").query(null).build());
    (rules.isUnavailable() ? UNAVAILABLE : RULES).put(key, rules);
    try {
      Thread.sleep(pauseMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return rules;
  }

  private Rules fetch(HttpUrl robots) {
    HttpUrl at = robots;
    try {
      for (int redirects = 0; redirects <= maxRedirects; redirects++) {
        Call call = client.newCall(new Request.Builder().url(at).header("User-Agent", userAgent)
            .header("Accept-Encoding", Body.CODINGS).build());
        try (Response response = call.execute()) {
          int code = response.code();
          if (code >= 300 && code < 400 && code != 304) {
            HttpUrl to = HttpProtocol.location(at, response);
            if (to == null) {
              return Rules.of(RobotRulesMode.ALLOW_ALL);
            }
            at = to;
            continue;
          }
          return rules(robots, code, response, call);
        }
      }
      return Rules.of(RobotRulesMode.ALLOW_ALL);
    } catch (IOException e) {
      LOG.info("no answer from {}: {}; nothing of the host is fetched now", at, e.toString());
      return Rules.unavailable();
    }
  }

  private Rules rules(HttpUrl robots, int code, Response response, Call call) throws IOException {
    if (code >= 200 && code < 300) {
      InputStream in = Body.open(response);
      Body body;
      try {
        body = Body.read(in, MAX_BYTES, true);
        if (body.cutReason() != null) {
          call.cancel();
        }
      } finally {
        Body.close(in);
      }
      return new Rules(new SimpleRobotRulesParser().parseContent(robots.toString(), body.bytes(), "text/plain", agentNames), robots);
    }
    if ((code == 401 || code == 403) && !allowForbidden) {
      return Rules.of(RobotRulesMode.ALLOW_NONE);
    }
    if (code == 429 || code >= 500) {
      LOG.info("{} answered {}; nothing of the host is fetched now", robots, code);
      return Rules.unavailable();
    }
    return Rules.of(RobotRulesMode.ALLOW_ALL);
  }

  /** What one robots.txt came to. */
  static final class Rules {
    private final BaseRobotRules rules;
    private final boolean unavailable;
    private final List<String> sitemaps = new ArrayList<>();
    private final AtomicBoolean given = new AtomicBoolean();

    private Rules(BaseRobotRules rules, HttpUrl robots) {
      this.rules = rules;
      unavailable = false;
      for (String sitemap : rules.getSitemaps()) {
        HttpUrl url = robots.resolve(sitemap);
        if (url != null && url.host().equals(robots.host()) && sitemaps.size() < MAX_SITEMAPS) {
          sitemaps.add(url.toString());
        }
      }
    }

    private Rules(RobotRulesMode mode, boolean unavailable) {
      rules = new SimpleRobotRules(mode);
      this.unavailable = unavailable;
    }

    private static Rules of(RobotRulesMode mode) {
      return new Rules(mode, false);
    }

    /** Permits all: the request itself is then answered "retry", so that the row waits as Nutch lets rows wait. */
    private static Rules unavailable() {
      return new Rules(RobotRulesMode.ALLOW_ALL, true);
    }

    BaseRobotRules nutch() {
      return rules;
    }

    /** Returns whether robots.txt cannot be had now, so that nothing may be fetched (RFC 9309, 2.3.1.4). */
    boolean isUnavailable() {
      return unavailable;
    }

    /** Returns sitemaps on the same host, once: empty for all calls but the first. */
    List<String> takeSitemaps() {
      return sitemaps.isEmpty() || given.getAndSet(true) ? Collections.emptyList() : sitemaps;
    }
  }
}
