package org.corpulyzer.jobs;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Partitioner;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.util.HadoopFSUtil;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.corpus.Arguments;
import org.corpulyzer.corpus.LinkGraph;
import org.corpulyzer.corpus.PlainPath;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.corpus.Tools;
import org.corpulyzer.corpus.UsageException;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;

/**
 * Writes a crawl's links as text for {@code corpulyzer simulate --graph}: a {@link LinkGraph} line
 * for each row of CrawlDb, with the links of the newest parse among the segments. A page's key is
 * its URL.
 */
public class LinkGraphExport extends Configured implements Tool {

  private static final String USAGE =
      "Usage: LinkGraphExport <crawldb> <out> (-dir <segments> | <segment> ...)\n"
          + "    <crawldb>       - the folder of the CrawlDb\n"
          + "    <out>           - a folder that does not exist; part files are written to it\n"
          + "    -dir <segments> - a folder of segments\n"
          + "    <segment>       - the folder of a segment";
  private static final String LANGUAGE = "crp.graph.language";

  /**
   * Between host and URL in a key. It sorts before every character of a host, so the lines of a
   * host are adjacent.
   */
  private static final char BETWEEN = '\t';

  @Override
  public int run(String[] args) throws Exception {
    Configuration conf = getConf();
    Arguments arguments;
    try {
      arguments = new Arguments().option("-dir").read(args, Integer.MAX_VALUE);
      arguments.path(1, "out");
    } catch (UsageException e) {
      return e.print("LinkGraphExport", USAGE);
    }
    List<String> names = arguments.paths();
    List<Path> segments = segments(arguments);
    if (segments.isEmpty()) {
      return new UsageException("<segment> is missing.").print("LinkGraphExport", USAGE);
    }
    CrawlDbFolder crawlDb = new CrawlDbFolder(new Path(names.get(0)), conf).requireExisting();
    Engine engine = Engine.of(Settings.from(conf::get));
    Path out = Tools.newFolder(names.get(1), conf);
    Job job = job(conf, engine, crawlDb.current(), parsed(segments), out);
    Tools.run(job, out);
    System.out.println(
        "LinkGraphExport: "
            + job.getCounters().findCounter(ScoreCounter.PAGES).getValue()
            + " pages of "
            + crawlDb.path()
            + " written to "
            + out);
    return 0;
  }

  /**
   * @return the folders behind {@code -dir}, then those that are named
   */
  private List<Path> segments(Arguments arguments) throws IOException {
    List<Path> segments = new ArrayList<>();
    for (String dir : arguments.all("-dir")) {
      Path folder = new Path(dir);
      FileSystem files = folder.getFileSystem(getConf());
      for (FileStatus segment :
          files.listStatus(folder, HadoopFSUtil.getPassDirectoriesFilter(files))) {
        segments.add(segment.getPath());
      }
    }
    for (String segment : arguments.paths().subList(2, arguments.paths().size())) {
      segments.add(new Path(segment));
    }
    return segments;
  }

  /**
   * @return the parse data of the segments that have any
   */
  private List<Path> parsed(List<Path> segments) throws IOException {
    List<Path> parsed = new ArrayList<>();
    for (Path segment : segments) {
      Path data = new Path(PlainPath.require(segment), ParseData.DIR_NAME);
      if (data.getFileSystem(getConf()).exists(data)) {
        parsed.add(data);
      }
    }
    if (parsed.isEmpty()) {
      throw new CorpulyzerException(
          "None of "
              + segments.size()
              + " segments is parsed ('"
              + ParseData.DIR_NAME
              + "' is missing): name the folders of parsed segments.");
    }
    return parsed;
  }

  private static Job job(
      Configuration conf, Engine engine, Path current, List<Path> parsed, Path out)
      throws IOException {
    Job job = Job.getInstance(conf, "corpulyzer link graph: " + current.getParent());
    job.setJarByClass(CrawlDb.class);
    job.getConfiguration().set(LANGUAGE, engine.target());
    FileInputFormat.addInputPath(job, current);
    for (Path data : parsed) {
      FileInputFormat.addInputPath(job, data);
    }
    job.setInputFormatClass(SequenceFileInputFormat.class);
    job.setMapperClass(PartMapper.class);
    job.setPartitionerClass(ByHost.class);
    job.setReducerClass(LineReducer.class);
    job.setMapOutputKeyClass(Text.class);
    job.setMapOutputValueClass(Part.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(NullWritable.class);
    job.setOutputFormatClass(TextOutputFormat.class);
    FileOutputFormat.setOutputPath(job, out);
    job.setSpeculativeExecution(false);
    return job;
  }

  /** The data of a page in one input: its row, or its links. */
  static final class Part implements Writable {

    /** Name of the segment that the links are of; empty for a row. */
    private String segment = "";

    private LinkGraph.State state = LinkGraph.State.UNFETCHED;
    private boolean injected;
    private long targetBytes;
    private String rawBytes = "";
    private List<String> links = new ArrayList<>();

    /** For Hadoop, which then reads the fields. */
    Part() {}

    @Override
    public void write(DataOutput out) throws IOException {
      Text.writeString(out, segment);
      out.writeByte(state.ordinal());
      out.writeBoolean(injected);
      WritableUtils.writeVLong(out, targetBytes);
      Text.writeString(out, rawBytes);
      WritableUtils.writeVInt(out, links.size());
      for (String link : links) {
        Text.writeString(out, link);
      }
    }

    @Override
    public void readFields(DataInput in) throws IOException {
      segment = Text.readString(in);
      state = LinkGraph.State.values()[in.readByte()];
      injected = in.readBoolean();
      targetBytes = WritableUtils.readVLong(in);
      rawBytes = Text.readString(in);
      int count = WritableUtils.readVInt(in);
      links = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        links.add(Text.readString(in));
      }
    }
  }

