package org.corpulyzer.crawl;

import java.net.IDN;
import java.util.Collection;
import java.util.regex.Pattern;

/** The syntax of hosts on the command line: a host name in any script, or an IP address. */
final class HostNames {
  /** Labels of letters, digits, hyphens and, as many hosts have them, underscores. */
  private static final Pattern NAME =
      Pattern.compile(
          "([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)([.][a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*");

  private static final Pattern ADDRESS_6 = Pattern.compile("\\[?[0-9a-fA-F]*:[0-9a-fA-F:.]+\\]?");

  private static final int MAX_CHARACTERS = 253;

  private HostNames() {}

  /** Refuses what is no host, which would otherwise have no effect. */
  static void check(String option, Collection<String> names) throws CrawlException {
    for (String name : names) {
      if (!isHost(name.trim())) {
        throw CrawlException.usage(
            option
                + " has '"
                + name
                + "'; allowed are host names and IP addresses, separated by commas, without scheme,"
                + " port, path and '*'"
                + hint(name.trim()));
      }
    }
  }

  private static String hint(String name) {
    String host = name.replaceFirst("^[A-Za-z]+://", "").replaceFirst("^([*]?[.])+", "");
    host = host.replaceFirst("[/:?#].*$", "");
    return !host.equals(name) && isHost(host)
        ? "; write " + host + ", which includes the hosts below it"
        : "";
  }

  static boolean isHost(String name) {
    if (ADDRESS_6.matcher(name).matches()) {
      return name.startsWith("[") == name.endsWith("]");
    }
    try {
      String ascii = IDN.toASCII(name.replaceFirst("[.]$", ""), IDN.ALLOW_UNASSIGNED);
      return ascii.length() <= MAX_CHARACTERS
          && NAME.matcher(ascii.toLowerCase(java.util.Locale.ROOT)).matches();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
