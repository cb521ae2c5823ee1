package org.corpulyzer.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The folder of one crawl: tables, state, logs. Held by one process at a time. */
final class DataFolder implements AutoCloseable {
  /** Less than this and a round would end in the middle of a write. */
  static final long MIN_FREE_BYTES = 512L << 20;
  private static final String LOCK = "lock";

  private final Path root;
  private final FileChannel channel;

  private DataFolder(Path root, FileChannel channel) {
    this.root = root;
    this.channel = channel;
  }

  /** Makes the folder when there is none, and takes it for this process. */
  static DataFolder open(Path root) throws CrawlException {
    try {
      Files.createDirectories(root);
      FileChannel channel = FileChannel.open(root.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.READ,
          StandardOpenOption.WRITE);
      if (!lock(channel)) {
        channel.close();
        throw CrawlException.failed("another crawl is running on " + root + "; wait for it, stop it, or give this one a --data of its own");
      }
      DataFolder folder = new DataFolder(root.toRealPath(), channel);
      Files.createDirectories(folder.logs());
      channel.truncate(0);
      channel.write(ByteBuffer.wrap("held by a crawl\n".getBytes(StandardCharsets.UTF_8)));
      folder.requireSpace();
      return folder;
    } catch (IOException e) {
      throw CrawlException.failed("the data folder " + root + " cannot be written (" + e + "); name a folder that can with --data", e);
    }
  }

  /** Whether a process holds the folder. */
  static boolean isHeld(Path root) throws IOException {
    Path lock = root.resolve(LOCK);
    if (!Files.exists(lock)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return !lock(channel);
    }
  }

  private static boolean lock(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false; // Held by this very process.
    }
  }

  /** Refuses to go on when the disk is nearly full: HBase would stop in the middle of a phase. */
  void requireSpace() throws CrawlException, IOException {
    requireSpace(root, Files.getFileStore(root).getUsableSpace());
  }

  static void requireSpace(Path root, long freeBytes) throws CrawlException {
    if (freeBytes < MIN_FREE_BYTES) {
      throw CrawlException.failed("the disk of " + root + " has " + (freeBytes >> 20) + " MiB left, and a crawl needs at least "
          + (MIN_FREE_BYTES >> 20) + " MiB; make room, then run the same command again");
    }
  }

  Path tables() {
    return root.resolve("hbase");
  }

  Path coordination() {
    return root.resolve("zookeeper");
  }

  Path logs() {
    return root.resolve("logs");
  }

  Path temporary() {
    return root.resolve("tmp");
  }

  Path state() {
    return state(root);
  }

  /** Whether a crawl was begun there. */
  static boolean isOfACrawl(Path root) {
    return Files.exists(state(root));
  }

  private static Path state(Path root) {
    return root.resolve("state.properties");
  }

  static Path status(Path root) {
    return root.resolve("status.txt");
  }

  Path status() {
    return status(root);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
