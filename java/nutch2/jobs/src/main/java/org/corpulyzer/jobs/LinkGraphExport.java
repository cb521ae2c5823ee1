package org.corpulyzer.jobs;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.gora.hbase.store.HBaseColumn;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.NutchConfiguration;
import org.apache.nutch.util.NutchJob;
import org.apache.nutch.util.TableUtil;
import org.corpulyzer.corpus.Arguments;
import org.corpulyzer.corpus.LinkGraph;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.corpus.Tools;
import org.corpulyzer.corpus.UsageException;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.jobs.PageRow.Column;

/**
 * Writes a crawl's links as text for {@code corpulyzer simulate --graph}: a {@link LinkGraph} line
 * for each row of the web table. A page's key is its row key.
 */
public class LinkGraphExport extends Configured implements Tool {

  private static final String USAGE =
      "Usage: LinkGraphExport [-crawlId <id>] <out>\n"
          + "    <out>         - a folder that is not there yet; part files are written to it, a"
          + " region each\n"
          + "    -crawlId <id> - the id to prefix the schemas to operate on (default:"
          + " storage.crawl.id)";

  @Override
  public int run(String[] args) throws Exception {
    Configuration conf = HBase.configuration(getConf());
    String out;
    try {
      Arguments arguments = new Arguments().option("-crawlId").read(args, 1);
      out = arguments.path(0, "out");
      if (arguments.has("-crawlId")) {
        conf.set(Nutch.CRAWL_ID_KEY, arguments.get("-crawlId"));
      }
    } catch (UsageException e) {
      return e.print("LinkGraphExport", USAGE);
    }
    Settings.from(conf::get).requireOneTarget("Nutch 2.4");
    WebTable table = WebTable.existing(conf);
    Path folder = Tools.newFolder(out, conf);
    Job job = job(conf, table, folder);
    Tools.run(job, folder);
    System.out.println(
        "LinkGraphExport: "
            + job.getCounters().findCounter(ScoreCounter.PAGES).getValue()
            + " pages of "
            + table.name()
            + " written to "
            + out);
    return 0;
  }

  static Job job(Configuration conf, WebTable table, Path out) throws IOException {
    Job job = NutchJob.getInstance(conf, "corpulyzer link graph");
    Scan scan = LineMapper.columns(table).scan();
    scan.addFamily(table.column(WebPage.Field.OUTLINKS).getFamily());
    RegionInputFormat.setInput(job, table.name(), scan, null);
    job.setMapperClass(LineMapper.class);
    job.setNumReduceTasks(0);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(NullWritable.class);
    job.setOutputFormatClass(TextOutputFormat.class);
    FileOutputFormat.setOutputPath(job, out);
    job.setSpeculativeExecution(false);
    return job;
  }

  /** Rows to lines. */
  static final class LineMapper extends Mapper<NullWritable, Result, Text, NullWritable> {

    private final HostCursor cursor = new HostCursor();
    private final ScoreCounter.Tally tally = new ScoreCounter.Tally();
    private final Text line = new Text();
    private final LinkGraph graph = new LinkGraph();
    private PageRow row;
    private HBaseColumn outlinks;
    private String language;

    static PageRow columns(WebTable table) {
      return new PageRow(table, Column.STATUS, Column.INJECTED, Column.LANGUAGES, Column.RAW_BYTES);
    }

    @Override
    protected void setup(Context context) throws IOException {
      WebTable table = WebTable.of(context.getConfiguration());
      row = columns(table);
      outlinks = table.column(WebPage.Field.OUTLINKS);
      language = Engine.of(Settings.from(context.getConfiguration()::get)).target();
    }

    @Override
    protected void map(NullWritable none, Result result, Context context)
        throws IOException, InterruptedException {
      row.read(result);
      cursor.moveTo(row.first());
      String host = cursor.host() == null ? "" : TableUtil.unreverseHost(cursor.host());
      if (!LinkGraph.isHost(host)) {
        tally.count(ScoreCounter.MALFORMED_KEYS);
        return;
      }
      tally.count(ScoreCounter.PAGES);
      line.set(
          LinkGraph.line(
              host,
              graph.name(CellUtil.cloneRow(row.first())),
              state(),
              row.isInjected(),
              row.bytesIn(language),
              row.bytes(Column.RAW_BYTES),
              links(result)));
      context.write(line, NullWritable.get());
    }

    private LinkGraph.State state() {
      int status = row.status();
      if (row.isFetched()) {
        return LinkGraph.State.FETCHED;
      }
      return status == CrawlStatus.STATUS_UNFETCHED || status == 0
          ? LinkGraph.State.UNFETCHED
          : LinkGraph.State.GONE;
    }

    private Set<String> links(Result result) {
      Set<String> links = new LinkedHashSet<>();
      if (!row.isFetched()) {
        return links;
      }
      for (Cell cell : result.rawCells()) {
        if (CellUtil.matchingFamily(cell, outlinks.getFamily())) {
          String url =
              Bytes.toString(
                  cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength());
          try {
            links.add(graph.name(HBase.utf8(TableUtil.reverseUrl(url))));
          } catch (IOException | RuntimeException e) {
            // A text that is not a URL has no target.
          }
        }
      }
      return links;
    }

    @Override
    protected void cleanup(Context context) {
      tally.report(context);
    }
  }

  /** {@code [-crawlId <id>] <out>} */
  public static void main(String[] args) {
    Tools.main(NutchConfiguration.create(), new LinkGraphExport(), args);
  }
}
