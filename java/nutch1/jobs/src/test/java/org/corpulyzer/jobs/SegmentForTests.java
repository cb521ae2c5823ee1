package org.corpulyzer.jobs;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.parse.ParseText;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.fixtures.ExportContract;

/** A segment, with Nutch's own classes in the folders and files of Nutch's fetcher and parser. */
final class SegmentForTests {

  private final Map<Text, CrawlDatum> fetch = new TreeMap<>();
  private final Map<Text, Content> content = new TreeMap<>();
  private final Map<Text, ParseData> data = new TreeMap<>();
  private final Map<Text, ParseText> text = new TreeMap<>();
  private final Configuration conf;
  private final File folder;

  SegmentForTests(Configuration conf, File folder) {
    this.conf = conf;
    this.folder = folder;
  }

  /**
   * @return Nutch's configuration, for Urdu, with its files in a folder of the test
   */
  static Configuration configuration(File folder) {
    Configuration conf = NutchConfiguration.create();
    conf.set("hadoop.tmp.dir", new File(folder, "tmp").getPath());
    conf.set("mapreduce.framework.name", "local");
    conf.set("http.agent.name", "a bot");
    conf.set("http.agent.email", "a@bot.example");
    conf.set(Settings.LANGUAGE_TARGET, "ur");
    conf.set(Settings.NATIVE_PATH, System.getProperty(Settings.NATIVE_PATH));
    return conf;
  }

  File folder() {
    return folder;
  }

  String path() {
    return folder.getPath();
  }

  /** Adds a row of the fetcher. */
  CrawlDatum fetch(String url, byte status, long millis) {
    CrawlDatum datum = new CrawlDatum(status, 86_400);
    datum.setFetchTime(millis);
    datum.getMetaData().put(new Text(Nutch.GENERATE_TIME_KEY), new LongWritable(millis - 5000));
    if (status == CrawlDatum.STATUS_FETCH_SUCCESS) {
      datum.getMetaData().put(new Text(Metadata.CONTENT_TYPE), new Text("text/html"));
    }
    fetch.put(new Text(url), datum);
    return datum;
  }

  /** Adds what the server sent; {@code headers} are names and values in turn. */
  Content content(String url, byte[] bytes, String... headers) {
    Metadata metadata = new Metadata();
    for (int i = 0; i < headers.length; i += 2) {
      metadata.add(headers[i], headers[i + 1]);
    }
    metadata.set(Nutch.SEGMENT_NAME_KEY, folder.getName());
    metadata.set(Nutch.SCORE_KEY, "1.0");
    metadata.set(Nutch.FETCH_STATUS_KEY, "33");
    Content page = new Content(url, url, bytes, "text/html", metadata, conf);
    content.put(new Text(url), page);
    return page;
  }

  /** Adds a file of a host as Nutch's fetcher stores robots.txt: without a row and a status. */
  void hostFile(String url, String file, String... headers) {
    Metadata metadata = content(url, file.getBytes(StandardCharsets.UTF_8), headers).getMetadata();
    metadata.remove(Nutch.SEGMENT_NAME_KEY);
    metadata.remove(Nutch.SCORE_KEY);
    metadata.remove(Nutch.FETCH_STATUS_KEY);
  }

  /** Adds what the parser wrote. */
  ParseData parse(String url, String main, Metadata figures) {
    Metadata contentMeta = new Metadata();
    contentMeta.set(Nutch.SEGMENT_NAME_KEY, folder.getName());
    contentMeta.set(Nutch.SIGNATURE_KEY, "01ab");
    ParseData parsed =
        new ParseData(ParseStatus.STATUS_SUCCESS, "عنوان", new Outlink[0], contentMeta, figures);
    data.put(new Text(url), parsed);
    text.put(new Text(url), new ParseText(main));
    return parsed;
  }

  /** Adds a page that was fetched and parsed. */
  ParseData page(String url, long millis, String decision, String main) {
    fetch(url, CrawlDatum.STATUS_FETCH_SUCCESS, millis);
    content(url, ("<p>" + main).getBytes(StandardCharsets.UTF_8), "Server", "x");
    return parse(url, main, figures(decision));
  }

  static Metadata figures(String decision) {
    Metadata figures = new Metadata();
    new ExportContract.Page("", decision, "").figures.forEach(figures::set);
    figures.set("OriginalCharEncoding", "utf-8");
    figures.set("OriginalCharEncoding", "utf-8");
    return figures;
  }

  SegmentForTests write() throws IOException {
    write(CrawlDatum.FETCH_DIR_NAME, CrawlDatum.class, fetch);
    write(Content.DIR_NAME, Content.class, content);
    write(ParseData.DIR_NAME, ParseData.class, data);
    write(ParseText.DIR_NAME, ParseText.class, text);
    return this;
  }

  private <V extends Writable> void write(String name, Class<V> type, Map<Text, V> rows)
      throws IOException {
    write(conf, new File(folder, name), type, rows);
  }

  private static <V extends Writable> void write(
      Configuration conf, File folder, Class<V> type, Map<Text, V> rows) throws IOException {
    try (MapFile.Writer writer =
        new MapFile.Writer(
            conf,
            new Path(new File(folder, "part-r-00000").getPath()),
            MapFile.Writer.keyClass(Text.class),
            SequenceFile.Writer.valueClass(type))) {
      for (Map.Entry<Text, V> row : rows.entrySet()) {
        writer.append(row.getKey(), row.getValue());
      }
    }
  }

  /** Writes a CrawlDb with rows of a status. */
  static void crawlDb(Configuration conf, File folder, Map<String, Byte> rows) throws IOException {
    Map<Text, CrawlDatum> data = new TreeMap<>();
    rows.forEach((url, status) -> data.put(new Text(url), new CrawlDatum(status, 86_400)));
    write(conf, new File(folder, "current"), CrawlDatum.class, data);
  }
}
