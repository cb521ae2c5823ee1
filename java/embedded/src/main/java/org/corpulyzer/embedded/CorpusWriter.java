package org.corpulyzer.embedded;

import com.carrotsearch.hppc.LongHashSet;
import com.carrotsearch.hppc.LongIntHashMap;
import com.carrotsearch.hppc.procedures.LongIntProcedure;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.Normalizer;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.corpulyzer.corpus.CorpusPage;
import org.corpulyzer.corpus.DocumentFormat;
import org.corpulyzer.corpus.DocumentWriter;
import org.corpulyzer.jobs.WebTablePage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the kept pages of the table as a corpus, and counts each round's yield on the way: one scan in row order, a row in memory at
 * a time, and some twenty bytes a kept page to tell texts apart (eight more with {@code --dedup exact}). The files take the place of
 * the last ones in one step.
 */
final class CorpusWriter {
  /** What a scan found. */
  static final class Summary {
    private final Map<Integer, long[]> rounds = new TreeMap<>();
    private long documents;
    private long duplicates;
    private long bytes;
    private long languageBytes;

    long documents() {
      return documents;
    }

    /** Documents left out because an earlier one has their text. */
    long duplicates() {
      return duplicates;
    }

    /** Size of the compressed file in bytes. */
    long bytes() {
      return bytes;
    }

    /** UTF-8 bytes of the language in the main content of the documents; of those that were kept, where others are written too. */
    long languageBytes() {
      return languageBytes;
    }

    RoundYield yield(int round) {
      long[] counts = rounds.getOrDefault(round, new long[4]);
      return new RoundYield(round, counts[0], counts[1], counts[2], counts[3]);
    }

    private long[] round(int round) {
      return rounds.computeIfAbsent(round, key -> new long[4]);
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(CorpusWriter.class);

  private final CrawlOptions options;
  private final Configuration conf;
  private final Connection connection;
  private final Console console;

  CorpusWriter(CrawlOptions options, Configuration conf, Connection connection, Console console) {
    this.options = options;
    this.conf = conf;
    this.connection = connection;
    this.console = console;
  }

  Summary write() throws CrawlException {
    DocumentFormat format = options.format;
    Path file = options.out.resolve("corpus." + format.extension() + (format.isCompressed() ? "" : ".zst"));
    Path next = options.out.resolve("." + file.getFileName() + ".tmp");
    try {
      Files.createDirectories(options.out);
      Summary summary = new Summary();
      try (OutputStream bytes = new BufferedOutputStream(Files.newOutputStream(next));
          OutputStream out = format.isCompressed() ? bytes : new ZstdOutputStream(bytes);
          DocumentWriter documents = DocumentWriter.of(format, out, file.getFileName().toString(),
              WebTablePage.description(conf))) {
        scan(documents, summary);
      }
      summary.bytes = Files.size(next);
      LocalFiles.replace(next, file);
      LocalFiles.replace(options.out.resolve("README.md"), new CorpusReadme(options, file.getFileName().toString(), summary).bytes());
      return summary;
    } catch (IOException e) {
      throw CrawlException.failed("the corpus cannot be written to " + options.out + " (" + e + "); mend that, or name another folder "
          + "with --out, then run the same command again", e);
    }
  }

  private void scan(DocumentWriter documents, Summary summary) throws CrawlException, IOException {
    WebTablePage page = new WebTablePage(conf);
    LongHashSet seen = options.dedup == CrawlOptions.Dedup.exact ? new LongHashSet() : null;
    LongIntHashMap firstRounds = new LongIntHashMap();
    String target = PageSettings.require(options).target();
    String host = "";
    int hostSince = Integer.MAX_VALUE;
    try (Table table = connection.getTable(WebTable.NAME); ResultScanner rows = table.getScanner(page.scan(options.format))) {
      for (Result row : rows) {
        page.read(row);
        if (!page.isValid() || !page.isFetched()) {
          continue;
        }
        if (!page.host().equals(host)) {
          addHost(summary, hostSince);
          host = page.host();
          hostSince = Integer.MAX_VALUE;
        }
        int round = round(page);
        hostSince = Math.min(hostSince, round);
        long[] counts = summary.round(round);
        counts[0]++;
        counts[1] += page.isKept() ? 1 : 0;
        if (page.isKept() && !page.text().isEmpty()) {
          long text = fingerprint(page.text());
          firstRounds.put(text, Math.min(round, firstRounds.getOrDefault(text, round)));
        }
        if ((page.isKept() || options.all && page.isJudged()) && add(page, documents, seen, summary) && page.isKept()) {
          summary.languageBytes += page.bytesIn(target);
        }
      }
      addHost(summary, hostSince);
      firstRounds.forEach((LongIntProcedure) (text, round) -> summary.round(round)[3]++);
    }
  }

  /** 0 when the page is not from a round of this crawl. */
  private static int round(CorpusPage page) {
    return (int) Math.max(0, page.round());
  }

  private static void addHost(Summary summary, int since) {
    if (since != Integer.MAX_VALUE) {
      summary.round(since)[2]++;
    }
  }

  /** @return whether the page became a document */
  private boolean add(CorpusPage page, DocumentWriter documents, LongHashSet seen, Summary summary) throws IOException {
    if (!page.has(options.format)) {
      if (page.isKept()) {
        LOG.warn("{} is to be kept, but has no text or no content", page.url());
      }
      return false;
    }
    String text = page.text();
    if (options.nfc) {
      text = Normalizer.normalize(text, Normalizer.Form.NFC);
    }
    if (seen != null && !seen.add(fingerprint(text))) {
      summary.duplicates++;
      return false;
    }
    documents.write(page, text);
    if (++summary.documents % 1000 == 0) {
      console.status("corpus: " + summary.documents + " documents");
    }
    return true;
  }

  /** 64 bits of MD5: among ten million texts two different ones share them with a chance of three in a million. */
  private static long fingerprint(String text) {
    try {
      return ByteBuffer.wrap(MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8))).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has MD5", e);
    }
  }
}
