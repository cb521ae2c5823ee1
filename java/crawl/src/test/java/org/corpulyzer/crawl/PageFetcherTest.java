package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.fetcher.Fetcher;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.net.protocols.Response;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseSegment;
import org.apache.nutch.parse.ParseText;
import org.apache.nutch.protocol.Content;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Segments of the crawl's own fetch and parse phases, beside those of Nutch's Fetcher and
 * ParseSegment on the same web.
 */
public class PageFetcherTest {
  private static final List<String> URLS =
      Arrays.asList(
          "http://a.test/",
          "http://a.test/1",
          "http://a.test/gone",
          "http://a.test/moved",
          "http://a.test/found",
          "http://a.test/filtered",
          "http://b.test/private/x",
          "http://b.test/ok",
          "http://c.test/slow",
          "http://d.test/broken",
          "http://d.test/denied",
          "http://d.test/busy",
          "http://e.test/itself");

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test(timeout = 300_000)
  public void segmentsAreThoseOfNutchsFetcherAndParseSegment() throws Exception {
    compare(0);
  }

  @Test(timeout = 300_000)
  public void redirectsThatAreFollowedAtOnceLeaveWhatNutchsFetcherLeaves() throws Exception {
    compare(2);
  }

  private void compare(int redirects) throws Exception {
    try (TinyWeb web = new TinyWeb();
        DataFolder data = DataFolder.open(folder.getRoot().toPath().resolve("data"))) {
      web.urdu(
          "http://a.test/",
          "http://a.test/1",
          "http://A.test:80/1#top",
          "http://b.test/ok",
          "ftp://a.test/",
          "http://a.test/x.zip");
      web.urdu("http://a.test/1");
      web.noindex("http://b.test/ok", "http://a.test/");
      web.english("http://c.test/slow");
      web.other("http://a.test/moved", 301, "http://a.test/1");
      web.other("http://a.test/found", 302, "http://f.test/elsewhere");
      web.other("http://f.test/elsewhere", 302, "http://f.test/more");
      web.other("http://f.test/more", 302, "http://f.test/most");
      web.other("http://a.test/filtered", 302, "http://a.test/file.zip");
      web.other("http://e.test/itself", 302, "http://e.test/itself");
      web.other("http://d.test/broken", 500, null);
      web.other("http://d.test/denied", 403, null);
      web.other("http://d.test/busy", 429, null);
      web.robots("b.test", "User-agent: *\nDisallow: /private/\n");
      web.robots("c.test", "User-agent: *\nCrawl-delay: 1000\n");
      CrawlOptions options = CrawlFiles.options();
      options.proxy = web.proxy();
      Configuration conf = CrawlConfiguration.create(options, Home.plugins(), data);
      conf.setInt("http.redirect.max", redirects);

      Path ours = generate(conf, data, "ours");
      Segment segment = new Segment(ours, 1);
      PageFetcher fetcher = new PageFetcher(conf, segment);
      assertTrue(fetcher.fetch(4));
      fetcher.write(data.temporary().resolve("fetched"));
      PageParser parser = new PageParser(conf, segment);
      assertTrue(parser.parse(data.temporary().resolve("parsed")));
      segment.installParsed(data.temporary().resolve("parsed"));

      Path nutch = generate(conf, data, "nutch");
      Configuration other = new Configuration(conf);
      other.setBoolean("fetcher.parse", false);
      new Fetcher(other).fetch(new org.apache.hadoop.fs.Path(nutch.toUri()), 1);
      new ParseSegment(new Configuration(other))
          .parse(new org.apache.hadoop.fs.Path(nutch.toUri()));

      String reason = "robots.txt has a Crawl-delay of 1000 s; fetcher.max.crawl.delay allows 60 s";
      List<String> named = new ArrayList<>(fetched(conf, ours));
      named.replaceAll(line -> line.replace(": " + reason, ""));
      assertEquals(fetched(conf, nutch), named);
      assertTrue(fetched(conf, ours).stream().anyMatch(line -> line.contains(reason)));
      assertEquals(contents(nutch), contents(ours));
      assertEquals(texts(nutch), texts(ours));
      assertEquals(data(nutch), data(ours));
      assertEquals(
          crawled(conf, nutch, CrawlDatum.PARSE_DIR_NAME),
          crawled(conf, ours, CrawlDatum.PARSE_DIR_NAME));
      List<String> lines = fetched(conf, ours);
      assertTrue(lines.toString(), lines.size() >= URLS.size());
      for (String status :
          Arrays.asList(
              "fetch_success",
              "fetch_gone",
              "fetch_redir_perm",
              "fetch_redir_temp",
              "fetch_retry")) {
        assertTrue(status + " in " + lines, lines.stream().anyMatch(line -> line.contains(status)));
      }
      assertEquals(
          3,
          CrawlFiles.records(
                  ours.resolve(ParseText.DIR_NAME).resolve(Segment.PART).resolve("data"),
                  ParseText::new)
              .size());
    }
  }

