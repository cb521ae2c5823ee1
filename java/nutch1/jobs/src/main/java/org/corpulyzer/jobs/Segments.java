package org.corpulyzer.jobs;

import java.io.IOException;
import java.text.ParsePosition;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseText;
import org.apache.nutch.protocol.Content;
import org.corpulyzer.corpus.PlainPath;
import org.corpulyzer.corpus.UsageException;
import org.corpulyzer.engine.CorpulyzerException;

/**
 * The segments that a job reads, each fetched and parsed, and the round of each. They travel to
 * tasks in the job's configuration.
 */
final class Segments {

  private static final String COUNT = "crp.segments.count";
  private static final String PATH = "crp.segments.path.";
  private static final String ROUND = "crp.segments.round.";
  private static final String ZONE = "crp.segments.zone";

  /** Nutch's generator names segments so, in its own time zone. */
  private static final String NAME = "yyyyMMddHHmmss";

  private static final Text GENERATED = new Text(Nutch.GENERATE_TIME_KEY);

  private final Configuration conf;
  private final List<Path> paths = new ArrayList<>();
  private final List<Long> rounds = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final TimeZone zone;

  private Segments(Configuration conf, TimeZone zone) {
    this.conf = conf;
    this.zone = zone;
  }

  /**
   * Checks the segments of a command line.
   *
   * @param named folders of segments
   * @param dir a folder that has segments in it, or null
   * @throws UsageException when there is neither, or both
   * @throws CorpulyzerException in one sentence that names the segment, when one cannot be used
   */
  static Segments of(Configuration conf, List<String> named, String dir) throws IOException {
    if (named.isEmpty() == (dir == null)) {
      throw new UsageException(
          dir == null
              ? "<segment> is missing."
              : "-dir reads all segments of a folder: use one or the other.");
    }
    Segments segments = new Segments(conf, TimeZone.getDefault());
    if (dir == null) {
      for (String name : named) {
        segments.add(new Path(name), false);
      }
    } else {
      segments.addAll(new Path(dir));
    }
    segments.noteNames();
    return segments;
  }

  private void noteNames() {
    List<Path> others = new ArrayList<>(paths);
    others.removeIf(this::isNamedByTime);
    if (!others.isEmpty()) {
      notes.add(
          (others.size() == 1
                  ? "The name of segment " + others.get(0) + " is no time: each of its pages"
                  : "The names of "
                      + others.size()
                      + " segments are no times, that of "
                      + others.get(0)
                      + " is the first: each of their pages")
              + " counts in the round in which it was generated.");
    }
  }

  private boolean isNamedByTime(Path segment) {
    return time(segment.getName()) >= 0;
  }

  private void addAll(Path dir) throws IOException {
    FileSystem files = dir.getFileSystem(conf);
    if (!files.exists(dir)) {
      throw new CorpulyzerException("The folder " + dir + " of -dir does not exist.");
    }
    List<FileStatus> found = new ArrayList<>();
    for (FileStatus status : files.listStatus(dir)) {
      if (status.isDirectory() && !isHidden(status.getPath())) {
        found.add(status);
      }
    }
    found.sort(Comparator.comparing(status -> status.getPath().getName()));
    for (FileStatus status : found) {
      add(status.getPath(), true);
    }
    if (paths.isEmpty()) {
      throw new CorpulyzerException("The folder " + dir + " has no fetched segment.");
    }
  }

  private static boolean isHidden(Path path) {
    return path.getName().startsWith("_") || path.getName().startsWith(".");
  }

  /**
   * @param oneOfMany a segment that was not fetched yet is left out, and noted
   */
  private void add(Path given, boolean oneOfMany) throws IOException {
    FileSystem files = given.getFileSystem(conf);
    if (!files.exists(given)) {
      throw new CorpulyzerException("The segment " + given + " does not exist.");
    }
    Path path = PlainPath.require(files.makeQualified(given));
    if (!files.exists(new Path(path, CrawlDatum.FETCH_DIR_NAME))) {
      if (!files.exists(new Path(path, CrawlDatum.GENERATE_DIR_NAME))) {
        throw new CorpulyzerException(
            "The folder "
                + given
                + " is not a segment: it has no folder "
                + CrawlDatum.FETCH_DIR_NAME
                + ".");
      }
      String unfetched = "The segment " + given + " is not fetched: run bin/nutch fetch " + given;
      if (!oneOfMany) {
        throw new CorpulyzerException(unfetched + ", or do not name it.");
      }
      notes.add(unfetched + ". It is skipped.");
      return;
    }
    if (!files.exists(new Path(path, ParseData.DIR_NAME))
        || !files.exists(new Path(path, ParseText.DIR_NAME))) {
      throw new CorpulyzerException(
          "The segment "
              + given
              + " is not parsed: run bin/nutch parse "
              + given
              + ", or do not name it.");
    }
    for (String folder :
        new String[] {
          CrawlDatum.FETCH_DIR_NAME, ParseData.DIR_NAME, ParseText.DIR_NAME, Content.DIR_NAME
        }) {
      checkParts(files, new Path(path, folder));
    }
    if (!paths.contains(path)) {
      paths.add(path);
      long round = time(path.getName());
      rounds.add(round >= 0 ? round : Math.max(0, firstFetch(path)));
    }
  }

