package org.corpulyzer.corpus;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.corpulyzer.engine.Archive;
import org.corpulyzer.engine.ArchiveRecord;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.MinHash;
import org.corpulyzer.engine.NativeLibrary;
import org.corpulyzer.engine.Settings;

/**
 * Archives, or files of JSON lines, as input of a job: a task for each file, because compressed
 * files cannot be split. The files are in a list, whose order is that of the join: a month of
 * Common Crawl has too many for a job's configuration.
 */
final class ArchiveInput extends InputFormat<LongWritable, ArchiveRecord> {

  private static final String LIST = "crp.archive.list";
  private static final String MAX_BYTES = "crp.archive.maxBytes";

  /** MinHash of JSON lines: words, bands, values of a band, and 1 if letters alone count. */
  private static final String SHAPE = "crp.archive.shape";

  private static final String COMPRESSED = "(\\.gz|\\.zst|\\.xz|\\.bz2)?";

  /** What a job reads. */
  enum Kind {
    ARCHIVES("warc|wet|arc", "a WARC, WET or ARC file", "archive", ".warc, .wet or .arc"),
    LINES("jsonl", "a file of JSON lines", "file of JSON lines", ".jsonl");

    /** Names of the files of a folder that are read. */
    private final String ending;

    private final String file;
    private final String noun;
    private final String endings;

    Kind(String ending, String file, String noun, String endings) {
      this.ending = ".*\\.(" + ending + ")" + COMPRESSED;
      this.file = file;
      this.noun = noun;
      this.endings = endings;
    }
  }

  /**
   * Makes the tasks of later jobs read JSON lines.
   *
   * @param shape words, bands, values of a band, and 1 if letters alone count
   */
  static void setShape(Configuration conf, int... shape) {
    conf.set(
        SHAPE, Arrays.stream(shape).mapToObj(String::valueOf).collect(Collectors.joining(",")));
  }

  /** Returns null for archives. */
  private static MinHash shape(Configuration conf) {
    int[] shape = conf.getInts(SHAPE);
    return shape.length == 0 ? null : new MinHash(shape[0], shape[1], shape[2], shape[3] == 1);
  }

  /**
   * Finds the files and writes their list.
   *
   * @param inputs files, and folders of files
   * @param list file that is written
   * @return number of files
   * @throws CorpulyzerException if an input is missing, or a folder has no such file
   */
  static long set(Configuration conf, Kind kind, List<String> inputs, Path list)
      throws IOException {
    long count = 0;
    try (Writer out =
        new BufferedWriter(
            new OutputStreamWriter(
                list.getFileSystem(conf).create(list, true), StandardCharsets.UTF_8))) {
      for (String input : inputs) {
        for (Path file : files(conf, kind, input)) {
          out.write(file + "\n");
          count++;
        }
      }
    }
    conf.set(LIST, list.toString());
    conf.setLong(MAX_BYTES, Settings.from(conf::get).maxBytes());
    return count;
  }

  private static List<Path> files(Configuration conf, Kind kind, String input) throws IOException {
    Path path = new Path(input);
    FileSystem files = path.getFileSystem(conf);
    if (!files.exists(path)) {
      throw new CorpulyzerException(
          "The input " + input + " does not exist: name " + kind.file + ", or a folder of them.");
    }
    List<Path> found = new ArrayList<>();
    if (!files.getFileStatus(path).isDirectory()) {
      found.add(files.makeQualified(path));
      return found;
    }
    for (FileStatus status : files.listStatus(path)) {
      if (status.isFile() && status.getPath().getName().matches(kind.ending)) {
        found.add(status.getPath());
      }
    }
    if (found.isEmpty()) {
      throw new CorpulyzerException(
          "The folder "
              + input
              + " has no "
              + kind.noun
              + ": names end with "
              + kind.endings
              + ", and perhaps .gz, .zst, .xz or .bz2.");
    }
    found.sort(null);
    return found;
  }

  /**
   * @return the longest record that is read, in bytes
   */
  static long maxBytes(Configuration conf) {
    return conf.getLong(MAX_BYTES, 0);
  }

  @Override
  public List<InputSplit> getSplits(JobContext context) throws IOException {
    Configuration conf = context.getConfiguration();
    Path list = new Path(conf.get(LIST));
    List<InputSplit> splits = new ArrayList<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(list.getFileSystem(conf).open(list), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        Path path = new Path(line);
        FileSystem files = path.getFileSystem(conf);
        FileStatus status = files.getFileStatus(path);
        BlockLocation[] blocks = files.getFileBlockLocations(status, 0, 1);
        splits.add(
            new Split(
                splits.size(),
                line,
                status.getLen(),
                blocks == null || blocks.length == 0 ? new String[0] : blocks[0].getHosts()));
      }
    }
    return splits;
  }

  @Override
  public RecordReader<LongWritable, ArchiveRecord> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new Reader();
  }

  /** A file with its number among the inputs. */
  static final class Split extends InputSplit implements Writable {
    private long number;
    private String path = "";
    private long length;
    private String[] hosts = new String[0];

    /** Creates an empty split, to be read by {@link #readFields}. */
    Split() {}

    Split(long number, String path, long length, String[] hosts) {
      this.number = number;
      this.path = path;
      this.length = length;
      this.hosts = hosts;
    }

    long number() {
      return number;
    }

    String path() {
      return path;
    }

    @Override
    public long getLength() {
      return length;
    }

    @Override
    public String[] getLocations() {
      return hosts;
    }

    @Override
    public void write(DataOutput out) throws IOException {
      out.writeLong(number);
      Text.writeString(out, path);
      out.writeLong(length);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
      number = in.readLong();
      path = Text.readString(in);
      length = in.readLong();
      hosts = new String[0];
    }
  }

  /** The records of a file by their numbers, which begin at 1. */
  private static final class Reader extends RecordReader<LongWritable, ArchiveRecord> {
    private final LongWritable number = new LongWritable();
    private Split split;
    private FSDataInputStream bytes;
    private Archive reader;
    private ArchiveRecord record;

    @Override
    public void initialize(InputSplit input, TaskAttemptContext context) throws IOException {
      split = (Split) input;
      Configuration conf = context.getConfiguration();
      Path path = new Path(split.path());
      try {
        NativeLibrary.load(conf.get(Settings.NATIVE_PATH, ""));
        bytes = path.getFileSystem(conf).open(path);
        reader = new Archive(bytes, path.toString(), maxBytes(conf), shape(conf));
      } catch (IOException e) {
        UnreadableException failure =
            new UnreadableException(
                "The file " + path + " cannot be read (" + e + "): restore it, or leave it out.",
                e);
        TaskFailure.note(conf, failure);
        throw failure;
      }
    }

    @Override
    public boolean nextKeyValue() throws IOException {
      record = reader.next();
      number.set(number.get() + 1);
      return record != null;
    }

    @Override
    public LongWritable getCurrentKey() {
      return number;
    }

    @Override
    public ArchiveRecord getCurrentValue() {
      return record;
    }

    @Override
    public float getProgress() throws IOException {
      return split.length == 0 ? 1 : Math.min(1, (float) bytes.getPos() / split.length);
    }

    @Override
    public void close() throws IOException {
      if (reader != null) {
        reader.close();
      } else if (bytes != null) {
        bytes.close();
      }
    }
  }
}
