package org.corpulyzer.corpus;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.MapFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;
import org.apache.hadoop.util.Tool;
import org.corpulyzer.engine.MinHash;

/**
 * Marks the pages of a corpus with their clusters of near duplicates: the same lines that {@code
 * corpulyzer deduplicate --clusters} writes from the same files in the same order. The native
 * library reads the lines and computes the bands of each page, as for the command.
 *
 * <ol>
 *   <li>Pages with a band in common get edges to the first of them.
 *   <li>Edges become stars: every page is joined to the first page of its cluster. The rounds are
 *       those of the command: large-star and small-star (Kiveris et al. 2014), a job each, until
 *       each page that is joined to an earlier one is joined to no other. Their number grows with
 *       the logarithm of the longest chain.
 *   <li>The pages of a cluster are counted, then sorted by file.
 *   <li>Each file is read again beside its sorted pages, and written with the fields.
 * </ol>
 *
 * No task holds more than one record and two numbers of pages, and 8 bytes for each file.
 */
public class ClusterCorpus extends Configured implements Tool {

  private final String name;
  private final Class<?> inJar;

  /** Rounds in which pages are joined. */
  private int round;

  /**
   * @param name name of the command
   * @param inJar a class in the jar of the jobs
   */
  protected ClusterCorpus(String name, Class<?> inJar) {
    this.name = name;
    this.inJar = inJar;
  }

  private String usage() {
    return "Usage: "
        + name
        + " [-keep all|first] [-words <n>] [-bands <n>] [-rows <n>] [-letters] [-list <file>]"
        + " <out> <in> ...\n"
        + "    <out>         - a folder that is not there yet; each input has a file in it\n"
        + "    <in>          - a file of JSON lines, plain or compressed, or a folder of such"
        + " files\n"
        + "    -list <file>  - read more inputs, one path on each line\n"
        + "    -keep first   - write only the first page of each cluster (default: all)\n"
        + "    -words <n>    - words per shingle: 1 to 100 (default: "
        + MinHash.WORDS
        + ")\n"
        + "    -bands <n>    - bands; pages with an equal band are near duplicates (default: "
        + MinHash.BANDS
        + ")\n"
        + "    -rows <n>     - values per band; bands x rows is at most "
        + MinHash.MAX_VALUES
        + " (default: "
        + MinHash.ROWS
        + ")\n"
        + "    -letters      - compare words by their letters only";
  }

  @Override
  public int run(String[] args) throws Exception {
    Configuration conf = new Configuration(getConf());
    Arguments arguments;
    try {
      arguments =
          new Arguments()
              .option("-list")
              .option("-keep", Arguments.words("all", "first"))
              .option("-words", Arguments.whole(1, 100))
              .option("-bands", Arguments.whole(1, MinHash.MAX_VALUES))
              .option("-rows", Arguments.whole(1, MinHash.MAX_VALUES))
              .flag("-letters")
              .read(args, Integer.MAX_VALUE);
      ArchiveCorpus.requirePaths(arguments);
      setShape(conf, arguments);
    } catch (UsageException e) {
      return e.print(name, usage());
    }
    conf.setBoolean(ClusterPasses.FIRST_ONLY, "first".equals(arguments.get("-keep")));
    List<String> inputs = ArchiveCorpus.inputs(conf, arguments);
    String out = arguments.path(0, "out");
    Path folder = Tools.newFolder(out, conf);
    try (RunFolder run = new RunFolder(conf)) {
      TaskFailure.noteIn(conf, run.path("failure"));
      DamageNotes.noteIn(conf, run.path("damaged"));
      long files = ArchiveInput.set(conf, ArchiveInput.Kind.LINES, inputs, run.path("inputs"));
      conf.set(ClusterPasses.PAGES, run.path("pages").toString());
      conf.set(ClusterPasses.OFFSETS, run.path("offsets").toString());
      String summary = join(conf, run, files, folder, out);
      System.out.println(summary);
      List<String> damaged = DamageNotes.sentences(conf, name);
      damaged.forEach(System.err::println);
      return damaged.isEmpty() ? 0 : 1;
    }
  }

  private static void setShape(Configuration conf, Arguments arguments) {
    int bands = number(arguments, "-bands", MinHash.BANDS);
    int rows = number(arguments, "-rows", MinHash.ROWS);
    if (bands * rows > MinHash.MAX_VALUES) {
      throw new UsageException(
          String.format(
              Locale.ROOT,
              "-bands %d -rows %d are %d values; allowed are %d.",
              bands,
              rows,
              bands * rows,
              MinHash.MAX_VALUES));
    }
    ArchiveInput.setShape(
        conf,
        number(arguments, "-words", MinHash.WORDS),
        bands,
        rows,
        arguments.has("-letters") ? 1 : 0);
  }

  private static int number(Arguments arguments, String option, int otherwise) {
    return arguments.has(option) ? Integer.parseInt(arguments.get(option)) : otherwise;
  }

