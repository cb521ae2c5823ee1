package org.corpulyzer.crawl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hosts that refused to respond, with the time before which no round asks them again. The file of
 * the data folder has a line for each: host, the time in milliseconds since 1970, and the number of
 * rounds in a row in which the host refused.
 */
final class HostWaits {
  /** Path of the file; without it nothing is remembered. */
  static final String FILE = "corpulyzer.crawl.host.waits";

  /** The first wait of a host that names no time. Each further one is twice as long. */
  static final long FIRST_MILLIS = TimeUnit.MINUTES.toMillis(10);

  static final long LONGEST_MILLIS = TimeUnit.DAYS.toMillis(1);

  /**
   * No wait is longer: the crawl cuts what a host asks for to 30 days. A time that is further ahead
   * was stored while the clock of this machine was wrong, and says nothing.
   */
  static final long MAX_MILLIS = TimeUnit.DAYS.toMillis(31);

  private static final Logger LOG = LoggerFactory.getLogger(HostWaits.class);
  private static final int MAX_HOSTS = 1_000_000;

  private final Path file;
  private final Map<String, long[]> hosts = new TreeMap<>();

  private HostWaits(Path file) {
    this.file = file;
  }

  static HostWaits of(Configuration conf) {
    String path = conf.get(FILE, "");
    HostWaits waits = new HostWaits(path.isEmpty() ? null : Paths.get(path));
    try {
      waits.read();
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} cannot be read, so no host is set aside: {}", path, e.toString());
    }
    return waits;
  }

  private void read() throws IOException {
    if (file == null || !Files.exists(file)) {
      return;
    }
    for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
      String[] fields = line.split("\t");
      hosts.put(fields[0], new long[] {Long.parseLong(fields[1]), Long.parseLong(fields[2])});
    }
  }

  /** Returns whether a host must not be asked at a time. */
  synchronized boolean isWaiting(String host, long now) {
    long[] wait = hosts.get(host);
    return wait != null && wait[0] > now && wait[0] - now <= MAX_MILLIS;
  }

  /** Returns the time from which a host may be asked, in milliseconds since 1970; 0 for at once. */
  synchronized long until(String host) {
    long[] wait = hosts.get(host);
    return wait == null ? 0 : wait[0];
  }

  /**
   * Sets a host aside.
   *
   * @param asked milliseconds that the host asked for, or 0
   */
  synchronized void refused(String host, long asked, long now) {
    long[] before = hosts.get(host);
    long times = before == null ? 1 : before[1] + 1;
    long own = FIRST_MILLIS << Math.min(times - 1, 10);
    long wait = asked > 0 ? asked : Math.min(LONGEST_MILLIS, own);
    if (before != null || hosts.size() < MAX_HOSTS) {
      long until = isWaiting(host, now) ? Math.max(now + wait, before[0]) : now + wait;
      hosts.put(host, new long[] {until, times});
    }
  }

  /** Forgets the refusals of a host that responds again. */
  synchronized void answered(String host) {
    hosts.remove(host);
  }

  /** Writes the file. */
  synchronized void save() throws IOException {
    if (file == null || hosts.isEmpty() && !Files.exists(file)) {
      return;
    }
    StringBuilder lines = new StringBuilder();
    hosts.forEach(
        (host, wait) ->
            lines
                .append(host)
                .append('\t')
                .append(wait[0])
                .append('\t')
                .append(wait[1])
                .append('\n'));
    LocalFiles.replace(file, lines.toString().getBytes(StandardCharsets.UTF_8));
  }
}
