package org.corpulyzer.jobs;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.util.Tool;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.util.NutchConfiguration;
import org.apache.nutch.util.TableUtil;
import org.corpulyzer.corpus.Arguments;
import org.corpulyzer.corpus.HostSections;
import org.corpulyzer.corpus.HostSums;
import org.corpulyzer.corpus.HostView;
import org.corpulyzer.corpus.Tools;
import org.corpulyzer.corpus.UsageException;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.HostScore;
import org.corpulyzer.engine.RowKeys;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.jobs.PageRow.Column;

/** Shows which hosts a crawl prefers, and why one host has the score that it has. */
public class HostReader extends Configured implements Tool {

  private static final String USAGE =
      "Usage: HostReader (-top <n> | -host <host>) [-crawlId <id>]\n"
          + "    -top <n>       - the n hosts of the highest score\n"
          + "    -host <host>   - every page of a host and how its score is computed; example.com"
          + " or com.example\n"
          + "    -crawlId <id>  - the id to prefix the schemas to operate on (default:"
          + " storage.crawl.id)";
  private final HostView view;

  /** Null under other policies than pages. */
  private HostSections sections;

  /** The row that {@link #sections} gets; null under other policies. */
  private SteeringRows facts;

  /** Prints to the standard output. */
  public HostReader() {
    this(System.out);
  }

  HostReader(PrintStream out) {
    view = new HostView(out);
  }

  @Override
  public int run(String[] args) throws IOException {
    Configuration conf = new Configuration(getConf());
    Arguments arguments;
    try {
      arguments =
          new Arguments()
              .option("-top", Arguments.count())
              .option("-host")
              .option("-crawlId")
              .read(args, 0);
      arguments.requireOneOf("-top", "-host");
    } catch (UsageException e) {
      return e.print("HostReader", USAGE);
    }
    if (arguments.has("-crawlId")) {
      conf.set(Nutch.CRAWL_ID_KEY, arguments.get("-crawlId"));
    }
    WebTable table = WebTable.of(conf);
    try (Connection connection = HBase.connect(conf)) {
      if (arguments.has("-top")) {
        showTop(conf, connection, Integer.parseInt(arguments.get("-top")));
        return 0;
      }
      requireTable(connection, table.name(), "inject seeds first, or correct -crawlId");
      return explain(conf, connection, table, arguments.get("-host")) ? 0 : 1;
    }
  }

  private static void requireTable(Connection connection, TableName name, String fix)
      throws IOException {
    if (!exists(connection, name)) {
      throw new CorpulyzerException("HBase has no table '" + name + "': " + fix + ".");
    }
  }

  private static boolean exists(Connection connection, TableName name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.tableExists(name);
    }
  }

  private void showTop(Configuration conf, Connection connection, int count) throws IOException {
    requireTable(
        connection, HBaseHostTable.name(conf), "run LrlScoreJob first, or correct -crawlId");
    HostView.Best best = new HostView.Best(count);
    try (HostTable hosts = HBaseHostTable.open(conf)) {
      hosts.forEach(
          record ->
              best.add(
                  TableUtil.unreverseHost(record.host()),
                  record.totals(),
                  record.pages(),
                  record.score(),
                  Instant.ofEpochMilli(record.time()).toString()));
    }
    view.best(best);
  }

  /**
   * @return whether the host has a row
   */
  private boolean explain(Configuration conf, Connection connection, WebTable table, String asked)
      throws IOException {
    Settings settings = Settings.from(conf::get);
    settings.requireOneTarget("Nutch 2.4");
    Engine engine = Engine.of(settings);
    boolean hasSections = settings.scorePolicy() == Settings.ScorePolicy.PAGES;
    for (String host : new String[] {TableUtil.reverseHost(asked), asked}) {
      try (HostSections found = hasSections ? new HostSections(settings) : null) {
        sections = found;
        facts = hasSections ? new SteeringRows(conf, table) : null;
        HostSums sums =
            showRows(connection, table, columns(table, settings), host, engine.target());
        if (sums.pages() > 0) {
          if (hasSections) {
            sections.print(view);
          }
          showScore(conf, connection, host, sums, engine);
          if (hasSections) {
            view.print(HostView.BY_PAGE);
          }
          return true;
        }
      }
    }
    System.err.println(
        "HostReader: "
            + table.name()
            + " has no page of "
            + asked
            + "; hosts are compared letter by letter.");
    return false;
  }

  private static PageRow columns(WebTable table, Settings settings) {
    Set<Column> columns =
        EnumSet.of(
            Column.STATUS,
            Column.SCORE,
            Column.INJECTED,
            Column.FOUND,
            Column.ELSEWHERE,
            Column.LANGUAGES,
            Column.DECISION,
            Column.RAW_BYTES,
            Column.LINK_COUNTS,
            Column.PREDICTION);
    if (settings.zeroesDuplicates()) {
      columns.add(Column.DUPLICATE);
    }
    return new PageRow(table, columns.toArray(new Column[0]));
  }

  private HostSums showRows(
      Connection connection, WebTable web, PageRow row, String host, String language)
      throws IOException {
    HostSums sums = new HostSums();
    HostCursor cursor = new HostCursor();
    Scan scan =
        row.scan()
            .setStartRow(HBase.utf8(RowKeys.startKey(host)))
            .setStopRow(HBase.utf8(RowKeys.endKey(host)));
    try (Table table = connection.getTable(web.name());
        ResultScanner rows = table.getScanner(scan)) {
      for (Result result : rows) {
        row.read(result);
        cursor.moveTo(row.first());
        if (host.equals(cursor.host())) {
          if (sums.pages() == 0) {
            view.heading(language);
          }
          showRow(row, result, sums, language);
        }
      }
    }
    return sums;
  }

  private void showRow(PageRow row, Result result, HostSums sums, String language)
      throws IOException {
    sums.add(row, row.score(), true, language);
    String status = CrawlStatus.getName((byte) row.status());
    view.row(
        new HostView.Row(RowKeys.url(row.key()), status == null ? "status " + row.status() : status)
            .score(row.score())
            .figures(row.text(Column.LANGUAGES), row.bytesIn(language), row.isFetched())
            .decision(row.text(Column.DECISION))
            .marks(row.isInjected(), row.isFound(), row.isElsewhere())
            .probability(sections == null ? Float.NaN : sections.add(facts.read(0, result))));
  }

  private void showScore(
      Configuration conf, Connection connection, String host, HostSums sums, Engine engine)
      throws IOException {
    HostScore score = engine.scores(sums.totals())[0];
    view.score(
        sums, score, engine.target(), sums.probe().isEmpty() ? "" : RowKeys.url(sums.probe()));
    HostRecord record = null;
    if (exists(connection, HBaseHostTable.name(conf))) {
      try (HostTable hosts = HBaseHostTable.open(conf)) {
        record = hosts.find(host);
      }
    }
    view.print(
        record == null
            ? "Not scored yet: run LrlDbUpdaterJob or LrlScoreJob."
            : "Last scored %s, batch %s: %s from %s, %s, engine %s",
        record == null
            ? new Object[0]
            : new Object[] {
              Instant.ofEpochMilli(record.time()),
              record.batch(),
              record.score(),
              record.totals(),
              record.language(),
              record.version()
            });
  }

  /** {@code (-top <n> | -host <host>) [-crawlId <id>]} */
  public static void main(String[] args) {
    Tools.main(NutchConfiguration.create(), new HostReader(), args);
  }
}