  /** Runs the jobs, and returns the result in lines. */
  private String join(Configuration conf, RunFolder run, long files, Path folder, String out)
      throws IOException, InterruptedException, ClassNotFoundException {
    Job bands = pairs(conf, "bands", run.path("edges"));
    bands.setMapperClass(ClusterPasses.BandMapper.class);
    bands.setInputFormatClass(ArchiveInput.class);
    bands.setReducerClass(ClusterPasses.BandReducer.class);
    Counters read = Tools.run(bands);
    ClusterPasses.writeOffsets(conf, files);

    Path stars = stars(conf, run);
    Job sizes = sorted(conf, "sizes", stars, run.path("sizes"));
    sizes.setMapperClass(ClusterPasses.SizeMapper.class);
    sizes.setMapOutputKeyClass(PagePair.class);
    sizes.setMapOutputValueClass(LongWritable.class);
    sizes.setPartitionerClass(PagePair.Parts.class);
    sizes.setGroupingComparatorClass(PagePair.ByFirst.class);
    sizes.setCombinerClass(SizeSum.class);
    sizes.setReducerClass(ClusterPasses.SizeReducer.class);
    sizes.setOutputFormatClass(SequenceFileOutputFormat.class);
    Counters joined = Tools.run(sizes);

    Job places = sorted(conf, "places", run.path("sizes"), run.path("places"));
    places.setMapperClass(Mapper.class);
    places.setPartitionerClass(ClusterPasses.ByFile.class);
    places.setReducerClass(Reducer.class);
    places.setOutputFormatClass(MapFileOutputFormat.class);
    Tools.run(places);

    conf.set(ClusterPasses.PLACES, run.path("places").toString());
    conf.setInt(ClusterPasses.PARTS, places.getNumReduceTasks());
    Job mark = job(conf, "mark", NullWritable.class, NullWritable.class, folder);
    mark.setInputFormatClass(ArchiveInput.class);
    mark.setMapperClass(ClusterPasses.MarkMapper.class);
    mark.setNumReduceTasks(0);
    mark.setOutputFormatClass(CorpusFiles.Output.class);
    Tools.run(mark, folder);
    return summary(read, joined, mark.getCounters(), files, out);
  }

  /** Joins every page to the first page of its cluster, and returns the folder of these edges. */
  private Path stars(Configuration conf, RunFolder run)
      throws IOException, InterruptedException, ClassNotFoundException {
    Path edges = run.path("edges");
    for (round = 1; ; round++) {
      Path larger = run.path("larger-" + round);
      Job large = pairs(conf, "large-star " + round, larger);
      large.setMapperClass(ClusterPasses.BothMapper.class);
      large.setReducerClass(ClusterPasses.LargeStar.class);
      Counters counters = runOver(large, edges);
      if (counters.findCounter(ClusterCounter.UNFINISHED).getValue() == 0) {
        return larger;
      }
      edges = run.path("smaller-" + round);
      Job small = pairs(conf, "small-star " + round, edges);
      small.setMapperClass(Mapper.class);
      small.setReducerClass(ClusterPasses.SmallStar.class);
      runOver(small, larger);
    }
  }

  /** Runs a job over the output of another, which is deleted then. */
  private static Counters runOver(Job job, Path in)
      throws IOException, InterruptedException, ClassNotFoundException {
    job.setInputFormatClass(SequenceFileInputFormat.class);
    FileInputFormat.addInputPath(job, in);
    Counters counters = Tools.run(job);
    in.getFileSystem(job.getConfiguration()).delete(in, true);
    return counters;
  }

  /** A job from pairs to pairs, whose reducers take the pairs with one first number together. */
  private Job pairs(Configuration conf, String step, Path out) throws IOException {
    Job job = job(conf, step, PagePair.class, NullWritable.class, out);
    job.setPartitionerClass(PagePair.Parts.class);
    job.setGroupingComparatorClass(PagePair.ByFirst.class);
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    return job;
  }

  /** A job to pages with their clusters. */
  private Job sorted(Configuration conf, String step, Path in, Path out) throws IOException {
    Job job = job(conf, step, LongWritable.class, PagePair.class, out);
    job.setInputFormatClass(SequenceFileInputFormat.class);
    FileInputFormat.addInputPath(job, in);
    return job;
  }

  private Job job(
      Configuration conf,
      String step,
      Class<? extends Writable> key,
      Class<? extends Writable> value,
      Path out)
      throws IOException {
    Job job = Job.getInstance(conf, "corpulyzer clusters: " + step);
    job.setJarByClass(inJar);
    job.setOutputKeyClass(key);
    job.setOutputValueClass(value);
    job.setSpeculativeExecution(false);
    FileOutputFormat.setOutputPath(job, out);
    return job;
  }

  /** Sums the sizes of a cluster before they leave a task. */
  static final class SizeSum extends LongSumReducer<PagePair> {}

  private String summary(Counters read, Counters joined, Counters written, long files, String out) {
    StringBuilder summary = new StringBuilder();
    summary.append(
        String.format(
            Locale.ROOT,
            "%s: %d pages in %d files, of which %d are in %d clusters of near duplicates (rounds:"
                + " %d); %d removed: %s",
            name,
            count(read, ClusterCounter.PAGES),
            files,
            count(joined, ClusterCounter.CLUSTERED),
            count(joined, ClusterCounter.CLUSTERS),
            round,
            count(written, ClusterCounter.REMOVED),
            out));
    long bad = count(read, ClusterCounter.BAD_LINES);
    if (bad > 0) {
      summary.append(
          String.format(
              Locale.ROOT,
              "%n  %d lines that are not pages in JSON, or longer than"
                  + " corpulyzer.page.maxBytes, were left out",
              bad));
    }
    return summary.toString();
  }

  private static long count(Counters counters, ClusterCounter counter) {
    return counters.findCounter(counter).getValue();
  }
}
