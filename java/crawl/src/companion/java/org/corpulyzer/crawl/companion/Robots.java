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
import java.util.function.Predicate;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.Request;
import okhttp3.Response;
import org.apache.nutch.protocol.Content;
import org.corpulyzer.engine.UsageRules;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules of robots.txt for each scheme, host and port (RFC 9309), read by crawler-commons and
 * kept for a day. A status of 4xx permits everything, and so do too many redirects. While
 * robots.txt cannot be had (no connection, 5xx, 429) nothing of the host is fetched; it is asked
 * for again after ten minutes.
 */
final class Robots {
  private static final Logger LOG = LoggerFactory.getLogger(Robots.class);

  /** RFC 9309, 2.5: a parser must read at least 500 KiB. */
  static final int MAX_BYTES = 500 * 1024;

  /** Faults of a file that are logged. */
  private static final int MAX_WARNINGS = 5;

  /** Sitemaps of a host that are given out. A page of the host has them among its links. */
  private static final int MAX_SITEMAPS = 100;

  private static final long UNAVAILABLE_MINUTES = 10;

  /** Most seconds for the file of reservations, which most hosts lack. */
  private static final int USAGE_SECONDS = 10;

  /** The page is requested from the same host next. */
  private static final long LONGEST_PAUSE_MILLIS = 1000;

  /**
   * Shared by the instances that Nutch makes for each job; the proxy is part of the key. All rules
   * together take an eighth of the heap at most: a file of 500 KiB becomes objects of some MB.
   */
  private static final Cache<String, Rules> RULES =
      CacheBuilder.newBuilder()
          // In one segment, so that the rules that were not used for the longest time leave first:
          // of four, one with many large files would forget while the others have room.
          .concurrencyLevel(1)
          .maximumWeight(Runtime.getRuntime().maxMemory() / 8)
          .weigher((String key, Rules rules) -> rules.weight)
          .expireAfterWrite(1, TimeUnit.DAYS)
          .build();

  private static final Cache<String, Rules> UNAVAILABLE =
      CacheBuilder.newBuilder()
          .maximumSize(100_000)
          .expireAfterWrite(UNAVAILABLE_MINUTES, TimeUnit.MINUTES)
          .build();

  private final Clients client;
  private final IpGate.Door door;
  private final Predicate<String> permitted;
  private final Set<String> agentNames;
  private final String userAgent;
  private final long pauseMillis;
  private final int maxRedirects;
  private final boolean allowForbidden;
  private final Files files;

  /** Makes a stored file of a response. */
  interface Files {
    /**
     * @param url the URL that was asked for, before redirects
     */
    Content file(HttpUrl url, Response response, Body body);
  }

  /**
   * @param client the client that pages are fetched with; it does not follow redirects
   * @param door waits until the IP address of a host may be asked
   * @param permitted whether a host may be asked, by the operator's lists
   * @param agentNames the names that the rules are matched with, in lower case
   * @param userAgent the whole User-Agent header
   * @param delayMillis the host's delay; up to a second of it passes after robots.txt
   * @param maxRedirects redirects that are followed
   * @param allowForbidden whether 401 and 403 permit everything, as other 4xx do
   * @param files makes the files with rules on usage; null if they are not read
   */
  Robots(
      Clients client,
      IpGate.Door door,
      Predicate<String> permitted,
      Set<String> agentNames,
      String userAgent,
      long delayMillis,
      int maxRedirects,
      boolean allowForbidden,
      Files files) {
    this.files = files;
    this.client = client;
    this.door = door;
    this.permitted = permitted;
    this.agentNames = agentNames;
    this.userAgent = userAgent;
    pauseMillis = Math.min(delayMillis, LONGEST_PAUSE_MILLIS);
    this.maxRedirects = maxRedirects;
    this.allowForbidden = allowForbidden;
  }

  /**
   * Forgets the rules of hosts with a port: a server that a test starts may get the port of an
   * earlier one, and its rules.
   */
  static void forget(int port) {
    for (Cache<String, Rules> rules : List.of(RULES, UNAVAILABLE)) {
      rules.asMap().keySet().removeIf(key -> key.contains(":" + port));
    }
  }

