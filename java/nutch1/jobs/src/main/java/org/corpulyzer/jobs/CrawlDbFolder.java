package org.corpulyzer.jobs;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.util.FSUtils;
import org.apache.nutch.util.HadoopFSUtil;
import org.apache.nutch.util.LockUtil;
import org.corpulyzer.corpus.PlainPath;
import org.corpulyzer.engine.CorpulyzerException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of a CrawlDb, and in it {@code corpulyzer} with the host table and the files of a run.
 * Nutch reads {@code current}, writes {@code old} and numbers, and leaves other names alone.
 */
final class CrawlDbFolder {

  private static final Logger LOG = LoggerFactory.getLogger(CrawlDbFolder.class);
  private static final String OURS = "corpulyzer";
  private static final String HOSTS = "hosts";
  private static final String RUN_PREFIX = "run-";

  private final Path crawlDb;
  private final Configuration conf;
  private final FileSystem files;

  CrawlDbFolder(Path crawlDb, Configuration conf) throws IOException {
    this.conf = conf;
    files = crawlDb.getFileSystem(conf);
    this.crawlDb = PlainPath.require(files.makeQualified(crawlDb));
  }

  /**
   * @throws CorpulyzerException when there is no CrawlDb in the folder
   */
  CrawlDbFolder requireExisting() throws IOException {
    if (!files.exists(current())) {
      throw new CorpulyzerException(
          "The folder "
              + crawlDb
              + " has no CrawlDb ('"
              + CrawlDb.CURRENT_NAME
              + "' is missing): inject seeds first, or name the folder of a CrawlDb.");
    }
    return this;
  }

  /**
   * Puts the CrawlDb back that an interrupted install has moved aside. Nutch's install renames
   * {@code current} to {@code old} and the new rows to {@code current}; a client that is killed
   * between the two leaves no {@code current}, and Nutch's updatedb would begin an empty CrawlDb.
   * Call it only when no other job holds the lock.
   */
  void restore() throws IOException {
    Path old = new Path(crawlDb, "old");
    if (!files.exists(current()) && files.exists(old)) {
      if (!files.rename(old, current())) {
        throw new CorpulyzerException(
            "The CrawlDb "
                + crawlDb
                + " has no '"
                + CrawlDb.CURRENT_NAME
                + "': a job was killed while it"
                + " replaced it, and "
                + old
                + " cannot be renamed to "
                + current()
                + "; rename it, and run the command again.");
      }
      String warning =
          "The CrawlDb "
              + crawlDb
              + " had no '"
              + CrawlDb.CURRENT_NAME
              + "', because a job was killed while it replaced it;"
              + " 'old' is in its place again. Run updatedb once more for the last segments.";
      LOG.warn("{}", warning);
      System.err.println("Warning: " + warning);
    }
  }

  Path path() {
    return crawlDb;
  }

  Path current() {
    return new Path(crawlDb, CrawlDb.CURRENT_NAME);
  }

  /**
   * @return where the host table is, if there is one
   */
  Path hosts() {
    return new Path(crawlDb, OURS + Path.SEPARATOR + HOSTS);
  }

  /**
   * @param force whether a lock does not matter
   * @throws CorpulyzerException when another job holds the lock
   */
  void requireUnlocked(boolean force) throws IOException {
    if (!force && files.exists(lockFile())) {
      throw new CorpulyzerException(
          "The CrawlDb "
              + crawlDb
              + " is locked: "
              + lockFile()
              + " exists; wait until the other job ends, or"
              + " delete the file (or pass -force) if that job was killed.");
    }
  }

  /**
   * Takes the lock that every Nutch job takes before it writes a CrawlDb.
   *
   * @param force whether a lock that exists is taken over, as with Nutch's {@code -force}
   * @throws CorpulyzerException when another job holds it
   */
  void lock(boolean force) throws IOException {
    requireUnlocked(force);
    CrawlDb.lock(conf, crawlDb, force);
  }

  void unlock() throws IOException {
    LockUtil.removeLockFile(files, lockFile());
  }

  private Path lockFile() {
    return new Path(crawlDb, CrawlDb.LOCK_NAME);
  }

  /**
   * @return a folder for the files of one run, on the file system of CrawlDb, so that its output
   *     can be moved there
   */
  Path newRun() {
    return new Path(crawlDb, OURS + Path.SEPARATOR + RUN_PREFIX + UUID.randomUUID());
  }

  void delete(Path run) throws IOException {
    files.delete(run, true);
  }

  /**
   * Deletes what runs left that were killed. Call it under the lock: then no other run has files
   * here.
   */
  void deleteStale() throws IOException {
    FileStatus[] left =
        files.globStatus(new Path(crawlDb, OURS + Path.SEPARATOR + RUN_PREFIX + "*"));
    for (FileStatus run : left) {
      files.delete(run.getPath(), true);
    }
    Path old = new Path(hosts() + ".old");
    if (files.exists(old)) {
      if (files.exists(hosts())) {
        files.delete(old, true);
      } else {
        files.rename(old, hosts());
      }
    }
  }

  /** Replaces the host table. */
  void installHosts(Path table) throws IOException {
    FSUtils.replace(files, hosts(), table, true);
  }

  /**
   * @throws CorpulyzerException when new parts are not named as the parts of CrawlDb: then rows
   *     could not be looked up any more
   */
  void requireSameParts(Path rows) throws IOException {
    Set<String> before = parts(current());
    Set<String> after = parts(rows);
    if (!before.equals(after)) {
      throw new CorpulyzerException(
          "The parts of "
              + current()
              + " are "
              + before
              + ", those with new scores "
              + after
              + ": a part is damaged, and CrawlDb stays as it was.");
    }
  }

  private Set<String> parts(Path folder) throws IOException {
    Set<String> names = new TreeSet<>();
    for (FileStatus part : files.listStatus(folder, HadoopFSUtil.getPassDirectoriesFilter(files))) {
      names.add(part.getPath().getName());
    }
    return names;
  }
}
