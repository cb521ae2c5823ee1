package org.corpulyzer.nutch;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.gora.query.Query;
import org.apache.gora.query.Result;
import org.apache.gora.store.DataStore;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.storage.Mark;
import org.apache.nutch.storage.StorageUtils;
import org.apache.nutch.storage.WebPage;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.HostTotals;
import org.corpulyzer.engine.LanguageBytes;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.RowKeys;
import org.corpulyzer.engine.Settings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a scan over the contiguous rows of one host in the web table tells of it. */
final class HostScan {

  private static final Logger LOG = LoggerFactory.getLogger(HostScan.class);
  private static final String[] FIELDS = {WebPage.Field.STATUS.getName(), WebPage.Field.METADATA.getName()};
  private static final String[] FIELDS_AND_MARKERS = {FIELDS[0], FIELDS[1], WebPage.Field.MARKERS.getName()};
  /** What tells one web table from another. */
  private static final String[] TABLE_KEYS = {"storage.data.store.class", "storage.crawl.id", "hbase.zookeeper.quorum",
      "hbase.zookeeper.property.clientPort", "zookeeper.znode.parent"};
  /** Scoring filters are never closed and Nutch makes new ones for each task, so a JVM keeps one store per table. */
  private static final Map<String, DataStore<String, WebPage>> STORES = new ConcurrentHashMap<>();

  private final Configuration conf;
  private final long maxRows;
  private final String target;
  private final boolean probes;

  /**
   * @param conf where the web table is
   * @param maxRows rows of a host that are read at most
   * @param target ISO 639-3 code of the language that is counted
   * @param probes whether to look for the row that probes the host
   */
  HostScan(Configuration conf, long maxRows, String target, boolean probes) {
    this.conf = conf;
    this.maxRows = maxRows;
    this.target = target;
    this.probes = probes;
  }

  /** What is known of a host. */
  static final class View {
    private final HostTotals totals;
    private final String probe;

    View(HostTotals totals, String probe) {
      this.totals = totals;
      this.probe = probe;
    }

    HostTotals totals() {
      return totals;
    }

    /** @return key of the row that probes the host, or null */
    String probe() {
      return probe;
    }
  }

  /**
   * Reads the host's rows, or its first {@code maxRows} with a warning.
   *
   * @param host as {@link RowKeys#host} answers it
   * @throws CorpulyzerException when the table cannot be read; unchecked, since Nutch ignores a ScoringFilterException and would
   *     go on with a wrong order
   */
  View view(String host) {
    try {
      DataStore<String, WebPage> store = store();
      Query<String, WebPage> query = store.newQuery();
      query.setFields(probes ? FIELDS_AND_MARKERS : FIELDS);
      query.setStartKey(RowKeys.startKey(host));
      query.setEndKey(RowKeys.endKey(host));
      Result<String, WebPage> rows = query.execute();
      if (rows == null) {
        // What Gora makes of an IOException that it has logged.
        throw new IOException("the store answered nothing");
      }
      try {
        return sum(host, rows);
      } finally {
        rows.close();
      }
    } catch (Exception e) {
      throw new CorpulyzerException("The rows of host " + host + " cannot be read: " + e.getMessage() + ".", e);
    }
  }

  private View sum(String host, Result<String, WebPage> rows) throws Exception {
    long targetBytes = 0;
    long fetched = 0;
    long unread = 0;
    long read = 0;
    String firstFound = null;
    boolean elsewhere = false;
    while (rows.next()) {
      if (read++ == maxRows) {
        LOG.warn("Host {} has more than {} rows; its score is the mean of the first ({})", host, maxRows, Settings.SCORE_SCAN_MAX_ROWS);
        break;
      }
      WebPage page = rows.get();
      // A key without a scheme belongs to no host, for the jobs as well.
      if (!RowKeys.isValid(rows.getKey())) {
        continue;
      }
      if (isFetched(page)) {
        fetched++;
        long bytes = targetBytes(rows.getKey(), page);
        targetBytes += Math.max(0, bytes);
        if (bytes < 0 || PageFigures.get(page, PageKeys.DECISION) == null) {
          unread++;
        }
      }
      if (probes) {
        elsewhere |= LinkMark.ELSEWHERE.isSet(page);
        firstFound = firstFound == null && mayProbe(page) ? rows.getKey() : firstFound;
      }
    }
    return new View(new HostTotals(targetBytes, fetched, unread), fetched == 0 && !elsewhere ? firstFound : null);
  }

  private static boolean isFetched(WebPage page) {
    Integer status = page.getStatus();
    return status != null && (status == CrawlStatus.STATUS_FETCHED || status == CrawlStatus.STATUS_NOTMODIFIED);
  }

  private static boolean mayProbe(WebPage page) {
    Integer status = page.getStatus();
    return status != null && status == CrawlStatus.STATUS_UNFETCHED && LinkMark.FOUND.isSet(page) && Mark.INJECT_MARK.checkMark(page) == null;
  }

  /** The page's bytes in the target language; -1 when its figures do not read. */
  private long targetBytes(String key, WebPage page) {
    try {
      return LanguageBytes.targetBytes(PageFigures.get(page, PageKeys.LANGUAGES), target);
    } catch (CorpulyzerException e) {
      LOG.warn("Row {} counts as 0 bytes: {}", key, e.getMessage());
      return -1;
    }
  }

  private DataStore<String, WebPage> store() {
    StringBuilder table = new StringBuilder();
    for (String key : TABLE_KEYS) {
      table.append(conf.get(key)).append('\n');
    }
    return STORES.computeIfAbsent(table.toString(), absent -> {
      try {
        // A copy: createWebStore writes the table's name into what it is given, which is the task's.
        return StorageUtils.createWebStore(new Configuration(conf), String.class, WebPage.class);
      } catch (ClassNotFoundException | IOException e) {
        throw new CorpulyzerException("The web table cannot be opened: " + e.getMessage(), e);
      }
    });
  }
}
