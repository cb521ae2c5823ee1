package org.corpulyzer.crawl;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.corpulyzer.corpus.PlainPath;

/**
 * The folder of one crawl: CrawlDb, segments, state, logs. Held by one process at a time, and open
 * to its owner alone.
 */
final class DataFolder implements AutoCloseable {
  /** Less than this and a round would end in the middle of a write. */
  static final long MIN_FREE_BYTES = 512L << 20;

  private static final String LOCK = "lock";

  /** Content of the lock file after a crawl held it. */
  private static final String HELD = "held by a crawl\n";

  /** Says that the folder is a crawl's, also before there is a state. */
  private static final String MARKER = ".corpulyzer-data";

  private static final String MARK = "The data folder of a crawl.\n";
  private static final String SHUFFLE_PREFIX = "corpulyzer-crawl-";

  /** Names the folder for a shuffle that is not below this one. */
  private static final String SHUFFLE = "shuffle.txt";

  /** Folders of the releases that ran HBase. */
  private static final List<String> OLD = Arrays.asList("hbase", "zookeeper");

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/._+=@~-]*");

  private final Path root;
  private final FileChannel channel;

  private DataFolder(Path root, FileChannel channel) {
    this.root = root;
    this.channel = channel;
  }

  /**
   * Refuses a path that Nutch's jobs would read as several or as a pattern, which may match the
   * folder of another crawl.
   */
  static void requirePlain(Path root) throws CrawlException {
    String found = PlainPath.inLists(root.toString());
    if (!found.isEmpty()) {
      throw CrawlException.usage(
          "--data is "
              + root
              + ", but '"
              + found
              + "' makes it a list or a pattern for Hadoop; name a folder without any of"
              + " * ? [ ] { } \\ and comma in its path");
    }
  }

  /** Makes the folder if it is missing, and locks it for this process. */
  static DataFolder open(Path root) throws CrawlException {
    if (OLD.stream().anyMatch(name -> Files.exists(root.resolve(name)))) {
      throw CrawlException.failed(
          "the data folder "
              + root
              + " holds a crawl of an older release, which kept its pages in HBase; "
              + "name another folder with --data");
    }
    try {
      requireOurs(root);
      Files.createDirectories(root);
      requireOwner(root);
      // Fetched pages, and the language that the operator collects, are private.
      Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx------"));
      LocalFiles.replace(root.resolve(MARKER), MARK.getBytes(StandardCharsets.UTF_8));
      FileChannel channel =
          FileChannel.open(
              root.resolve(LOCK),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      if (!lock(channel)) {
        channel.close();
        throw CrawlException.failed(
            "another crawl is running on "
                + root
                + "; wait for it, stop it, or give this one a --data of its own");
      }
      // A symlink may lead to another path than the one that was checked.
      requirePlain(root.toRealPath());
      DataFolder folder = new DataFolder(root.toRealPath(), channel);
      LocalFiles.createPrivate(folder.logs());
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(HELD.getBytes(StandardCharsets.UTF_8)));
      folder.requireSpace();
      return folder;
    } catch (IOException e) {
      throw CrawlException.failed(
          "the data folder "
              + root
              + " cannot be written ("
              + CrawlException.reason(e)
              + "); name a folder that can with --data",
          e);
    }
  }

  /** Refuses a folder with other files, before any of them is changed. */
  static void requireOurs(Path root) throws CrawlException, IOException {
    if (!Files.isDirectory(root)) {
      return;
    }
    requireOwner(root);
    if (isMarked(root.resolve(MARKER), MARK)
        || isMarked(root.resolve(LOCK), HELD)
        || isOfACrawl(root)) {
      return;
    }
    // A run that was killed, or met a full disk, before it had its marker leaves these.
    List<Path> unfinished =
        Arrays.asList(root.resolve(MARKER), LocalFiles.temporary(root.resolve(MARKER)));
    try (Stream<Path> entries = Files.list(root)) {
      Optional<Path> file =
          entries.filter(entry -> !unfinished.contains(entry)).sorted().findFirst();
      if (file.isPresent()) {
        throw CrawlException.usage(
            "the data folder "
                + root
                + " holds "
                + file.get().getFileName()
                + ", which no crawl wrote; name another "
                + "folder with --data");
      }
    }
  }

  /**
   * Refuses a folder of another user, who could plant symlinks and files of a crawl in it. Not even
   * root is served there.
   */
  private static void requireOwner(Path root) throws CrawlException, IOException {
    Object owner = Files.getAttribute(root, "unix:uid");
    // Get the user of this process from the kernel: names of users may be ambiguous.
    Object self = Files.getAttribute(Paths.get("/proc/self"), "unix:uid");
    if (!owner.equals(self)) {
      throw CrawlException.usage(
          "the data folder "
              + root
              + " belongs to the user "
              + Files.getOwner(root).getName()
              + ", who could change the crawl's files; name a folder of your own with --data, or"
              + " change its owner");
    }
  }

  private static boolean isMarked(Path file, String mark) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(file)) {
      return Arrays.equals(mark.getBytes(StandardCharsets.UTF_8), in.readNBytes(mark.length()));
    }
  }

  /** Returns whether a process holds the folder. */
  static boolean isHeld(Path root) throws IOException {
    Path lock = root.resolve(LOCK);
    if (!Files.exists(lock)) {
      return false;
    }
    try (FileChannel channel =
        FileChannel.open(lock, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
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

  /** Returns the free bytes on the disk of the folder; -1 if unknown. */
  long freeBytes() {
    try {
      return Files.getFileStore(root).getUsableSpace();
    } catch (IOException e) {
      return -1;
    }
  }

  /** Refuses to go on when the disk is nearly full: a phase would stop in the middle. */
  void requireSpace() throws CrawlException, IOException {
    requireSpace(root, Files.getFileStore(root).getUsableSpace());
  }

  static void requireSpace(Path root, long freeBytes) throws CrawlException {
    if (freeBytes < MIN_FREE_BYTES) {
      throw CrawlException.failed(
          "the disk of "
              + root
              + " has "
              + (freeBytes >> 20)
              + " MiB left, and a crawl needs at least "
              + (MIN_FREE_BYTES >> 20)
              + " MiB; make room, then run the same command again");
    }
  }

  /** Nutch's CrawlDb. */
  Path crawlDb() {
    return root.resolve("crawldb");
  }

  /** Nutch's HostDb, from which the scoring filter takes the hosts' scores in mode S. */
  Path hostDb() {
    return root.resolve("hostdb");
  }

  /** The fetched pages of a round. Its segment may not exist yet. */
  Segment segment(int round) {
    return new Segment(
        root.resolve("segments").resolve(String.format(Locale.ROOT, "%05d", round)), round);
  }

  /** Fingerprints of the texts of earlier rounds. */
  Path seen() {
    return root.resolve("seen");
  }

  /** Hosts that moved to https, one a line. */
  Path httpsHosts() {
    return root.resolve("https-hosts.txt");
  }

  /** Hosts that are set aside, see {@link HostWaits}. */
  Path hostWaits() {
    return root.resolve("host-waits.tsv");
  }

  Path logs() {
    return root.resolve("logs");
  }

  Path temporary() {
    return root.resolve("corpulyzer-tmp");
  }

  /**
   * Makes an empty folder for the files between the tasks of a job. Hadoop's shuffle does not find
   * its files below a name with blanks and the like; then the folder is one of the system's
   * temporary files, and is deleted by the next run if not by this one.
   */
  Path shuffle() throws IOException {
    forgetShuffle();
    if (PLAIN.matcher(root.toString()).matches()) {
      return LocalFiles.createPrivate(temporary().resolve("shuffle"));
    }
    Path folder = Files.createTempDirectory(SHUFFLE_PREFIX);
    Files.write(root.resolve(SHUFFLE), folder.toString().getBytes(StandardCharsets.UTF_8));
    return folder;
  }

  Path state() {
    return state(root);
  }

  /** Returns whether a crawl was begun in the folder. */
  static boolean isOfACrawl(Path root) {
    try {
      CrawlState state = CrawlState.load(state(root));
      return state.isOfACrawl() || !state.yields().isEmpty();
    } catch (IOException | RuntimeException e) {
      return false; // Another file, or an unreadable one.
    }
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
    LocalFiles.deleteTree(temporary());
    forgetShuffle();
    channel.close();
  }

  private void forgetShuffle() throws IOException {
    Path note = root.resolve(SHUFFLE);
    if (Files.exists(note)) {
      Path folder = Paths.get(new String(Files.readAllBytes(note), StandardCharsets.UTF_8));
      if (folder.getFileName() != null
          && folder.getFileName().toString().startsWith(SHUFFLE_PREFIX)) {
        LocalFiles.deleteTree(folder);
      }
      Files.delete(note);
    }
  }
}
