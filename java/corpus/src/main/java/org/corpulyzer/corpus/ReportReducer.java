package org.corpulyzer.corpus;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.LazyOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.corpulyzer.engine.CorpusSums;

/** Takes in the parts of all tasks ({@link PageSums}) and writes the report. */
public final class ReportReducer extends Reducer<NullWritable, BytesWritable, NullWritable, NullWritable> {

  /** Makes a report of what the tasks of a job give: one reducer, which writes to a folder that is not there. */
  public static void setOutput(Job job, Path out) {
    job.setReducerClass(ReportReducer.class);
    job.setNumReduceTasks(1);
    // The report's files are written by their names; a part file of no lines would only stand beside them.
    LazyOutputFormat.setOutputFormatClass(job, TextOutputFormat.class);
    FileOutputFormat.setOutputPath(job, out);
    job.getConfiguration().setBoolean("mapreduce.fileoutputcommitter.marksuccessfuljobs", false);
    job.setSpeculativeExecution(false);
  }

  @Override
  public void run(Context context) throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    try (Scratch scratch = new Scratch(); CorpusSums sums = ReportOptions.open(conf, scratch.folder())) {
      while (context.nextKey()) {
        for (BytesWritable part : context.getValues()) {
          sums.absorb(part.copyBytes());
        }
      }
      Heartbeat.during(context, () -> sums.report(ReportOptions.name(conf), scratch.folder()));
      // The committer moves this folder to its place when the task has ended well; no other attempt sees it.
      Path folder = FileOutputFormat.getWorkOutputPath(context);
      try (FileSystem files = FileSystem.newInstance(folder.toUri(), conf);
          DirectoryStream<java.nio.file.Path> written = Files.newDirectoryStream(scratch.folder())) {
        // A local file system would put its checksums beside the files.
        files.setWriteChecksum(false);
        for (java.nio.file.Path file : written) {
          files.copyFromLocalFile(new Path(file.toUri()), new Path(folder, file.getFileName().toString()));
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      TaskFailure.note(conf, e);
      throw e;
    }
  }
}
