package org.corpulyzer.jobs;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.PriorityQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.lib.output.MapFileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.corpus.Arguments;
import org.corpulyzer.corpus.HostSections;
import org.corpulyzer.corpus.HostSums;
import org.corpulyzer.corpus.HostView;
import org.corpulyzer.corpus.Tools;
import org.corpulyzer.corpus.UsageException;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.engine.Steering;
import org.corpulyzer.engine.Targets;

/** Shows which hosts a crawl prefers, and how the score of one host follows from its rows. */
public class HostReader extends Configured implements Tool {

  private static final String USAGE =
      "Usage: HostReader <crawldb> (-top <n> | -host <host>)\n"
          + "    <crawldb>    - the folder of the CrawlDb\n"
          + "    -top <n>     - print the n hosts of the highest score\n"
          + "    -host <host> - print every page of a host, such as example.com, and how its score"
          + " is computed";

  private static final String[] SCHEMES = {"http://", "https://"};

  /** Characters that can follow the host in a URL. */
  private static final String[] AFTER_HOST = {"#", "/", ":", "?"};

  private final HostView view;

  /** The row that {@link #show} shows. */
  private PageRow page = new PageRow();

  /** Null under other policies than pages. */
  private HostSections sections;

  /** The row that {@link #sections} gets, from its bytes. */
  private SteeringRows facts;

  private final RowBytes bytes = new RowBytes();
  private final DataOutputBuffer buffer = new DataOutputBuffer();

  /** Prints to the standard output. */
  public HostReader() {
    this(System.out);
  }

  HostReader(PrintStream out) {
    view = new HostView(out);
  }

  @Override
  public int run(String[] args) throws IOException {
    Arguments arguments;
    String crawlDb;
    try {
      arguments = new Arguments().option("-top", Arguments.count()).option("-host").read(args, 1);
      crawlDb = arguments.path(0, "crawldb");
      arguments.requireOneOf("-top", "-host");
    } catch (UsageException e) {
      return e.print("HostReader", USAGE);
    }
    CrawlDbFolder folder = new CrawlDbFolder(new Path(crawlDb), getConf()).requireExisting();
    if (arguments.has("-top")) {
      showTop(folder, Integer.parseInt(arguments.get("-top")));
      return 0;
    }
    return explain(folder, arguments.get("-host").toLowerCase(Locale.ROOT)) ? 0 : 1;
  }

  private void showTop(CrawlDbFolder crawlDb, int count) throws IOException {
    HostTable.Run run = HostTable.Run.read(crawlDb.hosts(), getConf());
    if (run == null) {
      throw new CorpulyzerException(
          "The CrawlDb " + crawlDb.path() + " has no host table: run LrlScoreJob first.");
    }
    HostView.Best best = new HostView.Best(count, run.targets().codes());
    try (HostTable hosts = new HostTable(crawlDb.hosts(), getConf())) {
      hosts.forEach(
          (host, record) ->
              best.add(host, record.totals(), record.pages(), record.score().rows(), run.time()));
    }
    view.best(best);
  }

