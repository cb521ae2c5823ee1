package org.corpulyzer.embedded.companion;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import crawlercommons.robots.BaseRobotRules;
import crawlercommons.robots.SimpleRobotRules;
import crawlercommons.robots.SimpleRobotRules.RobotRulesMode;
import crawlercommons.robots.SimpleRobotRulesParser;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules of robots.txt for each scheme, host and port (RFC 9309), read by crawler-commons and kept for a day. A host whose
 * robots.txt cannot be had now (no connection, 5xx, 429) is <i>deferred</i>: nothing is fetched from it until the file can be had.
 * 401 and 403 forbid everything, as Nutch has it; any other 4xx permits everything.
 */
final class Robots {
  private static final Logger LOG = LoggerFactory.getLogger(Robots.class);
  /** RFC 9309, 2.5: a parser must read at least this much. */
  private static final int MAX_BYTES = 512 * 1024;
  private static final long DEFERRED_MINUTES = 10;
  /** Shared by the instances that Nutch makes for each job; the proxy is part of the key. */
  private static final Cache<String, BaseRobotRules> RULES =
      CacheBuilder.newBuilder().maximumSize(100_000).expireAfterWrite(1, TimeUnit.DAYS).build();
  private static final Cache<String, BaseRobotRules> DEFERRED =
      CacheBuilder.newBuilder().maximumSize(100_000).expireAfterWrite(DEFERRED_MINUTES, TimeUnit.MINUTES).build();

  private final OkHttpClient client;
  private final String agentName;
  private final String userAgent;
  private final long delayMillis;

  /**
   * @param client the client that pages are fetched with; redirects are followed here
   * @param agentName the name that the rules are matched with
   * @param userAgent the whole User-Agent header
   * @param delayMillis what to wait after robots.txt was requested, since the page is requested from the same host next
   */
  Robots(OkHttpClient client, String agentName, String userAgent, long delayMillis) {
    this.client = client.newBuilder().followRedirects(true).followSslRedirects(true).build();
    this.agentName = agentName;
    this.userAgent = userAgent;
    this.delayMillis = delayMillis;
  }

  BaseRobotRules rules(HttpUrl url) {
    String key = url.scheme() + "://" + url.host() + ":" + url.port() + " " + agentName + " " + client.proxy();
    BaseRobotRules known = RULES.getIfPresent(key);
    if (known == null) {
      known = DEFERRED.getIfPresent(key);
    }
    if (known != null) {
      return known;
    }
    BaseRobotRules rules = fetch(url.newBuilder().encodedPath("/robots.txt").query(null).build());
    (rules.isDeferVisits() ? DEFERRED : RULES).put(key, rules);
    try {
      Thread.sleep(delayMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return rules;
  }

  private BaseRobotRules fetch(HttpUrl robots) {
    Request request = new Request.Builder().url(robots).header("User-Agent", userAgent).build();
    try (Response response = client.newCall(request).execute()) {
      int code = response.code();
      if (code == 200) {
        byte[] content = HttpProtocol.readAtMost(response.body(), MAX_BYTES);
        return new SimpleRobotRulesParser().parseContent(robots.toString(), content, "text/plain", agentName);
      }
      if (code == 401 || code == 403) {
        return new SimpleRobotRules(RobotRulesMode.ALLOW_NONE);
      }
      if (code == 429 || code >= 500) {
        LOG.info("{} answered {}; the host is left alone for now", robots, code);
        return deferred();
      }
      return new SimpleRobotRules(RobotRulesMode.ALLOW_ALL);
    } catch (IOException e) {
      LOG.info("no answer from {}: {}; the host is left alone for now", robots, e.toString());
      return deferred();
    }
  }

  private static BaseRobotRules deferred() {
    SimpleRobotRules rules = new SimpleRobotRules(RobotRulesMode.ALLOW_ALL);
    rules.setDeferVisits(true);
    return rules;
  }
}
