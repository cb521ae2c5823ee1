package org.corpulyzer.jobs;

import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.crawl.FetchSchedule;
import org.apache.nutch.crawl.FetchScheduleFactory;
import org.apache.nutch.net.URLFilterException;
import org.apache.nutch.net.URLFilters;
import org.corpulyzer.corpus.DueRows;
import org.corpulyzer.corpus.OneTask;
import org.corpulyzer.corpus.PagesState;
import org.corpulyzer.corpus.RowSums;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.engine.Steering;
import org.corpulyzer.engine.Targets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Policy pages: chooses the rows of the next {@code generate}, of {@link Settings#SCORE_TOP_N}
 * rows. The choice needs the sums of all hosts at once, so one task reads all rows, in the order of
 * their URLs. It predicts those that are due, and charges the results of the last choice. Memory
 * grows by a few hundred bytes for each host; the rows that are due wait in a local file, about 100
 * bytes each. The output is what {@link RowChoice} reads, and the {@link PagesState}.
 */
final class PagesPass {

  private static final Logger LOG = LoggerFactory.getLogger(PagesPass.class);
  private static final String CURRENT = "crp.pages.current";
  private static final String HOSTS = "crp.pages.hosts";
  private static final String LAST = "crp.pages.last";
  private static final String TARGETS = "crp.pages.targets";

  /** Rows after which the task tells Hadoop that it lives. */
  private static final int ROWS_OF_A_STEP = 1 << 16;

  private PagesPass() {}

  /**
   * @param conf Nutch's configuration; it is copied
   * @param targets with the weight of each language in the scores
   * @param current the parts of CrawlDb
   * @param marks the statuses that change; null if none does
   * @param hosts the host table of this run
   * @param last the host table of the last run
   * @param choice a folder for the output; it does not exist
   */
  static Job job(
      Configuration conf,
      Targets targets,
      Path current,
      Path marks,
      Path hosts,
      Path last,
      Path choice)
      throws IOException {
    Job job = Job.getInstance(conf, "corpulyzer choice of pages: " + current.getParent());
    job.setJarByClass(CrawlDb.class);
    job.getConfiguration().set(CURRENT, current.toString());
    job.getConfiguration().set(HOSTS, hosts.toString());
    job.getConfiguration().set(LAST, last.toString());
    job.getConfiguration().set(TARGETS, targets.toString());
    DuplicateMarks.set(job, marks);
    OneTask.set(job, ChoiceMapper.class, choice);
    return job;
  }

  /**
   * @return the parts of a CrawlDb, sorted by name
   */
  private static List<Path> parts(Path current, Configuration conf) throws IOException {
    FileSystem files = current.getFileSystem(conf);
    return Arrays.stream(files.listStatus(current, path -> path.getName().startsWith("part-")))
        .map(status -> status.getPath())
        .sorted()
        .collect(Collectors.toList());
  }

  /** Chooses the rows. */
  static final class ChoiceMapper
      extends Mapper<NullWritable, NullWritable, NullWritable, NullWritable> {

    @Override
    public void run(Context context) throws IOException, InterruptedException {
      Filters filters = new Filters(context.getConfiguration());
      // Rows were filtered when they came into CrawlDb. Only if the filters have changed since, all
      // rows that are due are filtered.
      if (!choose(context, filters, false)) {
        choose(context, filters, true);
      }
    }

    /**
     * @param filtersAll whether rows that the filters refuse are left out
     * @return whether the filters allow all chosen rows; otherwise nothing has been decided
     */
    private static boolean choose(Context context, Filters filters, boolean filtersAll)
        throws IOException, InterruptedException {
      Configuration conf = context.getConfiguration();
      List<Path> parts = parts(new Path(conf.get(CURRENT)), conf);
      PagesState last = PagesState.read(new Path(conf.get(LAST)), conf);
      Path out = FileOutputFormat.getWorkOutputPath(context);
      File file = File.createTempFile("corpulyzer-due", ".rows");
      Settings settings = Settings.from(conf::get);
      try (Steering steering = new Steering(Engine.of(settings), last.steering());
          DueRows due = new DueRows(file.toPath());
          Rows rows = new Rows(conf, settings, parts.size(), filtersAll ? filters : null)) {
        RowSums sums = new RowSums(steering, last.round());
        try (MergedRows merged = new MergedRows(conf, parts)) {
          rows.read(merged, sums, due, context::progress);
        }
        Steering.Review review = steering.reviewed();
        steering.begin(settings.scoreTopN(), perHost(conf));
        try (Predictions predictions = new Predictions(conf, out, parts)) {
          due.read(
              batch -> {
                context.progress();
                steering.consider(batch, predictions::write);
              });
        }
        Steering.Choice choice = steering.choose();
        if (!filtersAll && due.anyChosen(choice, filters::refuse)) {
          return false;
        }
        int round = sums.nextRound();
        RowChoice.write(out, conf, round, choice, parts);
        RowChoice.writeRefused(out, conf, rows.refused, parts);
        last.next(round, choice, review).write(out, conf);
        return true;
      }
    }

    private static int perHost(Configuration conf) {
      int count = conf.getInt("generate.max.count", -1);
      return count < 0 ? Integer.MAX_VALUE : Math.max(1, count);
    }
  }

  /** Nutch's URL filters, which {@code generate} applies. */
  private static final class Filters {
    private final URLFilters filters;

    Filters(Configuration conf) {
      filters = new URLFilters(conf);
    }

    boolean refuse(String url) {
      try {
        return filters.filter(url) == null;
      } catch (URLFilterException e) {
        LOG.warn("{} cannot be filtered", url, e);
        return false; // As in generate.
      }
    }
  }

  /** The rows of CrawlDb as {@link Steering} takes them. */
  private static final class Rows implements Closeable {
    private final SteeringRows facts;
    private final DuplicateMarks marks;
    private final FetchSchedule schedule;
    private final CrawlDatum bare = new CrawlDatum();
    private final long now = System.currentTimeMillis();
    private final int parts;

    /** Null if no host is stopped. */
    private final HostTable hosts;

    /** Null if rows are not filtered. */
    private final Filters filters;

    /** Rows that are due and refused, by the parts of CrawlDb. */
    final List<BitSet> refused = new ArrayList<>();

    private String host = "";
    private boolean isStopped;

    Rows(Configuration conf, Settings settings, int parts, Filters filters) throws IOException {
      this.parts = parts;
      this.filters = filters;
      for (int part = 0; part < parts; part++) {
        refused.add(new BitSet());
      }
      facts = new SteeringRows(settings, Targets.of(conf.get(TARGETS)));
      marks = DuplicateMarks.of(conf);
      schedule = FetchScheduleFactory.getFetchSchedule(conf);
      hosts = settings.stopsHosts() ? new HostTable(new Path(conf.get(HOSTS)), conf) : null;
    }

    /** Adds up all rows, and finds those that are due. */
    void read(MergedRows merged, RowSums sums, DueRows due, Runnable step) throws IOException {
      long count = 0;
      for (MergedRows.Part at = merged.next(); at != null; at = merged.next()) {
        if (++count % ROWS_OF_A_STEP == 0) {
          step.run();
        }
        Text url = at.rows().key();
        RowBytes bytes = at.rows().row();
        bytes.setStatus(marks.read(url, bytes).status());
        Steering.Row row = facts.read(number(at), url, bytes);
        if (row == null) {
          continue;
        }
        sums.add(row, facts.round(), facts.hasResult());
        bytes.readBare(bare);
        if (schedule.shouldFetch(url, bare, now) && !isStopped()) {
          if (filters != null && filters.refuse(url.toString())) {
            refused.get(at.number()).set(at.row());
          } else {
            due.add(row);
          }
        }
      }
      sums.end();
    }

    /** A number from which {@link Predictions} finds the part and the row again. */
    private int number(MergedRows.Part at) throws IOException {
      long number = (long) at.row() * parts + at.number();
      if (number >>> Integer.SIZE != 0) {
        throw new IOException("policy pages numbers at most 2^32 rows of a CrawlDb");
      }
      return (int) number;
    }

    private boolean isStopped() throws IOException {
      if (hosts != null && !host.equals(facts.host())) {
        host = facts.host();
        HostRecord record = hosts.find(host);
        isStopped = record != null && record.score().stop() != null;
      }
      return isStopped;
    }

    @Override
    public void close() throws IOException {
      marks.close();
      if (hosts != null) {
        hosts.close();
      }
    }
  }

  /** The predictions of the rows that are due, in a file for each part of CrawlDb. */
  private static final class Predictions implements Closeable {
    private final List<DataOutputStream> files = new ArrayList<>();

    Predictions(Configuration conf, Path folder, List<Path> parts) throws IOException {
      for (Path part : parts) {
        Path file = new Path(folder, part.getName());
        files.add(file.getFileSystem(conf).create(file));
      }
    }

    void write(int number, Steering.Prediction prediction) throws IOException {
      RowChoice.write(
          files.get(Integer.remainderUnsigned(number, files.size())),
          Integer.divideUnsigned(number, files.size()),
          prediction);
    }

    @Override
    public void close() throws IOException {
      try {
        for (DataOutputStream file : files) {
          file.close();
        }
      } finally {
        IOUtils.cleanupWithLogger(null, files.toArray(new Closeable[0]));
      }
    }
  }
}
