package org.corpulyzer.jobs;

import java.io.IOException;
import org.apache.gora.hbase.store.HBaseColumn;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.NutchJob;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.jobs.PageRow.Column;

/**
 * Lists the hosts of all rows that were written since a time, so that the passes score only these.
 * It checks everything that can change a host's score: status and figures, injected markers, new
 * rows, and scores by other programs. Nutch's updatedb rewrites the markers of every row of its
 * batch, so a row is found even if fetch or parse wrote to it late.
 *
 * <p>HBase leaves store files out that hold nothing so new: the scan costs what was written since,
 * until a major compaction has made one file of all.
 */
final class ChangePass {

  private ChangePass() {}

  /**
   * @param since milliseconds since 1970
   * @param hosts a folder for the {@link HostList}
   */
  static Job job(Configuration conf, WebTable table, long since, Path hosts) throws IOException {
    Job job = NutchJob.getInstance(conf, "corpulyzer changed hosts");
    RegionInputFormat.setInput(job, table.name(), scan(table, since), null);
    job.setMapperClass(HostMapper.class);
    job.setMapOutputKeyClass(Text.class);
    job.setMapOutputValueClass(NullWritable.class);
    job.setReducerClass(HostReducer.class);
    // One sorted file: the list is short, or an incremental run was the wrong choice.
    job.setNumReduceTasks(1);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(NullWritable.class);
    HostList.setOutput(job, hosts);
    job.setSpeculativeExecution(false);
    return job;
  }

  private static Scan scan(WebTable table, long since) throws IOException {
    Scan scan =
        new PageRow(
                table,
                Column.STATUS,
                Column.FETCH_TIME,
                Column.SCORE,
                Column.VERSION,
                Column.LANGUAGES,
                Column.DECISION)
            .scan();
    scan.addFamily(table.column(WebPage.Field.MARKERS).getFamily());
    return scan.setTimeRange(since, Long.MAX_VALUE);
  }

  /** Rows, with their new cells alone, to hosts: one record for each host of the split. */
  static final class HostMapper extends Mapper<NullWritable, Result, Text, NullWritable> {

    private final HostCursor cursor = new HostCursor();
    private HBaseColumn score;
    private HostTable hosts;
    private boolean listed;

    @Override
    protected void setup(Context context) throws IOException {
      score = Column.SCORE.in(WebTable.of(context.getConfiguration()));
      hosts = HBaseHostTable.open(context.getConfiguration());
    }

    @Override
    protected void map(NullWritable none, Result row, Context context)
        throws IOException, InterruptedException {
      Cell first = row.rawCells()[0];
      if (cursor.moveTo(first)) {
        listed = false;
      }
      if (cursor.host() != null && !listed && !isOwnScore(row.rawCells())) {
        context.write(HostList.key(cursor.host()), NullWritable.get());
        listed = true;
      }
    }

    /** Returns whether only the score is new and equals the host's: the last run wrote it. */
    private boolean isOwnScore(Cell[] cells) throws IOException {
      if (cells.length != 1
          || !CellUtil.matchingColumn(cells[0], score.getFamily(), score.getQualifier())) {
        return false;
      }
      HostRecord host = hosts.find(cursor.host());
      // Seeds of a host without fetched pages have another score than its other rows. Rows found
      // elsewhere have another score too, under policy explore. This cell does not show which kind
      // of row it is.
      return host != null
          && Float.compare(host.score(), host.seedScore()) == 0
          && Float.compare(host.score(), host.otherScore()) == 0
          && CellUtil.matchingValue(cells[0], Bytes.toBytes(host.score()));
    }

    @Override
    protected void cleanup(Context context) throws IOException {
      hosts.close();
    }
  }

  /** One record for each host of the crawl. */
  static final class HostReducer extends Reducer<Text, NullWritable, Text, NullWritable> {

    @Override
    protected void reduce(Text key, Iterable<NullWritable> splits, Context context)
        throws IOException, InterruptedException {
      context.getCounter(ScoreCounter.HOSTS_TOUCHED).increment(1);
      context.write(key, NullWritable.get());
    }
  }
}
