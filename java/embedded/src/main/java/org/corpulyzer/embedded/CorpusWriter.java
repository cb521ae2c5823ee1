package org.corpulyzer.embedded;

import com.carrotsearch.hppc.LongHashSet;
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
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the kept pages of the table as a corpus, and counts each round's yield on the way: one scan in row order, a row in memory at
 * a time (and eight bytes a document with {@code --dedup exact}). The files take the place of the last ones in one step.
 */
final class CorpusWriter {
  /** What a scan found. */
  static final class Summary {
    private final Map<Integer, long[]> rounds = new TreeMap<>();
    private long documents;
    private long duplicates;
    private long bytes;

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

    RoundYield yield(int round) {
      long[] counts = rounds.getOrDefault(round, new long[3]);
      return new RoundYield(round, counts[0], counts[1], counts[2]);
    }

    private long[] round(int round) {
      return rounds.computeIfAbsent(round, key -> new long[3]);
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(CorpusWriter.class);
  private static final int SCAN_BYTES = 2 << 20;

  private final CrawlOptions options;
  private final Connection connection;
  private final Console console;

  CorpusWriter(CrawlOptions options, Connection connection, Console console) {
    this.options = options;
    this.connection = connection;
    this.console = console;
  }

  Summary write() throws CrawlException {
    Path file = options.out.resolve(options.format == CrawlOptions.Format.jsonl ? "corpus.jsonl.zst" : "corpus.txt.zst");
    Path next = options.out.resolve("." + file.getFileName() + ".tmp");
    try {
      Files.createDirectories(options.out);
      Summary summary = new Summary();
      try (OutputStream out = new ZstdOutputStream(new BufferedOutputStream(Files.newOutputStream(next)));
          DocumentWriter documents = DocumentWriter.of(options.format, out)) {
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

  private void scan(DocumentWriter documents, Summary summary) throws IOException {
    Scan scan = new Scan();
    for (byte[] column : PageRow.FETCH_COLUMNS) {
      scan.addColumn(PageRow.FETCH, column);
    }
    scan.addFamily(PageRow.PARSE).addFamily(PageRow.METADATA);
    scan.setMaxResultSize(SCAN_BYTES);
    scan.setCacheBlocks(false);
    LongHashSet seen = options.dedup == CrawlOptions.Dedup.exact ? new LongHashSet() : null;
    String host = "";
    int hostSince = Integer.MAX_VALUE;
    try (Table table = connection.getTable(WebTable.NAME); ResultScanner rows = table.getScanner(scan)) {
      for (Result result : rows) {
        PageRow row = new PageRow(result);
        if (!row.isFetched()) {
          continue;
        }
        if (!row.reversedHost().equals(host)) {
          addHost(summary, hostSince);
          host = row.reversedHost();
          hostSince = Integer.MAX_VALUE;
        }
        hostSince = Math.min(hostSince, row.round());
        long[] counts = summary.round(row.round());
        counts[0]++;
        if (row.isKept()) {
          counts[1]++;
          add(row, documents, seen, summary);
        }
      }
      addHost(summary, hostSince);
    }
  }

  private static void addHost(Summary summary, int since) {
    if (since != Integer.MAX_VALUE) {
      summary.round(since)[2]++;
    }
  }

  private void add(PageRow row, DocumentWriter documents, LongHashSet seen, Summary summary) throws IOException {
    String text = row.text();
    if (text.isEmpty()) {
      LOG.warn("{} is to be kept, but has no text", row.url());
      return;
    }
    if (options.nfc) {
      text = Normalizer.normalize(text, Normalizer.Form.NFC);
    }
    if (seen != null && !seen.add(fingerprint(text))) {
      summary.duplicates++;
      return;
    }
    documents.write(row, text);
    if (++summary.documents % 1000 == 0) {
      console.status("corpus: " + summary.documents + " documents");
    }
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
