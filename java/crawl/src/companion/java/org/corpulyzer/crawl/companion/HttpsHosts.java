package org.corpulyzer.crawl.companion;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import okhttp3.HttpUrl;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hosts whose http URLs are all replaced by https URLs: the host declared it
 * (Strict-Transport-Security, RFC 6797), or redirected an http URL permanently to the same URL with
 * https. A request and a row of CrawlDb are saved for each further link. If {@link #FILE} is set,
 * the hosts are kept in that file between runs.
 */
final class HttpsHosts {
  /**
   * Path of the file with one host per line; it grows with the crawl. If unset, the hosts are kept
   * in memory alone.
   */
  static final String FILE = "corpulyzer.crawl.https.hosts";

  private static final Logger LOG = LoggerFactory.getLogger(HttpsHosts.class);
  private static final int MAX_HOSTS = 200_000;

  /**
   * One for each file, shared by the instances of filters and protocols that Nutch makes for each
   * job.
   */
  private static final Map<String, HttpsHosts> SHARED = new HashMap<>();

  private final Set<String> hosts = ConcurrentHashMap.newKeySet();
  private final Path file;

  private HttpsHosts(Path file) {
    this.file = file;
  }

  static HttpsHosts of(Configuration conf) {
    String path = conf.getTrimmed(FILE, "");
    synchronized (SHARED) {
      return SHARED.computeIfAbsent(path, HttpsHosts::open);
    }
  }

  private static HttpsHosts open(String path) {
    HttpsHosts known = new HttpsHosts(path.isEmpty() ? null : Path.of(path));
    if (known.file != null && Files.exists(known.file)) {
      try {
        known.hosts.addAll(Files.readAllLines(known.file, StandardCharsets.UTF_8));
      } catch (IOException e) {
        LOG.warn(
            "cannot read {}: {}; http URLs are asked for their https URL again",
            path,
            e.toString());
      }
    }
    return known;
  }

  /** Returns the https URL that replaces an http URL, or the URL itself. */
  HttpUrl upgrade(HttpUrl url) {
    return !url.isHttps() && url.port() == 80 && hosts.contains(url.host())
        ? url.newBuilder().scheme("https").port(443).build()
        : url;
  }

  /** Notes a permanent redirect. */
  void redirected(HttpUrl from, HttpUrl to) {
    if (!from.isHttps()
        && from.port() == 80
        && to.equals(from.newBuilder().scheme("https").port(443).build())) {
      add(from.host());
    }
  }

  /** Notes the Strict-Transport-Security header of a response, which counts only over https. */
  void answered(HttpUrl url, String strictTransportSecurity) {
    if (url.isHttps()
        && url.port() == 443
        && strictTransportSecurity != null
        && !strictTransportSecurity.replace(" ", "").replace("\"", "").contains("max-age=0")) {
      add(url.host());
    }
  }

  /** Removes a host that does not respond over https. */
  void failed(HttpUrl url) {
    if (url.isHttps()) {
      hosts.remove(url.host());
    }
  }

  private void add(String host) {
    if (hosts.size() < MAX_HOSTS && hosts.add(host) && file != null) {
      synchronized (this) {
        try {
          Files.write(
              file,
              (host + "\n").getBytes(StandardCharsets.UTF_8),
              StandardOpenOption.CREATE,
              StandardOpenOption.APPEND);
        } catch (IOException e) {
          LOG.warn("cannot write {}: {}", file, e.toString());
        }
      }
    }
  }
}
