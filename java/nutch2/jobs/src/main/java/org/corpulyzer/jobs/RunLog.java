package org.corpulyzer.jobs;

import java.io.Closeable;
import java.io.IOException;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.CompareFilter.CompareOp;
import org.apache.hadoop.hbase.util.Bytes;
import org.corpulyzer.corpus.PagesState;
import org.corpulyzer.corpus.RunCounts;
import org.corpulyzer.engine.CorpulyzerException;

/**
 * The data of earlier runs that incremental runs need, in the row {@link #KEY} of the host table:
 * the start ({@code time}) and the settings of the last run that gave every row its score, the run
 * in progress ({@code running}), the target language of the scores ({@code target}), the start of
 * the last run that compared pages ({@code compared}), the counts of the last run over all hosts
 * ({@code counts}), and under policy pages what its choice leaves to the next ({@code pages}).
 *
 * <p>If two runs overlap, a host may keep the score of the slower one. Then neither run is logged,
 * so that the next run scores every host. A run whose client died looks like a run in progress, so
 * the run after a killed run is not logged either.
 */
final class RunLog implements Closeable {

  /** No host has it: it is the key of a host without a name. */
  static final byte[] KEY = HBase.utf8(":");

  private static final byte[] FAMILY = HBaseHostTable.FAMILY;
  private static final byte[] RUNNING = HBase.utf8("running");
  private static final byte[] TIME = HBase.utf8("time");
  private static final byte[] SETTINGS = HBase.utf8("settings");
  private static final byte[] TARGET = HBase.utf8("target");
  private static final byte[] COMPARED = HBase.utf8("compared");
  private static final byte[] COUNTS = HBase.utf8("counts");
  private static final byte[] PAGES = HBase.utf8("pages");

  private final Connection connection;
  private final Table table;
  private final byte[] id = HBase.utf8(UUID.randomUUID().toString());
  private final boolean alone;
  private final long lastTime;
  private final String lastSettings;
  private final long lastCompared;
  private final RunCounts lastCounts;
  private boolean open = true;

