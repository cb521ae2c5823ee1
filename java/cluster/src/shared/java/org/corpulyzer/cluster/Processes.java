package org.corpulyzer.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * This process and those that it started (clients, and the containers of the node manager), from
 * the kernel's lists.
 */
public final class Processes {

  private static final Path PROC = Paths.get("/proc");
  private static final String LISTEN = " 0A ";

  /**
   * 127.0.0.1, alone or as an IPv4-mapped IPv6 address, as the kernel writes it: each 32-bit word
   * in host byte order.
   */
  private static final Pattern LOOPBACK =
      Pattern.compile("0100007F|0000000000000000FFFF00000100007F");

  private Processes() {}

  /**
   * @return the children, grandchildren and so on of this process whose command line has a match of
   *     the pattern
   */
  public static List<Integer> descendants(Pattern commandLine) throws IOException {
    List<Integer> found = new ArrayList<>();
    for (int pid : family()) {
      if (pid != self() && commandLine.matcher(commandLine(pid)).find()) {
        found.add(pid);
      }
    }
    return found;
  }

  /**
   * @param signal its name, e.g. {@code KILL}
   */
  public static void signal(String signal, int pid) throws IOException, InterruptedException {
    if (new ProcessBuilder("kill", "-" + signal, Integer.toString(pid))
            .inheritIO()
            .start()
            .waitFor()
        != 0) {
      throw new IOException("there is no process " + pid + " to send " + signal);
    }
  }

  /**
   * @return what of this process and its descendants listens on another address than 127.0.0.1:
   *     address, port, command line
   */
  public static Set<String> strayListeners() throws IOException {
    Map<String, String> listening = new HashMap<>();
    for (String table : new String[] {"tcp", "tcp6"}) {
      for (String line : listening(PROC.resolve("self/net").resolve(table))) {
        String[] fields = line.trim().split("\\s+");
        if (!LOOPBACK.matcher(fields[1].substring(0, fields[1].indexOf(':'))).matches()) {
          listening.put("socket:[" + fields[9] + "]", fields[1]);
        }
      }
    }
    Set<String> stray = new TreeSet<>();
    for (int pid : listening.isEmpty() ? new HashSet<Integer>() : family()) {
      for (String socket : sockets(pid)) {
        if (listening.containsKey(socket)) {
          stray.add(listening.get(socket) + " " + commandLine(pid));
        }
      }
    }
    return stray;
  }

  /**
   * Returns the lines of sockets that listen. The kernel lists them first, before thousands of
   * closed ones on a busy machine.
   */
  private static List<String> listening(Path table) throws IOException {
    List<String> lines = new ArrayList<>();
    if (Files.exists(table)) {
      try (BufferedReader all = Files.newBufferedReader(table, StandardCharsets.ISO_8859_1)) {
        all.readLine(); // the names of the columns
        String line = all.readLine();
        while (line != null && line.contains(LISTEN)) {
          lines.add(line);
          line = all.readLine();
        }
      }
    }
    return lines;
  }

  private static Set<String> sockets(int pid) {
    Set<String> sockets = new HashSet<>();
    try (Stream<Path> descriptors = Files.list(PROC.resolve(pid + "/fd"))) {
      descriptors.forEach(
          descriptor -> {
            try {
              sockets.add(Files.readSymbolicLink(descriptor).toString());
            } catch (IOException e) {
              return; // Closed since the folder was listed.
            }
          });
    } catch (IOException | RuntimeException e) {
      // Ended since it was listed.
      return new HashSet<>();
    }
    return sockets;
  }

  private static Set<Integer> family() throws IOException {
    Map<Integer, List<Integer>> children = new HashMap<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path process : processes) {
        for (String stat : lines(process.resolve("stat"))) {
          // The name, in brackets, may hold anything.
          int parent = Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[1]);
          children
              .computeIfAbsent(parent, none -> new ArrayList<>())
              .add(Integer.parseInt(process.getFileName().toString()));
        }
      }
    }
    Set<Integer> family = new HashSet<>();
    List<Integer> next = new ArrayList<>();
    next.add(self());
    while (!next.isEmpty()) {
      int pid = next.remove(next.size() - 1);
      if (family.add(pid)) {
        next.addAll(children.getOrDefault(pid, new ArrayList<>()));
      }
    }
    return family;
  }

  private static int self() throws IOException {
    return Integer.parseInt(PROC.resolve("self").toRealPath().getFileName().toString());
  }

  private static String commandLine(int pid) {
    return String.join(" ", lines(PROC.resolve(pid + "/cmdline"))).replace('\0', ' ');
  }

  /**
   * @return none for a process that has ended
   */
  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return new ArrayList<>();
    }
  }
}
