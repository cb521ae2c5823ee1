package org.corpulyzer.nutch.cluster;

import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.lib.partition.HashPartitioner;
import org.apache.nutch.crawl.CrawlDatum;

/**
 * A CrawlDb of two parts on HDFS. It shares no class with the jobs, and computes Algorithm 1
 * itself.
 */
final class CrawlDb {

  private static final int PARTS = 2;
  private static final int HOSTS = 240;
  private static final int ROWS_OF_A_HOST = 25;
  private static final int PAGES_OF_A_SEGMENT = 600;
  private static final float UNKNOWN = 256;
  private static final float INJECTED = 1e9f;
  private static final Text LANGUAGES = new Text("crp.l");
  private static final Text INJECTED_MARK = new Text("_crpinj_");

  final Path folder;
  private final Configuration conf;
  private final FileSystem files;

  /**
   * @param name of its folder at the root of HDFS
   */
  CrawlDb(Cluster cluster, String name) throws IOException {
    folder = new Path("/" + name);
    conf = cluster.conf();
    files = cluster.files();
  }

  /**
   * Writes 6000 rows of 240 hosts: each state that a row can be in, each host in both parts, half
   * of them under two schemes.
   */
  CrawlDb write() throws IOException {
    TreeMap<Text, CrawlDatum> rows = new TreeMap<>();
    for (int host = 0; host < HOSTS; host++) {
      for (int page = 0; page < ROWS_OF_A_HOST; page++) {
        String scheme = host % 2 == 0 && page % 3 == 0 ? "https" : "http";
        rows.put(new Text(scheme + "://host" + host + ".example/" + page), row(host, page));
      }
    }
    HashPartitioner<Text, CrawlDatum> partitioner = new HashPartitioner<>();
    for (int part = 0; part < PARTS; part++) {
      Map<Text, CrawlDatum> mine = new TreeMap<>();
      for (Map.Entry<Text, CrawlDatum> row : rows.entrySet()) {
        if (partitioner.getPartition(row.getKey(), row.getValue(), PARTS) == part) {
          mine.put(row.getKey(), row.getValue());
        }
      }
      writeMap(
          conf,
          new Path(folder, String.format("current/part-r-%05d", part)),
          CrawlDatum.class,
          mine);
    }
    return this;
  }

  /** Hosts 0, 10, 20 and so on have no fetched page. */
  private static CrawlDatum row(int host, int page) {
    byte[] fetched = {
      CrawlDatum.STATUS_DB_FETCHED, CrawlDatum.STATUS_DB_NOTMODIFIED, CrawlDatum.STATUS_DB_DUPLICATE
    };
    byte[] others = {
      CrawlDatum.STATUS_DB_UNFETCHED, CrawlDatum.STATUS_DB_GONE, CrawlDatum.STATUS_DB_REDIR_TEMP
    };
    boolean isFetched = host % 10 != 0 && page % 4 == 0;
    CrawlDatum datum =
        new CrawlDatum(
            isFetched ? fetched[page % 3] : others[host % 10 == 0 ? 0 : page % 3],
            86_400 + page,
            page);
    datum.setFetchTime(1_700_000_000_000L + 1000L * host);
    datum.setRetriesSinceFetch(page % 5);
    datum.getMetaData().put(new Text("operators.key"), new Text("value " + page));
    if (isFetched) {
      datum.setSignature(new byte[] {(byte) host, (byte) page});
      if (page % 8 != 4 || host % 7 != 0) {
        datum
            .getMetaData()
            .put(
                LANGUAGES,
                new Text(
                    (host % 3 == 0 ? "eng:77" : "eng:5,urd:" + (host * 31 + page * 7)) + ",und:3"));
        datum.getMetaData().put(new Text("crp.d"), new Text("keep enough"));
      }
    }
    if (page == 1) {
      datum.getMetaData().put(INJECTED_MARK, new Text("y"));
    }
    return datum;
  }