  Rules rules(HttpUrl url) {
    String key =
        url.scheme()
            + "://"
            + url.host()
            + ":"
            + url.port()
            + " "
            + agentNames
            + " "
            + client.route();
    Rules known = RULES.getIfPresent(key);
    if (known == null) {
      known = UNAVAILABLE.getIfPresent(key);
    }
    if (known != null) {
      return known;
    }
    Rules rules;
    try {
      if (!door.enter(url.host())) {
        return Rules.unavailable(IpGate.BUSY);
      }
      rules = fetch(url.newBuilder().encodedPath("/robots.txt").query(null).build());
      readUsage(rules, url.newBuilder().encodedPath(UsageRules.TDM_PATH).query(null).build());
    } catch (IOException | RuntimeException e) {
      rules = Rules.unavailable(Failures.message(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Rules.unavailable("interrupted");
    }
    (rules.isUnavailable() ? UNAVAILABLE : RULES).put(key, rules);
    try {
      Thread.sleep(pauseMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return rules;
  }

  private Rules fetch(HttpUrl robots) {
    try {
      Rules rules = follow(robots, 0, (response, call) -> rules(robots, response, call));
      return rules == null ? Rules.of(RobotRulesMode.ALLOW_ALL) : rules;
    } catch (RefusedException e) {
      return Rules.unavailable(e.getMessage());
    } catch (IOException | RuntimeException e) {
      LOG.info("no answer from {}: {}; no page of the host is fetched now", robots, e.toString());
      return Rules.unavailable(Failures.message(e));
    }
  }

  /**
   * Asks a host whose robots.txt permits it for its reservations, right after that file, because
   * each second of a pause would hold the threads of all hosts. A host that does not answer this
   * request has none.
   */
  private void readUsage(Rules rules, HttpUrl tdm) throws InterruptedException {
    if (files == null || rules.isUnavailable()) {
      return;
    }
    Content file = null;
    if (rules.nutch().isAllowed(tdm.toString())) {
      try {
        file =
            door.enter(tdm.host())
                ? follow(tdm, USAGE_SECONDS, (answer, call) -> file(tdm, answer))
                : null;
      } catch (IOException | RuntimeException e) {
        LOG.info("no {}: {}", tdm, e.toString());
      }
    }
    rules.setUsage(HostRules.of(rules.file, file));
  }

  private Content file(HttpUrl asked, Response response) throws IOException {
    if (response.code() != 200) {
      return null;
    }
    InputStream in = Body.open(response, UsageRules.MAX_BYTES + 1);
    try (Body body = Body.read(in, UsageRules.MAX_BYTES + 1, true)) {
      return body.cutReason() == null ? files.file(asked, response, body) : null;
    } finally {
      Body.close(in);
    }
  }

  /** Reads the response at the end of the redirects. */
  private interface Reader<T> {
    T read(Response response, Call call) throws IOException;
  }

  /** A redirect leads where the crawl may not go. */
  private static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    RefusedException(String message) {
      super(message);
    }
  }

  /**
   * @param seconds most time of a request; 0 for that of pages
   * @return null after too many redirects, or one to nowhere
   */
  private <T> T follow(HttpUrl from, int seconds, Reader<T> reader) throws IOException {
    HttpUrl at = from;
    for (int redirects = 0; redirects <= maxRedirects; redirects++) {
      Call call =
          client.newCall(
              new Request.Builder()
                  .url(at)
                  .header("User-Agent", userAgent)
                  .header("Accept-Encoding", Body.CODINGS)
                  .build());
      if (seconds > 0) {
        call.timeout().timeout(seconds, TimeUnit.SECONDS);
      }
      try (Response response = call.execute()) {
        int code = response.code();
        if (code < 300 || code >= 400 || code == 304) {
          return reader.read(response, call);
        }
        HttpUrl to = HttpProtocol.location(at, response);
        if (to == null) {
          return null;
        }
        String refusal = refusal(at, to);
        if (refusal != null) {
          throw new RefusedException(refusal);
        }
        at = to;
      }
    }
    return null;
  }

  /**
   * Waits until the target of a redirect may be asked, as before any other request.
   *
   * @return why it may not; null if it may
   */
  private String refusal(HttpUrl from, HttpUrl to) throws IOException {
    if (from.host().equals(to.host())) {
      return null;
    }
    if (!permitted.test(to.host())) {
      return "robots.txt is on a host that --allow or --deny leaves out: " + to.host();
    }
    try {
      return door.enter(to.host()) ? null : IpGate.BUSY;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  private Rules rules(HttpUrl robots, Response response, Call call) throws IOException {
    int code = response.code();
    if (code >= 200 && code < 300) {
      InputStream in = Body.unpacked(Body.open(response, MAX_BYTES));
      // A file that breaks off is a host that cannot be reached (RFC 9309, 2.3.1.4): the rules that
      // are missing may be those that forbid.
      try (Body body = Body.read(in, MAX_BYTES, false)) {
        if (body.cutReason() != null) {
          call.cancel();
        }
        if (Body.NO_MEMORY.equals(body.cutReason())) {
          return Rules.unavailable("too many large pages at a time");
        }
        Content file = files == null ? null : files.file(robots, response, body);
        return new Rules(
            // The fetcher rejects delays that are too long (fetcher.max.crawl.delay).
            new SimpleRobotRulesParser(Long.MAX_VALUE, MAX_WARNINGS)
                .parseContent(
                    robots.toString(), RobotsText.bounded(body.bytes()), "text/plain", agentNames),
            robots,
            body.bytes().length,
            file);
      } finally {
        Body.close(in);
      }
    }
    if ((code == 401 || code == 403) && !allowForbidden) {
      return Rules.of(RobotRulesMode.ALLOW_NONE);
    }
    if (code == 429 || code >= 500) {
      LOG.info("{} answered {}; no page of the host is fetched now", robots, code);
      return Rules.unavailable("HTTP " + code);
    }
    return Rules.of(RobotRulesMode.ALLOW_ALL);
  }

  /** The rules of one robots.txt. */
  static final class Rules {
    /** Key, objects and an entry of the cache. */
    private static final int MIN_WEIGHT = 500;

    /** A rule of 12 bytes is an object of some 80. */
    private static final int WEIGHT_OF_BYTE = 7;

    private final BaseRobotRules rules;
    private final boolean isFile;
    private final String failure;
    private final List<String> sitemaps = new ArrayList<>();
    private final AtomicBoolean given = new AtomicBoolean();

    /** Estimated bytes in memory. */
    private int weight;

    /** robots.txt itself, until {@link #setUsage}. */
    private Content file;

    private HostRules usage = HostRules.none();

    private Rules(BaseRobotRules rules, HttpUrl robots, int bytes, Content file) {
      this.rules = rules;
      this.file = file;
      isFile = true;
      weight = MIN_WEIGHT + WEIGHT_OF_BYTE * bytes;
      failure = null;
      List<String> elsewhere = new ArrayList<>();
      for (String sitemap : rules.getSitemaps()) {
        HttpUrl url = robots.resolve(sitemap);
        if (url != null) {
          (url.host().equals(robots.host()) ? sitemaps : elsewhere).add(url.toString());
        }
      }
      sitemaps.addAll(elsewhere);
      if (sitemaps.size() > MAX_SITEMAPS) {
        LOG.warn("{} names {} sitemaps; {} are read", robots, sitemaps.size(), MAX_SITEMAPS);
      }
      sitemaps.subList(Math.min(MAX_SITEMAPS, sitemaps.size()), sitemaps.size()).clear();
    }

    private Rules(RobotRulesMode mode, String failure) {
      isFile = false;
      rules = new SimpleRobotRules(mode);
      weight = MIN_WEIGHT;
      this.failure = failure;
    }

    private static Rules of(RobotRulesMode mode) {
      return new Rules(mode, null);
    }

    /**
     * Permits everything. The request for the page then returns the status "retry", so that the row
     * waits under Nutch's rules.
     */
    private static Rules unavailable(String failure) {
      return new Rules(RobotRulesMode.ALLOW_ALL, failure);
    }

    /** Called once, before other threads have the rules. */
    private void setUsage(HostRules usage) {
      this.usage = usage;
      weight += usage.weight();
      file = null;
    }

    /** Returns the rules on the use of pages. */
    HostRules usage() {
      return usage;
    }

    BaseRobotRules nutch() {
      return rules;
    }

    /**
     * Returns whether robots.txt is not available now, so that no page may be fetched (RFC 9309,
     * 2.3.1.4).
     */
    boolean isUnavailable() {
      return failure != null;
    }

    /** Returns why robots.txt cannot be had, see {@link Failures}; null if it can. */
    String failure() {
      return failure;
    }

    /** Returns whether there is a robots.txt, and it names no sitemap. */
    boolean namesNoSitemap() {
      return isFile && sitemaps.isEmpty();
    }

    /** Returns the sitemaps that robots.txt names, once: empty for all calls but the first. */
    List<String> takeSitemaps() {
      return sitemaps.isEmpty() || given.getAndSet(true) ? Collections.emptyList() : sitemaps;
    }
  }
}