  /** Begins a run. */
  RunLog(Configuration conf) throws IOException {
    connection = HBase.connect(conf);
    try {
      table = connection.getTable(HBaseHostTable.name(conf));
      Put begin = new Put(KEY).addColumn(FAMILY, RUNNING, id);
      alone = table.checkAndPut(KEY, FAMILY, RUNNING, null, begin);
      if (!alone) {
        table.put(begin);
      }
      Result last = table.get(new Get(KEY));
      String time = Bytes.toString(last.getValue(FAMILY, TIME));
      lastTime = time == null ? -1 : Long.parseLong(time);
      lastSettings = Bytes.toString(last.getValue(FAMILY, SETTINGS));
      String compared = Bytes.toString(last.getValue(FAMILY, COMPARED));
      lastCompared = compared == null ? 0 : Long.parseLong(compared);
      lastCounts = RunCounts.parse(Bytes.toString(last.getValue(FAMILY, COUNTS)));
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /**
   * @param settings everything on which a score depends in addition to the rows
   * @return why this run must score every host, as the end of a sentence; null if it may continue
   *     from the last run
   */
  String whyFull(String settings) {
    return !alone
        ? "another run is under way or was killed"
        : lastTime < 0
            ? "no run is known after which every row had its score"
            : !settings.equals(lastSettings)
                ? "the last run had other settings or another version of the engine"
                : null;
  }

  /**
   * @return the start of the last run, milliseconds since 1970
   */
  long lastTime() {
    return lastTime;
  }

  /**
   * @return target language of the last run, ISO 639-3; null if there was none. Runs of the first
   *     release left it in the hosts' records alone
   */
  static String lastTarget(Configuration conf) throws IOException {
    TableName name = HBaseHostTable.name(conf);
    try (Connection connection = HBase.connect(conf);
        Admin admin = connection.getAdmin()) {
      if (!admin.tableExists(name)) {
        return null;
      }
      try (Table table = connection.getTable(name)) {
        String target =
            Bytes.toString(
                table.get(new Get(KEY).addColumn(FAMILY, TARGET)).getValue(FAMILY, TARGET));
        return target == null ? HBaseHostTable.language(table) : target;
      }
    }
  }

  /**
   * @return the start of the last run that compared pages by their signatures, milliseconds since
   *     1970; 0 if there was none
   */
  long lastCompared() {
    return lastCompared;
  }

  /**
   * @return the counts of the last run over all hosts; null if there was none
   */
  RunCounts lastCounts() {
    return lastCounts;
  }

  /**
   * @return the state of the last choice by policy pages
   * @throws CorpulyzerException if it is damaged
   */
  static PagesState pages(Configuration conf) throws IOException {
    TableName name = HBaseHostTable.name(conf);
    try (Connection connection = HBase.connect(conf);
        Admin admin = connection.getAdmin()) {
      if (!admin.tableExists(name)) {
        return PagesState.parse(null);
      }
      try (Table table = connection.getTable(name)) {
        return PagesState.parse(Bytes.toString(table.get(new Get(KEY)).getValue(FAMILY, PAGES)));
      }
    } catch (IllegalArgumentException e) {
      throw new CorpulyzerException(
          "Column h:pages of row ':' of the table "
              + name
              + " cannot be read: "
              + e.getMessage()
              + "; delete it.",
          e);
    }
  }

  /** Notes the state of this choice by policy pages. */
  void setPages(PagesState state) throws IOException {
    table.put(new Put(KEY).addColumn(FAMILY, PAGES, HBase.utf8(state.toString())));
  }

  /** Notes the counts of this run over all hosts. */
  void setCounts(RunCounts counts) throws IOException {
    table.put(new Put(KEY).addColumn(FAMILY, COUNTS, HBase.utf8(counts.toString())));
  }

  /** Notes that this run compared all fetched pages. */
  void setCompared(ScoreRun run) throws IOException {
    table.put(new Put(KEY).addColumn(FAMILY, COMPARED, HBase.utf8(Long.toString(run.time()))));
  }

  /** Notes the target language before the first score is written. */
  void setTarget(String target) throws IOException {
    table.put(new Put(KEY).addColumn(FAMILY, TARGET, HBase.utf8(target)));
  }

  /**
   * Takes the last run out of the log, before a run that scores every host, perhaps by other
   * settings.
   */
  void forget() throws IOException {
    table.delete(new Delete(KEY).addColumns(FAMILY, TIME).addColumns(FAMILY, SETTINGS));
  }

  /**
   * Logs this run as one after which every row had its score.
   *
   * @param settings as for {@link #whyFull}
   */
  void end(ScoreRun run, String settings) throws IOException {
    if (alone) {
      RowMutations logged = new RowMutations(KEY);
      logged.add(new Delete(KEY).addColumns(FAMILY, RUNNING));
      logged.add(
          new Put(KEY)
              .addColumn(FAMILY, TIME, HBase.utf8(Long.toString(run.time())))
              .addColumn(FAMILY, SETTINGS, HBase.utf8(settings)));
      open = !table.checkAndMutate(KEY, FAMILY, RUNNING, CompareOp.EQUAL, id, logged);
    }
  }

  /** Ends a run that {@link #end} did not log. */
  @Override
  public void close() throws IOException {
    try {
      if (open
          && !table.checkAndDelete(
              KEY, FAMILY, RUNNING, id, new Delete(KEY).addColumns(FAMILY, RUNNING))) {
        // Another run began meanwhile: it must not be logged, whether it is over or not.
        forget();
        table.put(new Put(KEY).addColumn(FAMILY, RUNNING, HBase.utf8("overlapped")));
      } else if (open && !alone) {
        forget();
      }
    } finally {
      table.close();
      connection.close();
    }
  }
}
