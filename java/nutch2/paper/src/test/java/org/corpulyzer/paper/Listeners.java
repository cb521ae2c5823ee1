package org.corpulyzer.paper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The TCP sockets on which this process listens, from the kernel's lists. */
final class Listeners {
  private static final String LISTEN = "0A";

  private Listeners() {}

  /**
   * Local addresses of listening sockets, as the kernel writes them: hexadecimal, each 32-bit word
   * in host byte order.
   */
  static List<String> addresses() throws IOException {
    List<String> addresses = new ArrayList<>();
    for (String listening : listening()) {
      addresses.add(listening.substring(0, listening.indexOf(':')));
    }
    return addresses;
  }

  /** The ports of the same sockets. */
  static List<Integer> ports() throws IOException {
    List<Integer> ports = new ArrayList<>();
    for (String listening : listening()) {
      ports.add(Integer.parseInt(listening.substring(listening.indexOf(':') + 1), 16));
    }
    return ports;
  }

  private static List<String> listening() throws IOException {
    Set<String> own = ownSockets();
    List<String> addresses = new ArrayList<>();
    for (String table : new String[] {"/proc/self/net/tcp", "/proc/self/net/tcp6"}) {
      Path path = Paths.get(table);
      if (!Files.exists(path)) {
        continue;
      }
      List<String> lines = Files.readAllLines(path, StandardCharsets.US_ASCII);
      for (String line : lines.subList(1, lines.size())) {
        String[] fields = line.trim().split("\\s+");
        if (fields[3].equals(LISTEN) && own.contains("socket:[" + fields[9] + "]")) {
          addresses.add(fields[1]);
        }
      }
    }
    return addresses;
  }

  /** 127.0.0.1, alone or as an IPv4-mapped IPv6 address. */
  static boolean isLoopback(String address) {
    return address.equals("0100007F") || address.equals("0000000000000000FFFF00000100007F");
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