  private static Path generate(Configuration conf, DataFolder data, String name) throws Exception {
    Path segment = Files.createDirectories(data.temporary().resolve(name));
    try (SequenceFile.Writer out =
        SequenceFile.createWriter(
            conf,
            SequenceFile.Writer.file(new Segment(segment, 1).file(CrawlDatum.GENERATE_DIR_NAME)),
            SequenceFile.Writer.keyClass(Text.class),
            SequenceFile.Writer.valueClass(CrawlDatum.class))) {
      for (String url : URLS) {
        CrawlDatum row = new CrawlDatum(CrawlDatum.STATUS_DB_UNFETCHED, 1000, 256);
        row.getMetaData().put(new Text("kept"), new Text("of " + url));
        out.append(new Text(url), row);
      }
    }
    return segment;
  }

  private static List<String> fetched(Configuration conf, Path segment) throws Exception {
    return crawled(conf, segment, CrawlDatum.FETCH_DIR_NAME + "/" + Segment.PART + "/data");
  }

  /** Address, status, score, interval, signature and metadata of every record, but for times. */
  private static List<String> crawled(Configuration conf, Path segment, String file)
      throws Exception {
    Path path = segment.resolve(file);
    path = Files.isDirectory(path) ? path.resolve(Segment.PART) : path;
    List<String> lines = new ArrayList<>();
    try (SortedRecords<CrawlDatum> rows =
        new SortedRecords<>(conf, new org.apache.hadoop.fs.Path(path.toUri()), new CrawlDatum())) {
      while (rows.next()) {
        CrawlDatum row = rows.value();
        Map<String, String> metadata = new TreeMap<>();
        for (Map.Entry<Writable, Writable> entry : row.getMetaData().entrySet()) {
          metadata.put(
              entry.getKey().toString(),
              entry.getValue().toString().replaceAll("lastModified=[0-9]*", ""));
        }
        lines.add(
            rows.key()
                + " "
                + CrawlDatum.getStatusName(row.getStatus())
                + " "
                + row.getScore()
                + " "
                + row.getFetchInterval()
                + " "
                + Arrays.toString(row.getSignature())
                + " "
                + metadata);
      }
    }
    lines.sort(null);
    return lines;
  }

  private static Map<String, String> contents(Path segment) throws Exception {
    Map<String, String> all = new TreeMap<>();
    CrawlFiles.records(
            segment.resolve(Content.DIR_NAME).resolve(Segment.PART).resolve("data"), Content::new)
        .forEach(
            (url, content) ->
                all.put(
                    url,
                    content.getBaseUrl()
                        + " "
                        + content.getContentType()
                        + " "
                        + metadata(content.getMetadata())
                        + content));
    all.replaceAll((url, text) -> text.replaceAll("metadata: .*", ""));
    return all;
  }

  private static Map<String, String> texts(Path segment) throws Exception {
    Map<String, String> all = new TreeMap<>();
    CrawlFiles.records(
            segment.resolve(ParseText.DIR_NAME).resolve(Segment.PART).resolve("data"),
            ParseText::new)
        .forEach((url, text) -> all.put(url, text.getText()));
    return all;
  }

  private static Map<String, String> data(Path segment) throws Exception {
    Map<String, String> all = new TreeMap<>();
    CrawlFiles.records(
            segment.resolve(ParseData.DIR_NAME).resolve(Segment.PART).resolve("data"),
            ParseData::new)
        .forEach(
            (url, parse) ->
                all.put(
                    url,
                    parse.getTitle()
                        + " "
                        + parse.getStatus()
                        + " "
                        + Arrays.toString(parse.getOutlinks())
                        + " "
                        + metadata(parse.getContentMeta())
                        + " "
                        + metadata(parse.getParseMeta())));
    return all;
  }

  /** Without dates, and without the segment's name. */
  private static Map<String, String> metadata(Metadata metadata) {
    Map<String, String> all = new TreeMap<>();
    for (String name : metadata.names()) {
      if (!name.equals("Date")
          && !name.equals(Nutch.SEGMENT_NAME_KEY)
          && !name.equals(Response.FETCH_TIME)) {
        all.put(name, Arrays.toString(metadata.getValues(name)));
      }
    }
    return all;
  }
}
