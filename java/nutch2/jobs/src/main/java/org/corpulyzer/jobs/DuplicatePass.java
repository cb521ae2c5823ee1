package org.corpulyzer.jobs;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.nutch.util.NutchJob;
import org.corpulyzer.corpus.PageCopy;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.jobs.PageRow.Column;

/**
 * The pass before pass 1 if duplicates count as 0 bytes: brings the fetched pages with one
 * signature together, and writes the marker {@link PageKeys#DUPLICATE_MARK} of those of which it
 * changes, see {@link PageCopy}. A reducer holds two pages at a time. The marker is a new cell of
 * the row, so an incremental run finds its host. The pass can be run again at any time, also after
 * a run that was killed.
 */
final class DuplicatePass {

  private static final String LAST_RUN = "crp.duplicates.lastRun";
  private static final String DRY_RUN = "crp.dry.run";
  private static final byte[] YES = HBase.utf8(PageKeys.IS_DUPLICATE);

  /** Written in place of a deletion, which could hide later marks from a clock that is behind. */
  private static final byte[] NO = HBase.utf8("n");

  private DuplicatePass() {}

  /**
   * @param conf Nutch's configuration with the crawl's id; it is copied
   * @param lastRun start of the last run of this pass, milliseconds since 1970; 0 if there was none
   * @param none a folder for empty files; it does not exist
   * @param dryRun whether to count the changes and to write none
   */
  static Job job(Configuration conf, WebTable table, long lastRun, Path none, boolean dryRun)
      throws IOException {
    Job job = NutchJob.getInstance(conf, "corpulyzer duplicates");
    job.getConfiguration().setLong(LAST_RUN, lastRun);
    job.getConfiguration().setBoolean(DRY_RUN, dryRun);
    RegionInputFormat.setInput(job, table.name(), row(table).scan(), null);
    job.setMapperClass(CopyMapper.class);
    job.setMapOutputKeyClass(BytesWritable.class);
    job.setMapOutputValueClass(PageCopy.class);
    job.setReducerClass(MarkReducer.class);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(NullWritable.class);
    FileOutputFormat.setOutputPath(job, none);
    job.setSpeculativeExecution(false);
    return job;
  }

  private static PageRow row(WebTable table) {
    return new PageRow(table, Column.STATUS, Column.SIGNATURE, Column.SCORE, Column.DUPLICATE);
  }

  /** Rows to pages by their signatures; those that were not fetched are left out. */
  static final class CopyMapper extends Mapper<NullWritable, Result, BytesWritable, PageCopy> {

    private final BytesWritable signature = new BytesWritable();
    private final PageCopy copy = new PageCopy();
    private final Text key = new Text();
    private PageRow row;
    private long lastRun;

    @Override
    protected void setup(Context context) throws IOException {
      row = row(WebTable.of(context.getConfiguration()));
      lastRun = context.getConfiguration().getLong(LAST_RUN, 0);
    }

    @Override
    protected void map(NullWritable none, Result result, Context context)
        throws IOException, InterruptedException {
      row.read(result);
      if (!row.isFetched()) {
        return;
      }
      Cell cell = row.cell(Column.SIGNATURE);
      Cell mark = row.cell(Column.DUPLICATE);
      byte[] value = row.value(Column.SIGNATURE);
      // Bytes: a key may be no UTF-8, and the mark belongs to this row.
      byte[] bytes = CellUtil.cloneRow(row.first());
      key.set(bytes, 0, bytes.length);
      if (value != null && value.length > 0) {
        signature.set(value, 0, value.length);
      } else if (row.isDuplicate()) {
        // It lost its signature: it is compared with no page, so that its mark ends.
        byte[] own = HBase.utf8("no signature " + row.key());
        signature.set(own, 0, own.length);
      } else {
        return;
      }
      boolean isNew = cell == null || cell.getTimestamp() >= lastRun;
      copy.set(key, row.isDuplicate(), isNew, row.score(), mark == null ? 0 : mark.getTimestamp());
      context.write(signature, copy);
    }
  }

  /** Pages with one signature to the markers that change. */
  static final class MarkReducer
      extends Reducer<BytesWritable, PageCopy, NullWritable, NullWritable> {

    private byte[] family;
    private byte[] qualifier;

    /** Null in a dry run. */
    private PutBatches writer;

    @Override
    protected void setup(Context context) throws IOException {
      Configuration conf = context.getConfiguration();
      WebTable table = WebTable.of(conf);
      family = Column.DUPLICATE.in(table).getFamily();
      qualifier = Column.DUPLICATE.in(table).getQualifier();
      if (!conf.getBoolean(DRY_RUN, false)) {
        writer = PutBatches.open(conf, table.name());
      }
    }

    @Override
    protected void reduce(BytesWritable signature, Iterable<PageCopy> copies, Context context)
        throws IOException, InterruptedException {
      PageCopy.compare(
          copies,
          (page, isDuplicate) -> {
            context.getCounter(ScoreCounter.DUPLICATES_CHANGED).increment(1);
            if (writer != null) {
              writer.add(put(page, isDuplicate));
            }
          });
    }

    private Put put(PageCopy page, boolean isDuplicate) {
      // A mark must not hide behind one from a clock that is ahead.
      long time = Math.max(System.currentTimeMillis(), page.markTime() + 1);
      return new Put(page.key().copyBytes())
          .addColumn(family, qualifier, time, isDuplicate ? YES : NO);
    }

    @Override
    protected void cleanup(Context context) throws IOException {
      if (writer != null) {
        writer.close();
      }
    }
  }
}
