package org.corpulyzer.embedded;

import java.io.IOException;
import java.util.Map;
import org.apache.avro.util.Utf8;
import org.apache.gora.filter.FilterOp;
import org.apache.gora.filter.MapFieldValueFilter;
import org.apache.gora.mapreduce.GoraMapper;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.parse.ParseStatusUtils;
import org.apache.nutch.parse.ParseUtil;
import org.apache.nutch.parse.ParserJob;
import org.apache.nutch.storage.StorageUtils;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.IdentityPageReducer;
import org.apache.nutch.util.NutchJob;
import org.apache.nutch.util.NutchTool;

/**
 * Parses every fetched page again from its stored bytes, whichever round it is of. It differs from Nutch's {@code parse -reparse} in that
 * a row gets a mark together with its new record, so that a run after a crash leaves out what is done.
 */
final class ReparseJob extends NutchTool {
  /** Argument of {@link #run(Map)}: what tells this reparse from others. */
  static final String ARG_ID = "id";
  /** Counters, by the name of {@link Count}. */
  enum Count { PARSED, FAILED }

  private static final String ID = "corpulyzer.embedded.reparse";
  private static final Utf8 MARK = new Utf8("_crprps_");

  @Override
  public Map<String, Object> run(Map<String, Object> args) throws Exception {
    String id = (String) args.get(ARG_ID);
    getConf().set(ID, id);
    currentJob = NutchJob.getInstance(getConf(), "reparse");
    StorageUtils.initMapperJob(currentJob, new ParserJob(getConf()).getFields(currentJob), String.class, WebPage.class, Again.class,
        without(id));
    StorageUtils.initReducerJob(currentJob, IdentityPageReducer.class);
    currentJob.setNumReduceTasks(0);
    currentJob.waitForCompletion(true);
    return results;
  }

  /** Rows that have the mark of this reparse stay where they are. */
  private static MapFieldValueFilter<String, WebPage> without(String id) {
    MapFieldValueFilter<String, WebPage> filter = new MapFieldValueFilter<>();
    filter.setFieldName(WebPage.Field.MARKERS.toString());
    filter.setMapKey(MARK);
    filter.setFilterOp(FilterOp.NOT_EQUALS);
    filter.setFilterIfMissing(false);
    filter.getOperands().add(new Utf8(id));
    return filter;
  }

  /** A page at a time. */
  public static final class Again extends GoraMapper<String, WebPage, String, WebPage> {
    private ParseUtil parser;
    private Utf8 id;

    @Override
    public void setup(Context context) throws IOException {
      Configuration conf = context.getConfiguration();
      parser = new ParseUtil(conf);
      id = new Utf8(conf.get(ID));
    }

    @Override
    public void map(String key, WebPage page, Context context) throws IOException, InterruptedException {
      int status = page.getStatus();
      boolean unmodified = status == CrawlStatus.STATUS_NOTMODIFIED;
      if (page.getContent() == null || status != CrawlStatus.STATUS_FETCHED && !unmodified) {
        return;
      }
      // ParseUtil passes over rows of any other status.
      page.setStatus((int) CrawlStatus.STATUS_FETCHED);
      parser.process(key, page);
      page.setStatus(status);
      page.getMarkers().put(MARK, id);
      context.write(key, page);
      context.getCounter(ParseStatusUtils.isSuccess(page.getParseStatus()) ? Count.PARSED : Count.FAILED).increment(1);
    }
  }
}
