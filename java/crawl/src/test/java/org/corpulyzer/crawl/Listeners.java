package org.corpulyzer.crawl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The TCP sockets on which this process listens, from the kernel's lists. */
final class Listeners {
  private static final String LISTEN = "0A";

  private Listeners() {}

  /** Local ports of listening sockets, as the kernel writes them: in hexadecimal. */
  static Set<String> ports() throws IOException {
    Set<String> own = ownSockets();
    Set<String> ports = new HashSet<>();
    for (String table : new String[] {"/proc/self/net/tcp", "/proc/self/net/tcp6"}) {
      Path path = Paths.get(table);
      if (!Files.exists(path)) {
        continue;
      }
      List<String> lines = Files.readAllLines(path, StandardCharsets.US_ASCII);
      for (String line : lines.subList(1, lines.size())) {
        String[] fields = line.trim().split("\\s+");
        if (fields[3].equals(LISTEN) && own.contains("socket:[" + fields[9] + "]")) {
          ports.add(fields[1].substring(fields[1].indexOf(':') + 1));
        }
      }
    }
    return ports;
  }

  private static Set<String> ownSockets() throws IOException {
    Set<String> sockets = new HashSet<>();
    try (Stream<Path> descriptors = Files.list(Paths.get("/proc/self/fd"))) {
      descriptors.forEach(
          descriptor -> {
            try {
              sockets.add(Files.readSymbolicLink(descriptor).toString());
            } catch (IOException e) {
              return; // Closed since the folder was listed.
            }
          });
    }
    return sockets;
  }
}
