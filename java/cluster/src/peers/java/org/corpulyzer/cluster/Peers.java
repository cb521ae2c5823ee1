package org.corpulyzer.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/**
 * Finds out whose process is at the other end of a connection over loopback: the kernel lists every
 * socket of the machine with its user. The class is on the JVM's boot class path, for the code that
 * {@link LoopbackAgent} adds to the JDK.
 */
public final class Peers {
  /** The system property that the agent sets to {@code true} when connections are checked. */
  public static final String CHECKED = "corpulyzer.peers.checked";

  private static final String ESTABLISHED = "01";

  /** The kernel may leave out a socket while others come and go. */
  private static final int ATTEMPTS = 3;

  private static final String OWN = ownUser();

  private Peers() {}

  /**
   * Returns whether the socket that is connected to a port of this process belongs to the user of
   * this process. A closed socket belongs to no user.
   *
   * @param port of the peer
   * @param localPort of this process
   */
  public static boolean isOwn(int port, int localPort) throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      // The JDK's sockets are mostly of the second kind, and each table costs the kernel a walk.
      for (String table : new String[] {"tcp6", "tcp"}) {
        try (BufferedReader lines = reader(Paths.get("/proc/self/net", table))) {
          String user = user(lines, port, localPort);
          if (user != null) {
            return user.equals(OWN);
          }
        }
      }
    }
    return false;
  }

  /**
   * Returns the id of the user of an established connection, or null if there is none.
   *
   * @param table {@code /proc/net/tcp}
   */
  public static String user(BufferedReader table, int port, int remotePort) throws IOException {
    // A busy machine has thousands of lines, most of them closed sockets, and splitting them all
    // took a quarter of the time of tests on HBase.
    String wanted = String.format(":%04X ", port);
    for (String line = table.readLine(); line != null; line = table.readLine()) {
      if (!line.contains(wanted)) {
        continue;
      }
      String[] fields = line.trim().split("\\s+");
      if (fields.length > 7
          && fields[3].equals(ESTABLISHED)
          && port(fields[1]) == port
          && port(fields[2]) == remotePort) {
        return fields[7];
      }
    }
    return null;
  }

  private static int port(String address) {
    int colon = address.indexOf(':');
    return colon < 0 ? -1 : Integer.parseInt(address.substring(colon + 1), 16);
  }

  private static BufferedReader reader(Path file) throws IOException {
    return Files.newBufferedReader(file, StandardCharsets.US_ASCII);
  }

  private static String ownUser() {
    try (BufferedReader status = reader(Paths.get("/proc/self/status"))) {
      for (String line = status.readLine(); line != null; line = status.readLine()) {
        if (line.startsWith("Uid:")) {
          // Real, effective, saved, of files: sockets have the last one.
          return line.trim().split("\\s+")[4];
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot read /proc/self/status", e);
    }
    throw new IllegalStateException("/proc/self/status has no line Uid");
  }
}
