package org.corpulyzer.crawl.companion;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/** The names of this crawler, by the properties {@code http.agent.*} and {@code http.robots.*}. */
final class Agent {
  private Agent() {}

  /** Returns the names by which robots directives call this crawler, in lower case. */
  static Set<String> names(Configuration conf) {
    Set<String> names = new LinkedHashSet<>();
    names.add(conf.getTrimmed("http.agent.name", "").toLowerCase(Locale.ROOT));
    for (String name : conf.getTrimmedStrings("http.robots.agents")) {
      names.add(name.toLowerCase(Locale.ROOT));
    }
    names.remove("*");
    return names;
  }

  /** {@code name/version (description; url; email)}, without what is not set. */
  static String header(Configuration conf) {
    StringBuilder agent = new StringBuilder(conf.getTrimmed("http.agent.name", ""));
    String version = conf.getTrimmed("http.agent.version", "");
    if (!version.isEmpty()) {
      agent.append('/').append(version);
    }
    StringBuilder comment = new StringBuilder();
    for (String key :
        new String[] {"http.agent.description", "http.agent.url", "http.agent.email"}) {
      String value = conf.getTrimmed(key, "");
      if (!value.isEmpty()) {
        comment.append(comment.length() == 0 ? "" : "; ").append(value);
      }
    }
    return comment.length() == 0
        ? agent.toString()
        : agent.append(" (").append(comment).append(')').toString();
  }
}
