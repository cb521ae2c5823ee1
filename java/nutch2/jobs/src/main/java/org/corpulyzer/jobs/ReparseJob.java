package org.corpulyzer.jobs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.avro.util.Utf8;
import org.apache.gora.mapreduce.GoraMapper;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.util.Tool;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.parse.ParseUtil;
import org.apache.nutch.parse.ParserJob;
import org.apache.nutch.storage.StorageUtils;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.IdentityPageReducer;
import org.apache.nutch.util.NutchConfiguration;
import org.apache.nutch.util.NutchJob;
import org.apache.nutch.util.NutchTool;
import org.apache.nutch.util.TableUtil;
import org.apache.nutch.util.ToolUtil;
import org.corpulyzer.corpus.Arguments;
import org.corpulyzer.corpus.JobFailedException;
import org.corpulyzer.corpus.ScoreSummary;
import org.corpulyzer.corpus.Tools;
import org.corpulyzer.corpus.UsageException;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.engine.WebTableStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Parses every stored page again with Nutch's parsers and so with the plugin, and fetches nothing.
 * Then it runs the score passes. It is for a crawl that began without the plugin, and after a
 * change of the engine.
 *
 * <p>Nutch's own {@code parse -reparse} skips pages whose last fetch found them unchanged, though
 * they count in the means, and leaves a page that no parser reads without a decision, so that it
 * counts as not read yet.
 */
public class ReparseJob extends NutchTool implements Tool {

  enum Count {
    /** Rows with figures. */
    ROWS,
    /** Rows of stored pages that no parser can read. */
    NOT_PARSED
  }

  private static final Logger LOG = LoggerFactory.getLogger(ReparseJob.class);
  private static final String USAGE =
      "Usage: ReparseJob [-crawlId <id>] [-newTarget] [-force]\n"
          + "    -crawlId <id> - the id to prefix the schemas to operate on (default:"
          + " storage.crawl.id)\n"
          + "    -newTarget    - score for corpulyzer.language.target though the last run had"
          + " another target language\n"
          + "    -force        - score hosts though fewer than half of the fetched pages have"
          + " figures";

  private ScoreSummary summary;
  private String parsed;

  @Override
  public Map<String, Object> run(Map<String, Object> args) throws Exception {
    Object crawlId = args.get(Nutch.ARG_CRAWL);
    if (crawlId != null) {
      getConf().set(Nutch.CRAWL_ID_KEY, crawlId.toString());
    }
    numJobs = 3;
    currentJobNum = 0;
    // A mistake of the operator fails before any page is parsed.
    Scoring scoring = new Scoring(getConf(), args, results, this::next);
    parse();
    summary = scoring.run("-");
    LOG.info("{}", summary);
    return results;
  }

  private void parse() throws IOException, InterruptedException, ClassNotFoundException {
    Configuration conf = new Configuration(getConf());
    StrictHBaseStore.replaceLenientIn(conf);
    Job job = NutchJob.getInstance(conf, "corpulyzer parse of stored pages");
    StorageUtils.initMapperJob(
        job, new ParserJob(conf).getFields(job), String.class, WebPage.class, ParseMapper.class);
    StorageUtils.initReducerJob(job, IdentityPageReducer.class);
    job.setNumReduceTasks(0);
    currentJob = job;
    try {
      JobFailedException.runOrThrow(job, true);
    } finally {
      ToolUtil.recordJobStatus(null, job, results);
    }
    parsed =
        job.getCounters().findCounter(Count.ROWS).getValue()
            + " rows have figures of their stored pages; "
            + job.getCounters().findCounter(Count.NOT_PARSED).getValue()
            + " stored pages could not be parsed";
    LOG.info("{}", parsed);
  }

  private void next(Job job) {
    currentJob = job;
    currentJobNum++;
  }

  /**
   * @return the counts of the last run's score passes, or null before it succeeded
   */
  public ScoreSummary summary() {
    return summary;
  }

  @Override
  public int run(String[] args) throws Exception {
    Arguments arguments;
    try {
      arguments =
          new Arguments().option("-crawlId").flag("-newTarget").flag("-force").read(args, 0);
    } catch (UsageException e) {
      return e.print("ReparseJob", USAGE);
    }
    run(
        ToolUtil.toArgMap(
            Nutch.ARG_CRAWL,
            arguments.get("-crawlId"),
            LrlScoreJob.ARG_NEW_TARGET,
            arguments.has("-newTarget"),
            Nutch.ARG_FORCE,
            arguments.has("-force")));
    System.out.println("ReparseJob: " + parsed);
    System.out.println("ReparseJob: " + summary);
    return 0;
  }

  /** {@code [-crawlId <id>] [-newTarget] [-force]} */
  public static void main(String[] args) {
    Tools.main(NutchConfiguration.create(), new ReparseJob(), args);
  }

  /** Rows of fetched pages to the same rows, parsed. */
  static final class ParseMapper extends GoraMapper<String, WebPage, String, WebPage> {

    private static final Utf8 DECISION = new Utf8(PageKeys.DECISION);

    private ParseUtil parsers;
    private boolean skipsTruncated;
    private boolean isNativeRequired;

    @Override
    protected void setup(Context context) throws IOException {
      Configuration conf = context.getConfiguration();
      parsers = new ParseUtil(conf);
      skipsTruncated = conf.getBoolean(ParserJob.SKIP_TRUNCATED, true);
      isNativeRequired = Settings.from(conf::get).isNativeRequired();
    }

    @Override
    protected void map(String key, WebPage page, Context context)
        throws IOException, InterruptedException {
      Integer status = page.getStatus();
      if (status == null || !WebTableStatus.isFetched(status)) {
        return;
      }
      if (!skipsTruncated || !ParserJob.isTruncated(TableUtil.unreverseUrl(key), page)) {
        // Nutch parses pages of this status alone.
        page.setStatus((int) CrawlStatus.STATUS_FETCHED);
        parsers.process(key, page);
        page.setStatus(status);
      }
      ByteBuffer decision = page.getMetadata().get(DECISION);
      if (decision != null) {
        context.getCounter(Count.ROWS).increment(1);
      } else if (isNativeRequired) {
        page.getMetadata().put(DECISION, ByteBuffer.wrap(HBase.utf8(PageKeys.NOT_PARSED)));
        context.getCounter(Count.NOT_PARSED).increment(1);
      }
      context.write(key, page);
    }
  }
}
