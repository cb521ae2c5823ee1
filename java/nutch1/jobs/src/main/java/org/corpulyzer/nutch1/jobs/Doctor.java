package org.corpulyzer.nutch1.jobs;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.HTMLMetaTags;
import org.apache.nutch.parse.HtmlParseFilter;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.parse.ParseText;
import org.apache.nutch.plugin.Extension;
import org.apache.nutch.plugin.PluginDescriptor;
import org.apache.nutch.plugin.PluginRepository;
import org.apache.nutch.plugin.PluginRuntimeException;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.corpus.Examination;
import org.corpulyzer.corpus.PluginCheck;
import org.corpulyzer.corpus.TrialPage;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;

/**
 * Examines a Nutch 1.x as its jobs would find it: {@code bin/nutch org.corpulyzer.nutch1.jobs.Doctor [-script FILE] [CRAWLDB]}. Prints a
 * line for each check (see {@link Examination}) and exits with 1 when something fails.
 */
public final class Doctor extends Configured implements Tool {

  private static final String PARSE_FILTER = "org.corpulyzer.nutch1.WebAmParseFilter";
  private static final String SCORING_FILTER = "org.corpulyzer.nutch1.LrlScoringFilter";
  private static final String UPDATE = "org.corpulyzer.nutch1.jobs.LrlCrawlDb";
  private static final String KEYS = "db.parsemeta.to.crawldb";
  private static final List<String> OURS = Arrays.asList(PageKeys.VERSION, PageKeys.LANGUAGES, PageKeys.DECISION);
  /** Bytes below which pages of three-byte scripts are cut often. */
  private static final int LEAST_CONTENT = 1 << 20;
  private static final int GOOD_CONTENT = 8 << 20;
  /** Rows of a part of CrawlDb that are read: they show whether figures arrive. */
  private static final int ROWS_OF_A_PART = 100_000;
  private static final int MOST_PARTS = 20;

  private final PrintStream out;
  private Examination findings;

  /** @param out where the findings go */
  public Doctor(PrintStream out) {
    this.out = out;
  }

  /** Takes Hadoop's generic options, e.g. {@code -D key=value}. */
  public static void main(String[] args) throws Exception {
    Configuration conf;
    try {
      conf = NutchConfiguration.create();
      // The files are read at the first question.
      conf.size();
    } catch (RuntimeException e) {
      new Examination(System.out, new Configuration(false)).fail("Nutch cannot read its configuration (" + e.getMessage() + ")",
          "correct the file that this names");
      System.exit(1);
      return;
    }
    System.exit(ToolRunner.run(conf, new Doctor(System.out), args));
  }

  @Override
  public int run(String[] args) {
    Examination.Arguments arguments;
    try {
      arguments = new Examination.Arguments(args, true);
    } catch (CorpulyzerException e) {
      System.err.println(e.getMessage());
      return 2;
    }
    findings = new Examination(out, getConf());
    Settings settings = findings.settings();
    PluginDescriptor plugin = findPlugin();
    findings.otherScoring();
    findings.order("htmlparsefilter.order", PARSE_FILTER);
    findings.order("scoring.filter.order", SCORING_FILTER);
    checkKeys();
    if (plugin != null && findings.library(plugin.getClassLoader(), plugin.getPluginPath()) && settings != null) {
      checkFilters(plugin, TrialPage.in(settings.target()));
    }
    boolean readsHostDb = getConf().get(Settings.SCORE_SOURCE, "").trim().equals("hostdb");
    findings.updatedb(arguments.script() != null || plugin == null ? arguments.script()
        : Paths.get(plugin.getPluginPath()).resolve("../../bin/nutch").normalize(), UPDATE, readsHostDb ? "the generator reads HostDb" : null);
    findings.contentLimit(LEAST_CONTENT, 0, GOOD_CONTENT, "");
    findings.hostLimit();
    findings.parseTimeout(settings, "parser.timeout", getConf().getInt("parser.timeout", 30));
    findings.leastScore(settings);
    findings.agentName();
    if (arguments.crawlDb() != null) {
      checkCrawlDb(new Path(arguments.crawlDb()));
    }
    return findings.hasFailed() ? 1 : 0;
  }

  private PluginDescriptor findPlugin() {
    try {
      PluginDescriptor plugin = PluginRepository.get(getConf()).getPluginDescriptor(PluginCheck.ID);
      findings.plugin(plugin != null, plugin == null ? null : plugin.getPluginPath());
      return plugin;
    } catch (RuntimeException e) {
      findings.pluginsBroken(e);
      return null;
    }
  }

  private List<String> missingKeys() {
    List<String> there = Arrays.stream(getConf().get(KEYS, "").split(",")).map(String::trim).collect(Collectors.toList());
    List<String> missing = new ArrayList<>(OURS);
    missing.removeAll(there);
    return missing;
  }

