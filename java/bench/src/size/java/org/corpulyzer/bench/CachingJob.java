package org.corpulyzer.bench;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.util.Utf8;
import org.apache.gora.mapreduce.GoraMapper;
import org.apache.gora.mapreduce.GoraReducer;
import org.apache.gora.query.Query;
import org.apache.gora.store.DataStore;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.storage.StorageUtils;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.NutchJob;
import org.apache.nutch.util.WebPageWritable;
import org.corpulyzer.engine.LanguageBytes;
import org.corpulyzer.engine.PageKeys;

/**
 * Algorithm 1 as the paper has it: the reducer keeps every page of a host until it knows the mean,
 * then writes each of them. It is for comparison only: its heap grows with the largest host.
 */
final class CachingJob {

  private CachingJob() {}

  static boolean run(Configuration conf) throws Exception {
    Job job = NutchJob.getInstance(conf, "caching scores");
    DataStore<String, WebPage> store =
        StorageUtils.createWebStore(job.getConfiguration(), String.class, WebPage.class);
    Query<String, WebPage> query = store.newQuery();
    query.setFields("status", "metadata", "score");
    GoraMapper.initMapperJob(job, query, Text.class, KeyedPage.class, HostMapper.class, null, true);
    GoraReducer.initReducerJob(job, store, MeanReducer.class);
    return job.waitForCompletion(false);
  }

  /** A page with the key of its row. */
  static final class KeyedPage extends WebPageWritable {
    private String key;

    /** For Hadoop, which then reads the fields. */
    public KeyedPage() {
      super(new Configuration(), null);
    }

    KeyedPage(Configuration conf, String key, WebPage page) {
      super(conf, page);
      this.key = key;
    }

    @Override
    public void readFields(DataInput in) throws IOException {
      key = in.readUTF();
      // Hadoop reuses this object: a page that is kept must not be read over.
      setWebPage(null);
      super.readFields(in);
    }

    @Override
    public void write(DataOutput out) throws IOException {
      out.writeUTF(key);
      super.write(out);
    }
  }

  /** Rows to pages by host. */
  static final class HostMapper extends GoraMapper<String, WebPage, Text, KeyedPage> {
    @Override
    protected void map(String key, WebPage page, Context context)
        throws IOException, InterruptedException {
      context.write(
          new Text(key.substring(0, key.indexOf(':'))),
          new KeyedPage(context.getConfiguration(), key, page));
    }
  }

  /** Pages of a host to pages with its mean. */
  static final class MeanReducer extends GoraReducer<Text, KeyedPage, String, WebPage> {
    @Override
    protected void reduce(Text host, Iterable<KeyedPage> pages, Context context)
        throws IOException, InterruptedException {
      List<Map.Entry<String, WebPage>> cache = new ArrayList<>();
      long bytes = 0;
      long fetched = 0;
      for (KeyedPage keyed : pages) {
        WebPage page = keyed.getWebPage();
        if (page.getStatus() == CrawlStatus.STATUS_FETCHED
            || page.getStatus() == CrawlStatus.STATUS_NOTMODIFIED) {
          ByteBuffer languages = page.getMetadata().get(new Utf8(PageKeys.LANGUAGES));
          fetched++;
          bytes +=
              languages == null
                  ? 0
                  : LanguageBytes.targetBytes(
                      StandardCharsets.UTF_8.decode(languages.duplicate()).toString(), "urd");
        }
        cache.add(new AbstractMap.SimpleEntry<>(keyed.key, page));
      }
      for (Map.Entry<String, WebPage> cached : cache) {
        cached.getValue().setScore(fetched == 0 ? 256f : (float) ((double) bytes / fetched));
        // The store writes what is dirty: the score alone.
        context.write(cached.getKey(), cached.getValue());
      }
    }
  }
}
