package org.corpulyzer.jobs;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.lib.partition.HashPartitioner;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.corpus.ScoreSummary;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;

/** A CrawlDb in a folder, written as Nutch's reducers write it, and read back part by part. */
final class CrawlDbForTests {

  final File folder;
  private final TreeMap<Text, CrawlDatum> rows = new TreeMap<>();

  CrawlDbForTests(File folder) {
    this.folder = folder;
  }

  /** Nutch's defaults, the stand-in plugin, Urdu, and every temporary file below a folder. */
  static Configuration conf(File temporary) {
    Configuration conf = NutchConfiguration.create();
    conf.set("plugin.folders", plugins());
    conf.set("plugin.includes", "corpulyzer");
    conf.set("hadoop.tmp.dir", new File(temporary, "hadoop").getPath());
    conf.set("mapreduce.cluster.local.dir", new File(temporary, "hadoop/local").getPath());
    conf.set(
        "mapreduce.jobtracker.staging.root.dir", new File(temporary, "hadoop/staging").getPath());
    conf.set("mapreduce.task.io.sort.mb", "8");
    conf.set("db.parsemeta.to.crawldb", "crp.l, crp.v,crp.d");
    conf.set(Settings.LANGUAGE_TARGET, "ur");
    return conf;
  }

  static String plugins() {
    try {
      return new File(CrawlDbForTests.class.getResource("/plugins").toURI()).getPath();
    } catch (java.net.URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  static CrawlDatum row(int status, float score, String... metadata) {
    CrawlDatum datum = new CrawlDatum(status, 2592000, score);
    datum.setFetchTime(1_700_000_000_000L);
    for (int i = 0; i < metadata.length; i += 2) {
      datum.getMetaData().put(new Text(metadata[i]), new Text(metadata[i + 1]));
    }
    return datum;
  }

  static CrawlDatum fetched(String languages) {
    return row(
        CrawlDatum.STATUS_DB_FETCHED,
        0,
        PageKeys.LANGUAGES,
        languages,
        PageKeys.DECISION,
        "keep enough");
  }

  CrawlDbForTests put(String url, CrawlDatum datum) {
    rows.put(new Text(url), datum);
    return this;
  }

  /** Writes every row that was put, in parts by the hash of the URL. */
  CrawlDbForTests write(Configuration conf, int parts) throws IOException {
    HashPartitioner<Text, CrawlDatum> partitioner = new HashPartitioner<>();
    MapFile.Writer[] writers = new MapFile.Writer[parts];
    for (int i = 0; i < parts; i++) {
      writers[i] =
          new MapFile.Writer(
              conf,
              new Path(folder.getPath(), String.format("current/part-r-%05d", i)),
              MapFile.Writer.keyClass(Text.class),
              SequenceFile.Writer.valueClass(CrawlDatum.class));
    }
    for (Map.Entry<Text, CrawlDatum> row : rows.entrySet()) {
      writers[partitioner.getPartition(row.getKey(), row.getValue(), parts)].append(
          row.getKey(), row.getValue());
    }
    for (MapFile.Writer writer : writers) {
      writer.close();
    }
    return this;
  }

  /**
   * @return names of the parts in a folder of the CrawlDb, each with its rows in order
   */
  Map<String, Map<String, CrawlDatum>> parts(Configuration conf, String name) throws IOException {
    Map<String, Map<String, CrawlDatum>> parts = new LinkedHashMap<>();
    File[] found = new File(folder, name).listFiles(File::isDirectory);
    Arrays.sort(found);
    for (File part : found) {
      Map<String, CrawlDatum> of = new LinkedHashMap<>();
      try (MapFile.Reader reader = new MapFile.Reader(new Path(part.getPath()), conf)) {
        Text url = new Text();
        for (CrawlDatum datum = new CrawlDatum();
            reader.next(url, datum);
            datum = new CrawlDatum()) {
          of.put(url.toString(), datum);
        }
      }
      parts.put(part.getName(), of);
    }
    return parts;
  }

  /**
   * @return all rows
   */
  Map<String, CrawlDatum> rows(Configuration conf) {
    try {
      Map<String, CrawlDatum> all = new TreeMap<>();
      parts(conf, "current").values().forEach(all::putAll);
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  float score(Configuration conf, String url) {
    return rows(conf).get(url).getScore();
  }

  ScoreSummary score(Configuration conf) throws Exception {
    LrlScoreJob job = new LrlScoreJob();
    if (ToolRunner.run(conf, job, new String[] {folder.getPath()}) != 0) {
      throw new IllegalStateException("LrlScoreJob failed");
    }
    return job.summary();
  }

  /**
   * @return every file of the CrawlDb with its bytes' hash, except checksums of Hadoop
   */
  Map<String, Integer> files() throws IOException {
    Map<String, Integer> found = new TreeMap<>();
    try (java.util.stream.Stream<java.nio.file.Path> files = Files.walk(folder.toPath())) {
      for (java.nio.file.Path file :
          (Iterable<java.nio.file.Path>) files.filter(Files::isRegularFile)::iterator) {
        if (!file.getFileName().toString().endsWith(".crc")) {
          found.put(
              folder.toPath().relativize(file).toString(),
              Arrays.hashCode(Files.readAllBytes(file)));
        }
      }
    }
    return found;
  }
}
