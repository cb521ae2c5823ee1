package org.corpulyzer.crawl.companion;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.protocol.Content;
import org.corpulyzer.engine.PageResponse;

/**
 * The rules of a host on the use of its pages: Content-Usage and Content-Signal of robots.txt, and
 * {@code /.well-known/tdmrep.json} of the TDM Reservation Protocol. Each page of the host is stored
 * with them, so that parsing needs no other page. The files themselves are stored once.
 */
final class HostRules {
  /** Path of the file of the TDM Reservation Protocol. */
  static final String TDM_PATH = "/.well-known/tdmrep.json";

  /** Longest rules of a file. Each page of the host is stored with them. */
  static final int MAX_BYTES = 64 << 10;

  /** Labels of lines on usage, and of the line that begins a group. */
  private static final Set<String> LABELS = Set.of("user-agent", "content-usage", "content-signal");

  private static final HostRules NONE = new HostRules(null, null);

  private final String usage;
  private final String tdm;
  private final List<Content> files = new ArrayList<>();
  private final AtomicBoolean given = new AtomicBoolean();

  private HostRules(String usage, String tdm) {
    this.usage = usage;
    this.tdm = tdm;
  }

  static HostRules none() {
    return NONE;
  }

  /**
   * @param robots robots.txt; null if there is none
   * @param tdm tdmrep.json; null if there is none
   */
  static HostRules of(Content robots, Content tdm) {
    String usage = robots == null ? null : usage(robots.getContent());
    String rules = tdm == null ? null : rules(tdm.getContent());
    if (usage == null && rules == null) {
      return NONE;
    }
    HostRules found = new HostRules(usage, rules);
    if (usage != null) {
      found.files.add(robots);
    }
    if (rules != null) {
      found.files.add(tdm);
    }
    return found;
  }

  /**
   * Returns the lines on usage and the beginnings of their groups; null if there is no rule on
   * usage. One line of another label stands for all that follow one another, because it ends the
   * names of a group.
   */
  static String usage(byte[] robots) {
    StringBuilder kept = new StringBuilder();
    boolean hasRules = false;
    boolean isOther = false;
    for (String line : new String(robots, StandardCharsets.UTF_8).split("[\\r\\n]+")) {
      String rule = line.split("#", 2)[0].replace("\ufeff", "").trim();
      int colon = rule.indexOf(':');
      String label = colon <= 0 ? "" : rule.substring(0, colon).trim().toLowerCase(Locale.ROOT);
      if (LABELS.contains(label)) {
        kept.append(rule).append('\n');
        hasRules |= label.startsWith("content-");
        isOther = false;
      } else if (!label.isEmpty() && !isOther) {
        kept.append("Allow: /\n");
        isOther = true;
      }
      if (kept.length() > MAX_BYTES) {
        break;
      }
    }
    return hasRules ? kept.toString() : null;
  }

  /** Returns the file as text; null if it is no list, or longer than {@value #MAX_BYTES} bytes. */
  private static String rules(byte[] file) {
    String text = new String(file, StandardCharsets.UTF_8).replace("\ufeff", "").trim();
    return text.startsWith("[") && file.length <= MAX_BYTES ? text : null;
  }

  /** Adds the rules to the metadata of a page. */
  void addTo(Metadata metadata) {
    if (usage != null) {
      metadata.set(PageResponse.ROBOTS_FILE, usage);
    }
    if (tdm != null) {
      metadata.set(PageResponse.TDM_FILE, tdm);
    }
  }

  /** Returns the files with rules, once: empty for all calls but the first. */
  List<Content> takeFiles() {
    return files.isEmpty() || given.getAndSet(true) ? Collections.emptyList() : files;
  }

  /** Estimated bytes in memory. */
  int weight() {
    int bytes = usage == null ? 0 : usage.length();
    bytes += tdm == null ? 0 : tdm.length();
    for (Content file : files) {
      bytes += file.getContent().length;
    }
    return 2 * bytes;
  }
}
