package org.corpulyzer.crawl;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Records the pages that are being parsed, in a file that outlives the process. A page that was
 * being parsed at the death of two processes is not tried again: it may have caused them, and would
 * cause one at every start. A kill at a random moment meets the same page twice only by chance.
 *
 * <p>A line begins with {@code +} (begun), {@code -} (ended), {@code =} (a process began) or {@code
 * .} (a process ended in order).
 */
final class Attempts implements Closeable {
  /** Deaths after which a page is left. */
  static final int MAX_DEATHS = 2;

  private final FileChannel channel;
  private final Map<String, Integer> deaths = new HashMap<>();

  /** Opens the file, or makes it. */
  Attempts(Path file) throws IOException {
    channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    Set<String> running = new HashSet<>();
    // The last line may be cut.
    for (String line : new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\n")) {
      if (line.startsWith("+")) {
        running.add(line.substring(1));
      } else if (line.startsWith("-")) {
        running.remove(line.substring(1));
      } else if (line.startsWith(".")) {
        running.clear();
      } else if (line.startsWith("=")) {
        died(running);
      }
    }
    died(running);
    note("=");
  }

  private void died(Collection<String> running) {
    running.forEach(url -> deaths.merge(url, 1, Integer::sum));
    running.clear();
  }

  /**
   * @return whether the page is not to be parsed
   */
  boolean isLeft(String url) {
    return deaths.getOrDefault(url, 0) >= MAX_DEATHS;
  }

  void begin(String url) throws IOException {
    note("+" + url);
  }

  void end(String url) throws IOException {
    note("-" + url);
  }

  private synchronized void note(String line) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.wrap((line.replace('\n', ' ') + "\n").getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining() && channel.isOpen()) {
      channel.write(bytes);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    note(".");
    channel.close();
  }
}