  private static void checkParts(FileSystem files, Path folder) throws IOException {
    if (!files.exists(folder)) {
      return;
    }
    for (FileStatus part : files.listStatus(folder)) {
      if (!isHidden(part.getPath())
          && !files.exists(new Path(part.getPath(), MapFile.DATA_FILE_NAME))) {
        throw new CorpulyzerException(
            "The segment's folder "
                + folder
                + " is damaged: "
                + part.getPath().getName()
                + " has no file "
                + MapFile.DATA_FILE_NAME
                + "; fetch or parse the segment again, or do not name it.");
      }
    }
  }

  /**
   * @return seconds since 1970 at which the first row of a segment was generated, or else fetched;
   *     -1 for a segment without rows
   */
  private long firstFetch(Path path) throws IOException {
    Path fetched = new Path(path, CrawlDatum.FETCH_DIR_NAME);
    for (FileStatus part : fetched.getFileSystem(conf).listStatus(fetched)) {
      if (isHidden(part.getPath())) {
        continue;
      }
      try (SequenceFile.Reader reader =
          new SequenceFile.Reader(
              conf, SequenceFile.Reader.file(new Path(part.getPath(), MapFile.DATA_FILE_NAME)))) {
        Text url = new Text();
        CrawlDatum datum = new CrawlDatum();
        if (reader.next(url, datum)) {
          return generated(datum);
        }
      }
    }
    return -1;
  }

  /**
   * @return the time in a segment's name in seconds since 1970; -1 if the name is no time
   */
  private long time(String name) {
    if (name == null || !name.matches("[0-9]{14}")) {
      return -1;
    }
    SimpleDateFormat format = new SimpleDateFormat(NAME, Locale.ROOT);
    format.setTimeZone(zone);
    format.setLenient(false);
    java.util.Date date = format.parse(name, new ParsePosition(0));
    return date == null ? -1 : date.getTime() / 1000;
  }

  /**
   * @return folders of the segments
   */
  List<Path> paths() {
    return Collections.unmodifiableList(paths);
  }

  /**
   * @return sentences for the operator
   */
  List<String> notes() {
    return Collections.unmodifiableList(notes);
  }

  /**
   * @return the folder in which the first segment lies, as a name for the crawl
   */
  String name() {
    Path parent = paths.get(0).getParent();
    Path crawl = parent == null ? null : parent.getParent();
    return crawl == null || crawl.getName().isEmpty()
        ? paths.get(0).getName()
        : crawl.getName() + "/" + parent.getName();
  }

  /** Writes the segments into a job's configuration. */
  void set(Configuration job) {
    job.setInt(COUNT, paths.size());
    job.set(ZONE, zone.getID());
    for (int i = 0; i < paths.size(); i++) {
      job.set(PATH + i, paths.get(i).toString());
      job.setLong(ROUND + i, rounds.get(i));
    }
  }

  /** Reads what {@link #set} wrote. */
  static Segments from(Configuration job) {
    Segments segments = new Segments(job, TimeZone.getTimeZone(job.get(ZONE)));
    for (int i = 0; i < job.getInt(COUNT, 0); i++) {
      segments.paths.add(new Path(job.get(PATH + i)));
      segments.rounds.add(job.getLong(ROUND + i, -1));
    }
    return segments;
  }

  /**
   * @return the number of the segment in which a file lies; -1 if it is in none
   */
  int numberOf(Path file) {
    for (Path folder = file.getParent(); folder != null; folder = folder.getParent()) {
      int number = paths.indexOf(folder);
      if (number >= 0) {
        return number;
      }
    }
    return -1;
  }

  /**
   * @return the time at which a segment was generated, in seconds since 1970
   */
  long round(int number) {
    return rounds.get(number);
  }

  /**
   * @param number of the segment that has the page
   * @param fetchedIn name of the segment in which it was fetched, by the page's metadata; may be
   *     null
   * @param fetch row of its fetch
   * @return the time at which the page's round was generated, in seconds since 1970
   */
  long round(int number, String fetchedIn, CrawlDatum fetch) {
    long time = time(fetchedIn);
    long round = time >= 0 ? time : rounds.get(number);
    // A segment is generated before it is fetched: one of a later name was merged. One without a
    // time in its name may have pages of several rounds: `mergesegs -slice` makes such segments.
    return round > fetch.getFetchTime() / 1000
            || time < 0 && hasGeneratedTime(fetch) && !isNamedByTime(paths.get(number))
        ? generated(fetch)
        : round;
  }

  /**
   * @return seconds since 1970 at which a row was generated, or else fetched
   */
  private static long generated(CrawlDatum datum) {
    return (hasGeneratedTime(datum)
            ? ((LongWritable) datum.getMetaData().get(GENERATED)).get()
            : datum.getFetchTime())
        / 1000;
  }

  private static boolean hasGeneratedTime(CrawlDatum datum) {
    return datum.getMetaData().get(GENERATED) instanceof LongWritable;
  }
}
