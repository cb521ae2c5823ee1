package org.corpulyzer.jobs;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.nutch.net.URLFilterException;
import org.apache.nutch.net.URLFilters;
import org.apache.nutch.util.NutchJob;
import org.corpulyzer.corpus.DueRows;
import org.corpulyzer.corpus.OneTask;
import org.corpulyzer.corpus.PagesState;
import org.corpulyzer.corpus.RowSums;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.RowPrediction;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.engine.Steering;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Policy pages: chooses the rows of the next {@code generate}, of {@link Settings#SCORE_TOP_N}
 * rows. The choice needs the sums of all hosts at once, so one task reads all rows. It predicts
 * those that are due, and charges the results of the last choice. Memory grows by a few hundred
 * bytes for each host; the rows that are due wait in local files, about 200 bytes each. The output
 * is what {@link RowChoice} reads, and the {@link PagesState}.
 */
final class PagesPass {

  private static final Logger LOG = LoggerFactory.getLogger(PagesPass.class);
  private static final String HOSTS = "crp.pages.hosts";
  private static final String LAST = "crp.pages.last";

  /** Rows after which the task tells Hadoop that it lives. */
  private static final int ROWS_OF_A_STEP = 1 << 16;

  private PagesPass() {}

  /**
   * @param hosts the records of all hosts that {@link HostPass} wrote in this run
   * @param last a folder with the state of the last choice
   * @param choice a folder for the output; it does not exist
   */
  static Job job(Configuration conf, WebTable table, Path hosts, Path last, Path choice)
      throws IOException {
    Job job = NutchJob.getInstance(conf, "corpulyzer choice of pages");
    job.getConfiguration().set(HOSTS, hosts.toString());
    job.getConfiguration().set(LAST, last.toString());
    OneTask.set(job, ChoiceMapper.class, choice);
    return job;
  }

  /** Chooses the rows. */
  static final class ChoiceMapper
      extends Mapper<NullWritable, NullWritable, NullWritable, NullWritable> {

    @Override
    public void run(Context context) throws IOException, InterruptedException {
      Filters filters = new Filters(context.getConfiguration());
      // Rows were filtered when they came into the table. Only if the filters have changed since,
      // all rows that are due are filtered.
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
      Settings settings = Settings.from(conf::get);
      PagesState last = PagesState.read(new Path(conf.get(LAST)), conf);
      try (Steering steering = new Steering(Engine.of(settings), last.steering());
          DueRows due = new DueRows(temporary("due"));
          Entries entries = new Entries();
          Rows rows = new Rows(conf, settings, filtersAll ? filters : null)) {
        RowSums sums = new RowSums(steering, last.round());
        rows.read(sums, due, entries, context::progress);
        Steering.Review review = steering.reviewed();
        steering.begin(settings.scoreTopN(), perHost(conf));
        due.read(
            batch -> {
              context.progress();
              steering.consider(batch, entries::predicted);
            });
        Steering.Choice choice = steering.choose();
        if (!filtersAll && due.anyChosen(choice, filters::refuse)) {
          return false;
        }
        Path out = FileOutputFormat.getWorkOutputPath(context);
        int round = sums.nextRound();
        entries.write(out, conf, round, choice);
        last.next(round, choice, review).write(out, conf);
        return true;
      }
    }

    private static int perHost(Configuration conf) {
      int count = conf.getInt("generate.max.count", -1);
      return count < 0 ? Integer.MAX_VALUE : Math.max(1, count);
    }
  }

  private static java.nio.file.Path temporary(String name) throws IOException {
    return File.createTempFile("corpulyzer-" + name, ".rows").toPath();
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
        return true; // As in generate.
      }
    }
  }

  private static Map<Integer, Float> scores(Steering.Choice choice) {
    int[] rows = choice.rows();
    float[] scores = choice.scores();
    Map<Integer, Float> chosen = new HashMap<>();
    for (int i = 0; i < rows.length; i++) {
      chosen.put(rows[i], scores[i]);
    }
    return chosen;
  }

  /** The rows of the web table as {@link Steering} takes them. */
  private static final class Rows implements Closeable {
    private final SteeringRows facts;
    private final Connection connection;
    private final Table table;
    private final ResumingScanner scanner;

    /** Null if no host is stopped. */
    private final HostScores hosts;

    /** Null if rows are not filtered. */
    private final Filters filters;

    private String host = "";
    private boolean isStopped;

    Rows(Configuration conf, Settings settings, Filters filters) throws IOException {
      this.filters = filters;
      WebTable webTable = WebTable.of(conf);
      facts = new SteeringRows(conf, webTable);
      hosts = settings.stopsHosts() ? new HostFiles(new Path(conf.get(HOSTS)), conf) : null;
      connection = HBase.connect(conf);
      table = connection.getTable(webTable.name());
      scanner = new ResumingScanner(table, SteeringRows.columns(webTable, settings).scan());
    }

    /** Adds up all rows, and finds those that are due. */
    void read(RowSums sums, DueRows due, Entries entries, Runnable step) throws IOException {
      int id = 0;
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        if (++id % ROWS_OF_A_STEP == 0) {
          step.run();
        }
        if (id < 0) {
          throw new IOException("policy pages numbers at most 2^31 rows of a web table");
        }
        Steering.Row row = facts.read(id, result);
        if (row == null) {
          continue;
        }
        sums.add(row, facts.round(), facts.hasResult());
        boolean isDue = facts.isDue() && !isStopped();
        boolean isRefused = isDue && filters != null && filters.refuse(facts.url());
        if (isDue && !isRefused) {
          due.add(row);
        }
        entries.add(id, facts, isRefused, isDue);
      }
      sums.end();
    }

    private boolean isStopped() throws IOException {
      if (hosts != null && !host.equals(facts.host())) {
        host = facts.host();
        HostRecord record = hosts.find(host);
        isStopped = record != null && record.score() < 0;
      }
      return isStopped;
    }

    @Override
    public void close() throws IOException {
      scanner.close();
      table.close();
      connection.close();
      if (hosts != null) {
        hosts.close();
      }
    }
  }

  /**
   * The keys of the rows that may get an {@link RowChoice.Entry}, and the predictions of those that
   * are due, in files, because scores are known at the end only. Closing deletes the files.
   */
  private static final class Entries implements Closeable {
    private static final int REFUSED = 1;
    private static final int UNFETCHED = 2;
    private static final int PREDICTED = 4;

    private final java.nio.file.Path keyFile = temporary("keys");
    private final java.nio.file.Path predictionFile = temporary("predictions");
    private final DataOutputStream keys = output(keyFile);
    private final DataOutputStream predictions = output(predictionFile);

    Entries() throws IOException {}

    private static DataOutputStream output(java.nio.file.Path file) throws IOException {
      return new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)));
    }

    void add(int id, SteeringRows facts, boolean isRefused, boolean isDue) throws IOException {
      boolean isUnfetched = facts.isUnfetched();
      boolean forgets = isUnfetched && facts.hasPrediction();
      if (isDue || forgets) {
        byte[] key = facts.key();
        keys.writeInt(id);
        keys.writeByte(
            (isRefused ? REFUSED : 0) | (isUnfetched ? UNFETCHED : 0) | (forgets ? PREDICTED : 0));
        keys.writeInt(key.length);
        keys.write(key);
      }
    }

    void predicted(int id, Steering.Prediction prediction) throws IOException {
      predictions.writeInt(id);
      predictions.writeByte(prediction.level());
      predictions.writeFloat(prediction.section());
      predictions.writeFloat(prediction.probability());
      predictions.writeFloat(prediction.score());
    }

    /**
     * Writes what {@link RowChoice} reads. A chosen row has its expected bytes, a probe those of
     * the row beside which it stands, and all other rows less than these. New seeds keep the score
     * of seeds.
     *
     * <p>A choice changes the score of almost every row a little. So a row that is not chosen may
     * keep a stored score that is within {@link RowChoice#TOLERANCE} of the wanted one, and less
     * than those of the choice.
     */
    void write(Path folder, Configuration conf, int round, Steering.Choice choice)
        throws IOException {
      keys.writeInt(0);
      keys.close();
      predictions.writeInt(0);
      predictions.close();
      Map<Integer, Float> chosen = scores(choice);
      chosen.values().removeIf(score -> score == 0);
      float least = chosen.values().stream().min(Float::compare).orElse(Float.MAX_VALUE);
      float most = Math.nextDown(least);
      float tolerance = chosen.isEmpty() ? 0 : RowChoice.TOLERANCE * least;
      try (DataInputStream rows = input(keyFile);
          DataInputStream predicted = input(predictionFile);
          MapFile.Writer out = RowChoice.writer(folder, conf)) {
        int next = predicted.readInt();
        for (int id = rows.readInt(); id != 0; id = rows.readInt()) {
          int flags = rows.readByte();
          byte[] key = new byte[rows.readInt()];
          rows.readFully(key);
          float score = (flags & REFUSED) != 0 ? 0 : Float.NaN;
          float near = 0;
          String text = (flags & PREDICTED) != 0 ? "" : null;
          if (next == id) {
            Steering.Prediction prediction = prediction(predicted);
            next = predicted.readInt();
            Float place = chosen.get(id);
            score = place == null ? Math.min(prediction.score(), most) : place;
            near = place == null ? tolerance : 0;
            if (place != null && (flags & UNFETCHED) != 0) {
              text = new RowPrediction(round, prediction).toString();
            }
          }
          if (!Float.isNaN(score) || text != null) {
            // A score below 0 is that of a stopped host.
            float lowest = Math.max(0, score - near);
            float highest = near == 0 ? score : Math.min(most, score + near);
            out.append(new Text(key), new RowChoice.Entry(score, lowest, highest, text));
          }
        }
      }
    }

    private static Steering.Prediction prediction(DataInputStream in) throws IOException {
      return new Steering.Prediction(in.readByte(), in.readFloat(), in.readFloat(), in.readFloat());
    }

    private static DataInputStream input(java.nio.file.Path file) throws IOException {
      return new DataInputStream(new BufferedInputStream(Files.newInputStream(file)));
    }

    @Override
    public void close() throws IOException {
      keys.close();
      predictions.close();
      Files.deleteIfExists(keyFile);
      Files.deleteIfExists(predictionFile);
    }
  }
}
