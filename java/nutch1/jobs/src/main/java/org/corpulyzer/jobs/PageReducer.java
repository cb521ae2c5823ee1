package org.corpulyzer.jobs;

import java.io.IOException;
import org.apache.hadoop.mapreduce.Reducer;
import org.corpulyzer.corpus.Decisions;
import org.corpulyzer.corpus.TaskFailure;
import org.corpulyzer.engine.Settings;

/** The reduce side of a job over segments: the parts of a URL to its page. */
abstract class PageReducer<K, V> extends Reducer<PageKey, PagePart, K, V> {

  /**
   * Hands every URL of a page to {@link #add} and then calls {@link #end}, which Hadoop's own loop
   * would do after a failure too.
   */
  @Override
  public final void run(Context context) throws IOException, InterruptedException {
    try {
      Segments segments = Segments.from(context.getConfiguration());
      SegmentPage page = new SegmentPage(segments);
      StoredRules rules = new StoredRules(segments);
      page.setRules(rules);
      page.decideBy(new Decisions(Settings.from(context.getConfiguration()::get)));
      begin(context, segments);
      while (context.nextKey()) {
        PageKey key = context.getCurrentKey();
        rules.enter(key.host());
        if (key.isHostFile()) {
          rules.add(key.url(), context.getValues());
        } else {
          page.read(key, context.getValues());
          add(page);
        }
      }
      end();
    } catch (IOException | RuntimeException | Error e) {
      TaskFailure.note(context.getConfiguration(), e);
      throw e;
    } finally {
      close();
    }
  }

  abstract void begin(Context context, Segments segments) throws IOException, InterruptedException;

  abstract void add(SegmentPage page) throws IOException;

  abstract void end() throws IOException, InterruptedException;

  void close() throws IOException {}
}