  /**
   * @return whether the host has a row
   */
  private boolean explain(CrawlDbFolder crawlDb, String host) throws IOException {
    Configuration conf = getConf();
    Settings settings = Settings.from(conf::get);
    Engine engine = Engine.of(settings);
    page = new PageRow(settings.zeroesDuplicates());
    HostTable.Run run = HostTable.Run.read(crawlDb.hosts(), conf);
    Targets targets =
        run != null && run.language().equals(engine.target()) ? run.targets() : engine.targets();
    HostSums sums = new HostSums();
    MapFile.Reader[] parts = MapFileOutputFormat.getReaders(crawlDb.current(), conf);
    boolean hasSections = settings.scorePolicy() == Settings.ScorePolicy.PAGES;
    try (HostSections found = hasSections ? new HostSections(settings) : null) {
      sections = found;
      facts = new SteeringRows(settings, targets);
      for (String scheme : SCHEMES) {
        CrawlDatum bare = new CrawlDatum();
        for (MapFile.Reader part : parts) {
          if (part.get(new Text(scheme + host), bare) != null) {
            show(scheme + host, bare, host, sums, targets);
          }
        }
        for (String after : AFTER_HOST) {
          showRange(parts, scheme + host + after, host, sums, targets);
        }
      }
      if (hasSections) {
        sections.print(view);
      }
    } finally {
      IOUtils.cleanupWithLogger(null, parts);
    }
    HostRecord record = null;
    if (run != null) {
      try (HostTable hosts = new HostTable(crawlDb.hosts(), conf)) {
        record = hosts.find(host);
      }
    }
    if (sums.pages() == 0 && record == null) {
      System.err.println("HostReader: " + crawlDb.path() + " has no page of " + host + ".");
      return false;
    }
    view.score(sums, engine.scores(sums.totals().weighted(targets))[0], targets, sums.probe());
    if (hasSections) {
      view.print(HostView.BY_PAGE);
    }
    if (record == null) {
      view.print("Not scored yet: run LrlCrawlDb or LrlScoreJob.");
    } else {
      view.print(
          "Last scored %s: %s from %s, %s, engine %s",
          run.time(), record.score().rows(), record.totals(), run.language(), run.version());
      if (record.pages() != sums.pages()) {
        view.print(
            "The host had %d rows then. Rows whose URL has a user name, upper-case letters in the"
                + " host or a scheme other than http and https are not shown.",
            record.pages());
      }
    }
    return true;
  }

  /** Shows the rows of all parts whose URLs have this beginning, in the order of URLs. */
  private void showRange(
      MapFile.Reader[] parts, String beginning, String host, HostSums sums, Targets targets)
      throws IOException {
    PriorityQueue<Cursor> cursors = new PriorityQueue<>();
    byte[] prefix = beginning.getBytes(StandardCharsets.UTF_8);
    for (MapFile.Reader part : parts) {
      Cursor cursor = new Cursor(part, prefix);
      if (cursor.seek()) {
        cursors.add(cursor);
      }
    }
    while (!cursors.isEmpty()) {
      Cursor next = cursors.remove();
      show(next.url.toString(), next.datum, host, sums, targets);
      if (next.advance()) {
        cursors.add(next);
      }
    }
  }

  private void show(String url, CrawlDatum datum, String host, HostSums sums, Targets targets)
      throws IOException {
    String language = String.join(",", targets.codes());
    // `http://a.example:x@b.example/` begins with a host that is not its own.
    if (!host.equals(HostCursor.hostOf(url))) {
      return;
    }
    if (sums.pages() == 0) {
      view.heading(language);
    }
    page.read(datum).at(new Text(url));
    sums.add(page, page.score(), true, targets);
    view.row(
        new HostView.Row(url, CrawlDatum.getStatusName(page.status()))
            .score(page.score())
            .figures(page.languages(), page.bytesIn(language), page.isFetched())
            .decision(page.decision())
            .marks(page.isInjected(), page.isFound(), page.isElsewhere())
            .probability(sections == null ? Float.NaN : sections.add(steering(url, datum))));
  }

  private Steering.Row steering(String url, CrawlDatum datum) throws IOException {
    buffer.reset();
    datum.write(buffer);
    return facts.read(0, new Text(url), bytes.set(buffer.getData(), buffer.getLength()));
  }

  /** A place in a part. */
  private static final class Cursor implements Comparable<Cursor> {

    private final MapFile.Reader part;
    private final byte[] prefix;
    private final Text url = new Text();
    private final CrawlDatum datum = new CrawlDatum();

    Cursor(MapFile.Reader part, byte[] prefix) {
      this.part = part;
      this.prefix = prefix;
    }

    /**
     * @return whether a row begins with the prefix
     */
    boolean seek() throws IOException {
      Text first = (Text) part.getClosest(new Text(prefix), datum);
      if (first == null) {
        return false;
      }
      url.set(first);
      return HostCursor.startsWith(url, prefix);
    }

    boolean advance() throws IOException {
      return part.next(url, datum) && HostCursor.startsWith(url, prefix);
    }

    @Override
    public int compareTo(Cursor other) {
      return url.compareTo(other.url);
    }
  }

  /** {@code <crawldb> (-top <n> | -host <host>)} */
  public static void main(String[] args) {
    Tools.main(NutchConfiguration.create(), new HostReader(), args);
  }
}