  /**
   * Writes a segment as fetch and parse leave it: 600 pages of its hosts, of which each links to
   * one page that CrawlDb has and to one that is new.
   */
  void writeSegment(Path segment) throws IOException {
    TreeMap<Text, CrawlDatum> fetched = new TreeMap<>();
    TreeMap<Text, CrawlDatum> figures = new TreeMap<>();
    TreeMap<Text, CrawlDatum> links = new TreeMap<>();
    for (int page = 0; page < PAGES_OF_A_SEGMENT; page++) {
      String host = "http://host" + page % HOSTS + ".example/";
      Text url = new Text(host + (page / HOSTS * 2 + 5));
      CrawlDatum fetch = new CrawlDatum(CrawlDatum.STATUS_FETCH_SUCCESS, 86_400);
      fetch.setFetchTime(1_767_225_600_000L);
      fetched.put(url, fetch);
      CrawlDatum parsed = new CrawlDatum(CrawlDatum.STATUS_PARSE_META, 0);
      parsed.getMetaData().put(LANGUAGES, new Text("urd:" + (1000 + page)));
      parsed.getMetaData().put(new Text("crp.d"), new Text("keep enough"));
      figures.put(url, parsed);
      links.put(new Text(host + "new/" + page), new CrawlDatum(CrawlDatum.STATUS_LINKED, 86_400));
      links.put(new Text(host + "7"), new CrawlDatum(CrawlDatum.STATUS_LINKED, 86_400));
    }
    writeMap(
        conf,
        new Path(segment, CrawlDatum.FETCH_DIR_NAME + "/part-r-00000"),
        CrawlDatum.class,
        fetched);
    try (SequenceFile.Writer out =
        SequenceFile.createWriter(
            conf,
            SequenceFile.Writer.file(
                new Path(segment, CrawlDatum.PARSE_DIR_NAME + "/part-r-00000")),
            SequenceFile.Writer.keyClass(Text.class),
            SequenceFile.Writer.valueClass(CrawlDatum.class))) {
      for (Map<Text, CrawlDatum> some : Arrays.asList(figures, links)) {
        for (Map.Entry<Text, CrawlDatum> row : some.entrySet()) {
          out.append(row.getKey(), row.getValue());
        }
      }
    }
  }

  /** Writes a map file as a reducer of Nutch does. */
  static <V extends Writable> void writeMap(
      Configuration conf, Path file, Class<V> type, Map<Text, V> rows) throws IOException {
    try (MapFile.Writer writer =
        new MapFile.Writer(
            conf,
            file,
            MapFile.Writer.keyClass(Text.class),
            SequenceFile.Writer.valueClass(type))) {
      for (Map.Entry<Text, V> row : rows.entrySet()) {
        writer.append(row.getKey(), row.getValue());
      }
    }
  }

  /**
   * @return name of the part and URL, to row; fails unless all rows are in order, in parts of these
   *     names, and where Nutch looks
   */
  Map<String, CrawlDatum> rows() throws IOException {
    Map<String, CrawlDatum> rows = new TreeMap<>();
    HashPartitioner<Text, CrawlDatum> partitioner = new HashPartitioner<>();
    FileStatus[] parts = files.listStatus(new Path(folder, "current"));
    Arrays.sort(parts);
    for (int part = 0; part < parts.length; part++) {
      String name = String.format("part-r-%05d", part);
      if (!parts[part].getPath().getName().equals(name)) {
        throw new AssertionError(parts[part] + " is not " + name);
      }
      try (MapFile.Reader reader = new MapFile.Reader(parts[part].getPath(), conf)) {
        Text url = new Text();
        Text last = new Text();
        for (CrawlDatum datum = new CrawlDatum();
            reader.next(url, datum);
            datum = new CrawlDatum()) {
          if (partitioner.getPartition(url, datum, parts.length) != part
              || last.compareTo(url) >= 0) {
            throw new AssertionError(url + " is out of place in " + name + ", after " + last);
          }
          last.set(url);
          rows.put(name + " " + url, datum);
        }
      }
    }
    return rows;
  }