  private void checkKeys() {
    List<String> missing = missingKeys();
    findings.check(missing.isEmpty(), KEYS + " copies our keys to CrawlDb",
        KEYS + " lacks " + String.join(", ", missing) + " (it is '" + getConf().get(KEYS, "") + "'), so that CrawlDb has no figures of pages "
        + "and every host scores as an unknown one", Examination.INSTALL + ", or add them in nutch-site.xml");
  }

  private void checkFilters(PluginDescriptor plugin, TrialPage trial) {
    try {
      Content content = new Content(trial.url(), trial.url(), trial.html(), "text/html", new Metadata(), getConf());
      ParseResult result = new ParseResult(trial.url());
      result.put(trial.url(), new ParseText(""), new ParseData(new ParseStatus(ParseStatus.SUCCESS), "", new Outlink[0], new Metadata()));
      ((HtmlParseFilter) filter(plugin, PARSE_FILTER)).filter(content, result, new HTMLMetaTags(), null);
      Parse parse = result.get(trial.url());
      findings.trial(trial, parse.getData().getParseMeta().get(PageKeys.LANGUAGES), parse.getText());
      filter(plugin, SCORING_FILTER);
      findings.ok("the scoring filter starts");
    } catch (PluginRuntimeException | LinkageError e) {
      findings.fail("a filter of the plugin cannot be made (" + e.getMessage() + ")", Examination.INSTALL);
    } catch (RuntimeException | Error e) {
      findings.fail(String.valueOf(e.getMessage()), "set it in nutch-site.xml");
    }
  }

  private static Object filter(PluginDescriptor plugin, String type) throws PluginRuntimeException {
    for (Extension extension : plugin.getExtensions()) {
      if (extension.getClazz().equals(type)) {
        return extension.getExtensionInstance();
      }
    }
    throw new PluginRuntimeException("plugin.xml does not name " + type);
  }

  /** Whether figures arrive in CrawlDb, from the first rows of each part. */
  private void checkCrawlDb(Path crawlDb) {
    long fetched = 0;
    long withFigures = 0;
    try {
      FileSystem files = crawlDb.getFileSystem(getConf());
      Path current = new Path(crawlDb, CrawlDb.CURRENT_NAME);
      FileStatus[] parts = files.exists(current) ? files.listStatus(current, path -> path.getName().startsWith("part-")) : new FileStatus[0];
      if (parts.length == 0) {
        findings.fail(crawlDb + " is no CrawlDb: it has no " + CrawlDb.CURRENT_NAME + "/part-*", "inject seeds first, or name the folder of a CrawlDb");
        return;
      }
      for (FileStatus part : Arrays.asList(parts).subList(0, Math.min(parts.length, MOST_PARTS))) {
        try (SequenceFile.Reader rows = new SequenceFile.Reader(getConf(), SequenceFile.Reader.file(new Path(part.getPath(), "data")))) {
          Text url = new Text();
          CrawlDatum row = new CrawlDatum();
          for (int i = 0; i < ROWS_OF_A_PART && rows.next(url, row); i++) {
            if (isFetched(row)) {
              fetched++;
              withFigures += row.getMetaData().containsKey(new Text(PageKeys.LANGUAGES)) ? 1 : 0;
            }
          }
        }
      }
    } catch (IOException | RuntimeException e) {
      findings.fail("the CrawlDb " + crawlDb + " cannot be read (" + e + ")", "name the folder of a CrawlDb that no job is writing");
      return;
    }
    if (fetched == 0) {
      findings.warn("the CrawlDb " + crawlDb + " has no fetched page in the rows that were read, so that every host scores as an unknown one",
          "fetch, parse and run updatedb");
      return;
    }
    List<String> missing = missingKeys();
    String fix = missing.isEmpty() ? "run updatedb after the next parse; segments that are parsed already had " + KEYS + " without the keys, or no plugin"
        : Examination.INSTALL + ", or add " + String.join(",", missing) + " to " + KEYS + " in nutch-site.xml";
    findings.check(withFigures > 0, "the CrawlDb " + crawlDb + " has figures (" + PageKeys.LANGUAGES + ") of " + withFigures + " of " + fetched
        + " fetched pages that were read", "the CrawlDb " + crawlDb + " has no figures: none of " + fetched + " fetched pages that were read has "
        + PageKeys.LANGUAGES, fix);
  }

  /** {@code bin/crawl} turns fetched rows into duplicates. */
  private static boolean isFetched(CrawlDatum row) {
    byte status = row.getStatus();
    return status == CrawlDatum.STATUS_DB_FETCHED || status == CrawlDatum.STATUS_DB_NOTMODIFIED || status == CrawlDatum.STATUS_DB_DUPLICATE;
  }
}
