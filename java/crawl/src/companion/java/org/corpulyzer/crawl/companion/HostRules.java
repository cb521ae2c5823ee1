package org.corpulyzer.crawl.companion;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.protocol.Content;
import org.corpulyzer.engine.PageResponse;
import org.corpulyzer.engine.UsageRules;

/**
 * The rules of a host on the use of its pages: Content-Usage and Content-Signal of robots.txt, and
 * {@code /.well-known/tdmrep.json} of the TDM Reservation Protocol. Each page of the host is stored
 * with them, so that parsing needs no other page. The files themselves are stored once.
 */
final class HostRules {
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
    String usage = robots == null ? null : UsageRules.ofRobots(robots.getContent());
    String rules = tdm == null ? null : UsageRules.ofTdm(tdm.getContent());
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
