package org.corpulyzer.corpus;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Partitioner;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.corpulyzer.engine.ArchiveRecord;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Settings;

/**
 * Makes a corpus for each target language from WARC, WET and ARC files: the same as {@code
 * corpulyzer collect} makes from the same files in the same order. A task reads a file; the
 * reducers join the pages by URL, so that the first one counts, and write the pages of a host
 * together. {@code mapreduce.job.reduces} is the number of reducers.
 */
public class ArchiveCorpus extends Configured implements Tool {

  /** Whether pages without the script of the language are not parsed. */
  private static final String LOOK = "crp.archive.look";

  /** Time limit for a page, so that a slow machine makes the same corpus as a fast one. */
  private static final String HOUR = "3600000";

  /** Bytes of a page from which on Hadoop is told that the task is alive. */
  private static final int LARGE = 1 << 20;

  private final String name;
  private final Class<?> inJar;

  /**
   * @param name name of the command
   * @param inJar a class in the jar of the job
   */
  protected ArchiveCorpus(String name, Class<?> inJar) {
    this.name = name;
    this.inJar = inJar;
  }

  private String usage() {
    return "Usage: "
        + name
        + " [-format jsonl|text|wet] [-all] [-noFirstLook] [-language <codes>] [-minBytes <n>]"
        + " [-fileSize <MiB>] [-list <file>] <out> <in> ...\n"
        + "    <out>            - a folder that is not there yet; files are written to it, one or"
        + " more for each reducer\n"
        + "    <in>             - a WARC, WET or ARC file, plain or compressed, or a folder"
        + " of such files\n"
        + "    -list <file>     - read more inputs, one path on each line\n"
        + "    -format <format> - jsonl: a JSON object per line with main content and figures"
        + " (default); text: main content;\n"
        + "                       wet: main content as WARC conversion records\n"
        + "    -all             - write rejected pages too; their decision is among their figures\n"
        + "    -noFirstLook     - parse every page, also those without a letter of the language's"
        + " script\n"
        + "    -language <codes> - languages, ISO 639-1 or 639-3, separated by commas (default: "
        + Settings.LANGUAGE_TARGET
        + ");\n"
        + "                       each of several has a folder of its own\n"
        + "    -minBytes <n>    - smallest size of a page in the language, in bytes (default: "
        + Settings.PAGE_MIN_BYTES
        + ")\n"
        + "    -fileSize <MiB>  - largest size of a file after compression: 1 to 65536 (default:"
        + " 1024)";
  }

  @Override
  public int run(String[] args) throws Exception {
    Configuration conf = new Configuration(getConf());
    Arguments arguments;
    try {
      arguments =
          ExportOptions.arguments()
              .option("-list")
              .flag("-noFirstLook")
              .read(args, Integer.MAX_VALUE);
      requirePaths(arguments);
      if (conf.get(Settings.PAGE_MAX_MILLIS) == null) {
        conf.set(Settings.PAGE_MAX_MILLIS, HOUR);
      }
      ExportOptions.setDecided(conf, arguments);
      conf.setBoolean(LOOK, !arguments.has("-noFirstLook"));
    } catch (UsageException e) {
      return e.print(name, usage());
    }
    List<String> inputs = inputs(conf, arguments);
    String out = arguments.path(0, "out");
    Path folder = Tools.newFolder(out, conf);
    try (RunFolder run = new RunFolder(conf)) {
      TaskFailure.noteIn(conf, run.path("failure"));
      DamageNotes.noteIn(conf, run.path("damaged"));
      long files = ArchiveInput.set(conf, ArchiveInput.Kind.ARCHIVES, inputs, run.path("inputs"));
      Job job = job(conf, folder);
      Tools.run(job, folder);
      System.out.println(summary(job.getCounters(), files, out));
      List<String> damaged = DamageNotes.sentences(conf, name);
      damaged.forEach(System.err::println);
      return damaged.isEmpty() ? 0 : 1;
    }
  }

  /**
   * Checks that an output and an input are named.
   *
   * @throws UsageException if one is missing
   */
  static void requirePaths(Arguments arguments) {
    arguments.path(0, "out");
    if (arguments.paths().size() < 2 && !arguments.has("-list")) {
      throw new UsageException("<in> is missing.");
    }
  }

  /**
   * @return the inputs that are named, then those of the lists
   */
  static List<String> inputs(Configuration conf, Arguments arguments) throws IOException {
    List<String> inputs = new ArrayList<>(arguments.paths().subList(1, arguments.paths().size()));
    for (String list : arguments.all("-list")) {
      inputs.addAll(lines(conf, list));
    }
    return inputs;
  }