  private static String host(String key) {
    return URI.create(key.substring(key.indexOf(' ') + 1)).getHost();
  }

  /**
   * @return key of {@link #rows} to the score that Algorithm 1 gives it
   */
  static Map<String, Float> algorithm1(Map<String, CrawlDatum> rows) {
    Map<String, Long> bytes = new HashMap<>();
    Map<String, Integer> fetched = new HashMap<>();
    rows.forEach(
        (key, row) -> {
          if (row.getStatus() == CrawlDatum.STATUS_DB_FETCHED
              || row.getStatus() == CrawlDatum.STATUS_DB_NOTMODIFIED
              || row.getStatus() == CrawlDatum.STATUS_DB_DUPLICATE) {
            Writable languages = row.getMetaData().get(LANGUAGES);
            if (languages == null) {
              // A page that was never read is in no mean.
              return;
            }
            long urdu =
                Arrays.stream(languages.toString().split(","))
                    .filter(l -> l.startsWith("urd:"))
                    .mapToLong(l -> Long.parseLong(l.substring(4)))
                    .sum();
            bytes.merge(host(key), urdu, Long::sum);
            fetched.merge(host(key), 1, Integer::sum);
          }
        });
    Map<String, Float> scores = new TreeMap<>();
    rows.forEach(
        (key, row) -> {
          Integer count = fetched.get(host(key));
          boolean injected = row.getMetaData().containsKey(INJECTED_MARK);
          scores.put(
              key,
              count != null
                  ? (float) ((double) bytes.get(host(key)) / count)
                  : injected ? INJECTED : UNKNOWN);
        });
    return scores;
  }

  /**
   * @return key of {@link #rows} to stored score
   */
  static Map<String, Float> scores(Map<String, CrawlDatum> rows) {
    Map<String, Float> scores = new TreeMap<>();
    rows.forEach((key, row) -> scores.put(key, row.getScore()));
    return scores;
  }

  /**
   * @return key of {@link #rows} to all else that a row holds
   */
  static Map<String, String> allButScores(Map<String, CrawlDatum> rows) {
    return cells(rows, true);
  }

  /**
   * @return the same without the time of the next fetch, which updatedb sets to now in new rows
   */
  static Map<String, String> allButScoresAndTimes(Map<String, CrawlDatum> rows) {
    return cells(rows, false);
  }

  private static Map<String, String> cells(Map<String, CrawlDatum> rows, boolean withTimes) {
    Map<String, String> cells = new TreeMap<>();
    rows.forEach(
        (key, row) -> {
          Map<String, String> metadata = new TreeMap<>();
          row.getMetaData()
              .forEach((name, value) -> metadata.put(name.toString(), value.toString()));
          cells.put(
              key,
              row.getStatus()
                  + " "
                  + (withTimes ? row.getFetchTime() : "")
                  + " "
                  + row.getFetchInterval()
                  + " "
                  + row.getRetriesSinceFetch()
                  + " "
                  + row.getModifiedTime()
                  + " "
                  + Arrays.toString(row.getSignature())
                  + " "
                  + metadata);
        });
    return cells;
  }

  /**
   * @return names in the folder of the CrawlDb, or one below it; none if it is not there
   */
  String[] names(String below) throws IOException {
    Path path = below.isEmpty() ? folder : new Path(folder, below);
    return files.exists(path)
        ? Arrays.stream(files.listStatus(path))
            .map(file -> file.getPath().getName())
            .sorted()
            .toArray(String[]::new)
        : new String[0];
  }

  /** Takes the lock of a job away that was killed, as an operator does. */
  boolean unlock() throws IOException {
    return files.delete(new Path(folder, ".locked"), false);
  }
}
