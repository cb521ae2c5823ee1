package org.corpulyzer.nutch;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.gora.query.Query;
import org.apache.gora.query.Result;
import org.apache.gora.store.DataStore;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.storage.Mark;
import org.apache.nutch.storage.StorageUtils;
import org.apache.nutch.storage.WebPage;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.HostTally;
import org.corpulyzer.engine.HostTotals;
import org.corpulyzer.engine.LanguageBytes;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.RowKeys;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.engine.WebTableStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sums of a host, from a scan over its contiguous rows in the web table. */
final class HostScan {

  private static final Logger LOG = LoggerFactory.getLogger(HostScan.class);
  private static final String[] FIELDS = {
    WebPage.Field.STATUS.getName(), WebPage.Field.METADATA.getName()
  };
  private static final String[] FIELDS_AND_MARKERS = {
    FIELDS[0], FIELDS[1], WebPage.Field.MARKERS.getName()
  };

  /** Key of a web table. */
  private static final String[] TABLE_KEYS = {
    "storage.data.store.class",
    "storage.crawl.id",
    "hbase.zookeeper.quorum",
    "hbase.zookeeper.property.clientPort",
    "zookeeper.znode.parent"
  };

  /**
   * Scoring filters are never closed and Nutch makes new ones for each task, so a JVM keeps one
   * store per table.
   */
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

  /** The sums of a host. */
  static final class View {
    private final HostTotals totals;
    private final String probe;
    private final boolean strong;

    View(HostTotals totals, String probe, boolean strong) {
      this.totals = totals;
      this.probe = probe;
      this.strong = strong;
    }

    HostTotals totals() {
      return totals;
    }

    /**
     * @return key of the row that probes the host, or null
     */
    String probe() {
      return probe;
    }

    /**
     * @return whether that row comes before the probes of other hosts
     */
    boolean isStrong() {
      return strong;
    }
  }

  /**
   * Reads the host's rows, or its first {@code maxRows} with a warning.
   *
   * @param host as {@link RowKeys#host} returns it
   * @throws CorpulyzerException when the table cannot be read; unchecked, since Nutch ignores a
   *     ScoringFilterException and would go on with a wrong order
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
        // Gora wraps an IOException that it has logged.
        throw new IOException("the store answered nothing");
      }
      try {
        return sum(host, rows);
      } finally {
        rows.close();
      }
    } catch (Exception e) {
      throw new CorpulyzerException(
          "The rows of host " + host + " cannot be read: " + e.getMessage() + ".", e);
    }
  }

  private View sum(String host, Result<String, WebPage> rows) throws Exception {
    long read = 0;
    HostTally tally = new HostTally();
    Row row = new Row();
    while (rows.next()) {
      if (read++ == maxRows) {
        LOG.warn(
            "Host {} has more than {} rows; its score is the mean of the first ({})",
            host,
            maxRows,
            Settings.SCORE_SCAN_MAX_ROWS);
        break;
      }
      row.key = rows.getKey();
      row.page = rows.get();
      // A key without a scheme belongs to no host, for the jobs as well.
      if (!RowKeys.isValid(row.key)) {
        continue;
      }
      tally.addPage(row, target);
      if (probes) {
        tally.addLinks(row);
      }
    }
    String probe = tally.probe().isEmpty() ? null : tally.probe();
    return new View(tally.totals(), probe, tally.links().isStrong());
  }

  /** The present row of a scan. */
  private static final class Row implements HostTally.Row {
    private String key;
    private WebPage page;

    @Override
    public String key() {
      return key;
    }

    private int status() {
      return page.getStatus() == null ? 0 : page.getStatus();
    }

    @Override
    public boolean isFetched() {
      return WebTableStatus.isFetched(status());
    }

    @Override
    public boolean isUntried() {
      return WebTableStatus.isUntried(status());
    }

    @Override
    public boolean isRead() {
      return PageFigures.get(page, PageKeys.LANGUAGES) != null
          || PageFigures.get(page, PageKeys.DECISION) != null;
    }

    @Override
    public boolean isInjected() {
      return Mark.INJECT_MARK.checkMark(page) != null;
    }

    @Override
    public boolean isFound() {
      return LinkMark.FOUND.isSet(page);
    }

    @Override
    public boolean isElsewhere() {
      return LinkMark.ELSEWHERE.isSet(page);
    }

    @Override
    public long rawBytes() {
      return HostTally.bytes(PageFigures.get(page, PageKeys.RAW_BYTES));
    }

    @Override
    public long bytesIn(String language) {
      try {
        return LanguageBytes.targetBytes(PageFigures.get(page, PageKeys.LANGUAGES), language);
      } catch (CorpulyzerException e) {
        LOG.warn("Row {} counts as 0 bytes: {}", key, e.getMessage());
        return -1;
      }
    }
  }

  private DataStore<String, WebPage> store() {
    StringBuilder table = new StringBuilder();
    for (String key : TABLE_KEYS) {
      table.append(conf.get(key)).append('\n');
    }
    return STORES.computeIfAbsent(
        table.toString(),
        absent -> {
          try {
            // A copy: createWebStore writes the table's name into what it is given, which is the
            // task's.
            return StorageUtils.createWebStore(
                new Configuration(conf), String.class, WebPage.class);
          } catch (ClassNotFoundException | IOException e) {
            throw new CorpulyzerException("The web table cannot be opened: " + e.getMessage(), e);
          }
        });
  }
}