  private static List<String> lines(Configuration conf, String list) throws IOException {
    Path path = new Path(list);
    FileSystem files = path.getFileSystem(conf);
    if (!files.exists(path)) {
      throw new CorpulyzerException("The list " + list + " does not exist.");
    }
    List<String> lines = new ArrayList<>();
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(files.open(path), StandardCharsets.UTF_8))) {
      in.lines().map(String::trim).filter(line -> !line.isEmpty()).forEach(lines::add);
    }
    if (lines.isEmpty()) {
      throw new CorpulyzerException("The list " + list + " has no path.");
    }
    return lines;
  }

  private Job job(Configuration conf, Path out) throws IOException {
    Job job = Job.getInstance(conf, "corpulyzer collect");
    job.setJarByClass(inJar);
    job.setInputFormatClass(ArchiveInput.class);
    job.setMapperClass(PageMapper.class);
    job.setMapOutputKeyClass(Text.class);
    job.setMapOutputValueClass(ArchivePage.class);
    job.setPartitionerClass(ByHost.class);
    job.setReducerClass(PageReducer.class);
    job.setOutputFormatClass(CorpusFiles.Output.class);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(NullWritable.class);
    job.setSpeculativeExecution(false);
    FileOutputFormat.setOutputPath(job, out);
    return job;
  }

  private String summary(Counters counters, long files, String out) {
    StringBuilder summary = new StringBuilder();
    summary.append(
        CorpusFiles.summary(
            name,
            counters,
            files == 1 ? "1 archive" : files + " archives",
            "addresses are no URL with a host",
            out));
    summary.append(
        String.format(
            Locale.ROOT,
            "%n  %d records were read, %d of them pages",
            counters.findCounter(ArchiveCounter.RECORDS).getValue(),
            counters.findCounter(ArchiveCounter.PAGES_READ).getValue()));
    for (ArchiveCounter counter : ArchiveCounter.values()) {
      long count = counters.findCounter(counter).getValue();
      if (counter.meaning() != null && count > 0) {
        summary.append(String.format(Locale.ROOT, "%n  %d %s", count, counter.meaning()));
      }
    }
    return summary.toString();
  }

  /** Records of a file to pages that are written. */
  static final class PageMapper extends Mapper<LongWritable, ArchiveRecord, Text, ArchivePage> {

    private ArchivePages pages;
    private ExportOptions options;
    private ArchivePages.Outcome outcome;

    @Override
    public void run(Context context) throws IOException, InterruptedException {
      Configuration conf = context.getConfiguration();
      ArchiveInput.Split file = (ArchiveInput.Split) context.getInputSplit();
      try {
        pages = new ArchivePages(ArchivePages.engines(conf), conf.getBoolean(LOOK, true));
        options = new ExportOptions(conf);
        String damage = null;
        while (context.nextKeyValue()) {
          String loss = add(context, file.number());
          damage = damage == null ? loss : damage;
        }
        if (damage != null) {
          count(context, ArchiveCounter.DAMAGED_FILES);
          DamageNotes.note(conf, file, damage);
        }
      } catch (IOException | RuntimeException | Error e) {
        TaskFailure.note(conf, e);
        throw e;
      }
    }

    /** Returns a sentence if other records may be lost with this one, otherwise null. */
    private String add(Context context, long file) throws IOException, InterruptedException {
      ArchiveRecord record = context.getCurrentValue();
      long number = context.getCurrentKey().get();
      count(context, ArchiveCounter.RECORDS);
      if (record.kind() == ArchiveRecord.Kind.PROBLEM) {
        return problem(context, record);
      }
      if (record.content().length >= LARGE) {
        Heartbeat.during(context, () -> outcome = pages.read(record, file, number));
      } else {
        outcome = pages.read(record, file, number);
      }
      switch (outcome) {
        case PAGE:
          count(context, ArchiveCounter.PAGES_READ);
          for (ArchivePage page : pages.pages()) {
            if (options.isChosen(page)) {
              context.write(page.key(), page);
            }
          }
          break;
        case NO_PAGE:
          break;
        case DOCUMENT:
          count(context, ArchiveCounter.DOCUMENTS);
          break;
        default:
          count(context, ArchiveCounter.PAGES_READ);
          count(context, ArchiveCounter.valueOf(outcome.name()));
      }
      return null;
    }

    private static String problem(Context context, ArchiveRecord record) {
      switch (record.problem()) {
        case TOO_LONG:
          count(context, ArchiveCounter.TOO_LONG);
          break;
        case BROKEN_HTTP:
          count(context, ArchiveCounter.BROKEN_HTTP);
          break;
        default:
          count(context, ArchiveCounter.BROKEN_RECORDS);
      }
      return record.problem().isLoss() ? record.message() : null;
    }

    private static void count(Context context, ArchiveCounter counter) {
      context.getCounter(counter).increment(1);
    }
  }

  /** Gives a host to one reducer. */
  static final class ByHost extends Partitioner<Text, ArchivePage> {
    @Override
    public int getPartition(Text key, ArchivePage page, int parts) {
      return (page.host().hashCode() & Integer.MAX_VALUE) % parts;
    }
  }

  /** Pages of a URL to one document. */
  static final class PageReducer extends Reducer<Text, ArchivePage, NullWritable, NullWritable> {

    @Override
    public void run(Context context) throws IOException, InterruptedException {
      Configuration conf = context.getConfiguration();
      try {
        CorpusFiles files =
            new CorpusFiles(
                context,
                new CrawlDescription(
                    "Corpulyzer on Apache Hadoop",
                    "archives",
                    conf.get(Settings.LANGUAGE_TARGET),
                    null,
                    null));
        while (context.nextKey()) {
          files.add(first(context));
        }
        // Not after a failure: a file that is closed looks whole.
        files.close();
      } catch (IOException | RuntimeException | Error e) {
        TaskFailure.note(conf, e);
        throw e;
      }
    }

    /** Returns the first page in the order of the inputs. */
    private static ArchivePage first(Context context) throws IOException, InterruptedException {
      ArchivePage first = null;
      long others = -1;
      for (ArchivePage page : context.getValues()) {
        others++;
        if (first == null || page.isBefore(first)) {
          // Hadoop uses the same object for each value.
          first = new ArchivePage(page);
        }
      }
      context.getCounter(ArchiveCounter.DUPLICATE_URLS).increment(others);
      return first;
    }
  }
}