  /** Rows and parse data to parts, under host and URL. */
  static final class PartMapper extends Mapper<Text, Writable, Text, Part> {

    private final LinkGraph graph = new LinkGraph();
    private final PageRow row = new PageRow();
    private final Text key = new Text();
    private String language;
    private String segment;

    @Override
    protected void setup(Context context) {
      language = context.getConfiguration().get(LANGUAGE);
      // SEGMENT/parse_data/part-r-00000/data
      segment =
          ((FileSplit) context.getInputSplit())
              .getPath()
              .getParent()
              .getParent()
              .getParent()
              .getName();
    }

    @Override
    protected void map(Text url, Writable value, Context context)
        throws IOException, InterruptedException {
      String host = HostCursor.hostOf(url.toString());
      boolean isRow = value instanceof CrawlDatum;
      if (host == null || !LinkGraph.isHost(host)) {
        if (isRow) {
          context.getCounter(ScoreCounter.MALFORMED_KEYS).increment(1);
        }
        return;
      }
      key.set(host + BETWEEN + url);
      context.write(key, isRow ? part((CrawlDatum) value) : part((ParseData) value));
    }

    private Part part(CrawlDatum datum) {
      row.read(datum);
      Part part = new Part();
      part.state =
          row.isFetched()
              ? LinkGraph.State.FETCHED
              : row.status() == CrawlDatum.STATUS_DB_UNFETCHED
                  ? LinkGraph.State.UNFETCHED
                  : LinkGraph.State.GONE;
      part.injected = row.isInjected();
      part.targetBytes = row.bytesIn(language);
      part.rawBytes = row.rawBytesText() == null ? "" : row.rawBytesText();
      return part;
    }

    private Part part(ParseData data) {
      Part part = new Part();
      part.segment = segment;
      String raw = data.getParseMeta().get(PageKeys.RAW_BYTES);
      part.rawBytes = raw == null ? "" : raw;
      Set<String> links = new LinkedHashSet<>();
      for (Outlink link : data.getOutlinks()) {
        links.add(graph.name(link.getToUrl().getBytes(StandardCharsets.UTF_8)));
      }
      part.links.addAll(links);
      return part;
    }
  }

  /** Pages of a host to one reducer. */
  static final class ByHost extends Partitioner<Text, Part> {

    @Override
    public int getPartition(Text key, Part part, int parts) {
      String text = key.toString();
      return (text.substring(0, text.indexOf(BETWEEN)).hashCode() & Integer.MAX_VALUE) % parts;
    }
  }

  /** Parts of a page to its line. */
  static final class LineReducer extends Reducer<Text, Part, Text, NullWritable> {

    private final LinkGraph graph = new LinkGraph();
    private final Text line = new Text();

    @Override
    protected void reduce(Text key, Iterable<Part> parts, Context context)
        throws IOException, InterruptedException {
      // Hadoop reuses the object, but its lists and texts are new each time.
      Part row = null;
      String newest = "";
      String parsedBytes = "";
      List<String> links = new ArrayList<>();
      for (Part part : parts) {
        if (part.segment.isEmpty()) {
          row = new Part();
          row.state = part.state;
          row.injected = part.injected;
          row.targetBytes = part.targetBytes;
          row.rawBytes = part.rawBytes;
        } else if (part.segment.compareTo(newest) > 0) {
          newest = part.segment;
          links = part.links;
          parsedBytes = part.rawBytes;
        }
      }
      if (row == null) {
        return;
      }
      String text = key.toString();
      int between = text.indexOf(BETWEEN);
      String page = graph.name(text.substring(between + 1).getBytes(StandardCharsets.UTF_8));
      context.getCounter(ScoreCounter.PAGES).increment(1);
      line.set(
          LinkGraph.line(
              text.substring(0, between),
              page,
              row.state,
              row.injected,
              row.targetBytes,
              bytes(row.rawBytes.isEmpty() ? parsedBytes : row.rawBytes),
              links));
      context.write(line, NullWritable.get());
    }

    /** A count that cannot be read is unknown. */
    private static long bytes(String text) {
      return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
    }
  }

  /** {@code <crawldb> <out> (-dir <segments> | <segment> ...)} */
  public static void main(String[] args) {
    Tools.main(NutchConfiguration.create(), new LinkGraphExport(), args);
  }
}
