package org.corpulyzer.nutch;

import static org.junit.Assert.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.crawl.Generator;
import org.apache.nutch.crawl.Injector;
import org.apache.nutch.fetcher.Fetcher;
import org.apache.nutch.parse.ParseSegment;

/** A crawl's folder as Nutch has it, filled by Nutch's own jobs in this JVM. */
final class CrawlFolder {

  final File root;
  private final Configuration conf;
  private int seedLists;

  CrawlFolder(File root, Configuration conf) {
    this.root = root;
    this.conf = conf;
  }

  String path(String name) {
    return new File(root, name).getPath();
  }

  void inject(String... seeds) throws Exception {
    File folder = new File(root, "seeds" + seedLists++);
    Files.createDirectory(folder.toPath());
    Files.write(folder.toPath().resolve("seeds.txt"), Arrays.asList(seeds), StandardCharsets.UTF_8);
    run(new Injector(), path("crawldb"), folder.getPath());
  }

  /** One round without updatedb; returns the segment's folder. */
  String generateFetchParse(String... generateArguments) throws Exception {
    String segment = generate(generateArguments);
    run(new Fetcher(), segment, "-threads", "2");
    run(new ParseSegment(), segment);
    return segment;
  }

  String generate(String... arguments) throws Exception {
    List<String> all =
        new ArrayList<>(Arrays.asList(path("crawldb"), path("segments"), "-noFilter", "-noNorm"));
    all.addAll(Arrays.asList(arguments));
    run(new Generator(), all.toArray(new String[0]));
    File[] segments = new File(root, "segments").listFiles();
    Arrays.sort(segments);
    return segments[segments.length - 1].getPath();
  }

  /** Addresses of a segment in the order in which the fetcher gets them within a host. */
  List<String> generated(String segment) throws Exception {
    List<String> urls = new ArrayList<>();
    for (File part :
        new File(segment, "crawl_generate").listFiles((folder, name) -> name.startsWith("part-"))) {
      try (SequenceFile.Reader reader =
          new SequenceFile.Reader(conf, SequenceFile.Reader.file(new Path(part.getPath())))) {
        Text url = new Text();
        while (reader.next(url)) {
          urls.add(url.toString());
        }
      }
    }
    return urls;
  }

  void updatedb(String segment) throws Exception {
    run(new CrawlDb(), path("crawldb"), segment);
  }

  int run(Tool job, String... arguments) throws Exception {
    int code = ToolRunner.run(new Configuration(conf), job, arguments);
    assertEquals(job.getClass().getName(), 0, code);
    return code;
  }

  Map<String, CrawlDatum> rows() throws IOException {
    Map<String, CrawlDatum> rows = new TreeMap<>();
    for (File part :
        new File(root, "crawldb/current").listFiles((folder, name) -> name.startsWith("part-"))) {
      try (MapFile.Reader reader = new MapFile.Reader(new Path(part.getPath()), conf)) {
        Text url = new Text();
        CrawlDatum row = new CrawlDatum();
        while (reader.next(url, row)) {
          rows.put(url.toString(), row);
          row = new CrawlDatum();
        }
      }
    }
    return rows;
  }

  void writeRows(Map<String, CrawlDatum> rows) throws IOException {
    write("crawldb/current/part-r-00000", CrawlDatum.class, rows);
  }

  <V extends Writable> void write(String name, Class<V> type, Map<String, V> entries)
      throws IOException {
    Path path = new Path(path(name));
    path.getFileSystem(conf).mkdirs(path.getParent());
    try (MapFile.Writer writer =
        new MapFile.Writer(
            conf,
            path,
            MapFile.Writer.keyClass(Text.class),
            SequenceFile.Writer.valueClass(type))) {
      // The order of Text, not of String.
      Map<Text, V> sorted = new TreeMap<>();
      entries.forEach((url, value) -> sorted.put(new Text(url), value));
      for (Map.Entry<Text, V> entry : sorted.entrySet()) {
        writer.append(entry.getKey(), entry.getValue());
      }
    }
  }
}
