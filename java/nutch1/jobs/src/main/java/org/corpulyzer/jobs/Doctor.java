package org.corpulyzer.jobs;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
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
import org.apache.nutch.plugin.ExtensionPoint;
import org.apache.nutch.plugin.PluginDescriptor;
import org.apache.nutch.plugin.PluginRepository;
import org.apache.nutch.plugin.PluginRuntimeException;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.scoring.ScoringFilterException;
import org.apache.nutch.scoring.ScoringFilters;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.corpus.DoctorFindings;
import org.corpulyzer.corpus.DoctorTool;
import org.corpulyzer.corpus.PluginCheck;
import org.corpulyzer.corpus.TrialPage;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;

/**
 * Examines a Nutch 1.x as its jobs would find it: {@code bin/nutch org.corpulyzer.jobs.Doctor
 * [-script FILE] [CRAWLDB]}. Prints a line for each check (see {@link DoctorFindings}) and exits
 * with 1 when something fails.
 */
public final class Doctor extends DoctorTool {

  private static final String PARSE_FILTER = "org.corpulyzer.nutch.WebAmParseFilter";
  private static final String SCORING_FILTER = "org.corpulyzer.nutch.LrlScoringFilter";
  private static final String UPDATE = "org.corpulyzer.jobs.LrlCrawlDb";
  private static final String KEYS = "db.parsemeta.to.crawldb";
  private static final List<String> OURS =
      Arrays.asList(PageKeys.VERSION, PageKeys.LANGUAGES, PageKeys.DECISION);

  /** Score of a stopped host: the square of it, for example, would not stop the host. */
  private static final float TRIAL_SCORE = -2;

  /** Bytes below which pages of three-byte scripts are cut often. */
  private static final int MIN_CONTENT = 1 << 20;

  private static final int GOOD_CONTENT = 8 << 20;

  /** Rows of a part of CrawlDb that are read: they show whether figures arrive. */
  private static final int ROWS_OF_A_PART = 100_000;

  private static final int MAX_PARTS = 20;

  private PluginDescriptor plugin;

  /**
   * @param out where the findings go
   */
  public Doctor(PrintStream out) {
    super(out, true, PARSE_FILTER, SCORING_FILTER);
  }

  /** Takes Hadoop's generic options, e.g. {@code -D key=value}. */
  public static void main(String[] args) throws Exception {
    main(NutchConfiguration::create, new Doctor(System.out), args);
  }

  @Override
  protected Plugin plugin() {
    plugin = PluginRepository.get(getConf()).getPluginDescriptor(PluginCheck.ID);
    return plugin == null ? null : new Plugin(plugin.getClassLoader(), plugin.getPluginPath());
  }

  @Override
  protected String updateClass() {
    return UPDATE;
  }

  @Override
  protected String withoutStoredScores(Settings settings) {
    String source = getConf().get(Settings.SCORE_SOURCE, "").trim();
    return source.equals("hostdb")
        ? "the generator reads HostDb"
        : source.equals("row") ? "the filter scores rows" : null;
  }

  @Override
  protected void checkLine(Settings settings) {
    checkKeys();
    checkRawBytes(settings);
    checkHostDb(settings);
    checkPages(
        settings,
        found ->
            found.scoreSource(
                Settings.ScoreSource.STORED,
                Settings.ScoreSource.HOSTDB,
                Settings.ScoreSource.ROW));
    findings().contentLimit(MIN_CONTENT, 0, GOOD_CONTENT, "");
    findings().parseTimeout(settings, "parser.timeout", getConf().getInt("parser.timeout", 30));
  }

  private void checkHostDb(Settings settings) {
    if (settings == null || !getConf().get(Settings.SCORE_SOURCE, "").trim().equals("hostdb")) {
      return;
    }
    String folder =
        settings.hostDb().isEmpty() ? getConf().get("generate.hostdb", "") : settings.hostDb();
    String found = "";
    try {
      Path current = new Path(folder.isEmpty() ? "." : folder, "current");
      found = folder.isEmpty() || !current.getFileSystem(getConf()).exists(current) ? "" : folder;
    } catch (IOException | IllegalArgumentException e) {
      found = "";
    }
    findings()
        .check(
            !found.isEmpty(),
            "the generator reads the HostDb " + found,
            Settings.SCORE_SOURCE
                + " is hostdb, and "
                + (folder.isEmpty()
                    ? Settings.SCORE_HOST_DB + " is not set"
                    : folder + " is no HostDb (it has no folder current)")
                + ", so that generate fails",
            "set "
                + Settings.SCORE_SOURCE
                + " to stored, or run updatehostdb and set "
                + Settings.SCORE_HOST_DB
                + " to its folder");
  }

  /** A crawl of one page with this home's configuration. */
  @Override
  protected void tryCrawl(Settings settings) {
    String source = getConf().get(Settings.SCORE_SOURCE, "").trim();
    boolean stored = source.isEmpty() || source.equals("stored");
    try (TrialCrawl crawl = new TrialCrawl(getConf(), TrialPage.in(settings.target()), stored)) {
      findings().ok(crawl.run());
    } catch (TrialCrawl.FailedException e) {
      findings()
          .fail(
              e.getMessage(),
              "crawl one page that you know and read logs/hadoop.log, which names the cause");
    } catch (IOException e) {
      findings().fail("the trial crawl cannot start (" + e + ")", "follow that message");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<String> keys() {
    return Arrays.stream(getConf().get(KEYS, "").split(","))
        .map(String::trim)
        .collect(Collectors.toList());
  }

  private List<String> missingKeys() {
    List<String> missing = new ArrayList<>(OURS);
    missing.removeAll(keys());
    return missing;
  }

  private void checkKeys() {
    List<String> missing = missingKeys();
    findings()
        .check(
            missing.isEmpty(),
            KEYS + " copies our keys to CrawlDb",
            KEYS
                + " lacks "
                + String.join(", ", missing)
                + " (it is '"
                + getConf().get(KEYS, "")
                + "'), so that CrawlDb has no figures of pages "
                + "and every host scores as an unknown one",
            DoctorFindings.INSTALL + ", or add them in nutch-site.xml");
  }

  private void checkRawBytes(Settings settings) {
    if (settings != null && settings.stopsLowYields()) {
      findings()
          .check(
              keys().contains(PageKeys.RAW_BYTES),
              KEYS + " copies " + PageKeys.RAW_BYTES + " for +rising",
              KEYS + " lacks " + PageKeys.RAW_BYTES + ", which +rising needs",
              "add it in nutch-site.xml, or remove +rising from " + Settings.SCORE_POLICY);
    }
  }

  @Override
  protected Reading read(TrialPage trial) throws PluginRuntimeException {
    Content content =
        new Content(trial.url(), trial.url(), trial.html(), "text/html", new Metadata(), getConf());
    ParseResult result = new ParseResult(trial.url());
    result.put(
        trial.url(),
        new ParseText(""),
        new ParseData(new ParseStatus(ParseStatus.SUCCESS), "", new Outlink[0], new Metadata()));
    ((HtmlParseFilter) filter(PARSE_FILTER)).filter(content, result, new HTMLMetaTags(), null);
    Parse parse = result.get(trial.url());
    return new Reading(parse.getData().getParseMeta().get(PageKeys.LANGUAGES), parse.getText());
  }

  @Override
  protected List<String> extensions(String point, String attribute) {
    ExtensionPoint found = PluginRepository.get(getConf()).getExtensionPoint(point);
    List<String> values = new ArrayList<>();
    for (Extension extension : found == null ? new Extension[0] : found.getExtensions()) {
      String value =
          attribute.equals("plugin")
              ? extension.getDescriptor().getPluginId()
              : extension.getAttribute(attribute);
      values.add(value == null ? "" : value);
    }
    return values;
  }

  @Override
  protected void startScoringFilter() throws PluginRuntimeException {
    filter(SCORING_FILTER);
    // Scores of HostDb are those of the host of a row, so they cannot be tried with a row alone.
    if (!getConf().get(Settings.SCORE_SOURCE, "").trim().equals("hostdb")) {
      checkOrder();
    }
  }

  /**
   * Nutch passes the value by which the generator sorts a row through all scoring filters, in the
   * order of their plugins unless {@code scoring.filter.order} names another. Our filter returns
   * the score of the row whatever those before it returned, so it must be the last that changes it.
   */
  private void checkOrder() {
    ScoringFilters filters = new ScoringFilters(getConf());
    Text url = new Text("http://example.org/");
    CrawlDatum row = new CrawlDatum(CrawlDatum.STATUS_DB_UNFETCHED, 1);
    float value;
    try {
      // Other filters too get the marks that they look for.
      filters.injectedScore(url, row);
      row.setScore(TRIAL_SCORE);
      value = filters.generatorSortValue(url, row, 1);
    } catch (ScoringFilterException | RuntimeException e) {
      findings().fail("the scoring filters cannot sort a row (" + e + ")", "follow that message");
      return;
    }
    findings()
        .advise(
            value == TRIAL_SCORE,
            "generate takes rows by their scores",
            "generate sorts a row with score "
                + TRIAL_SCORE
                + " by "
                + value
                + ", because another scoring filter changes the order after ours",
            "name all scoring filters in scoring.filter.order, "
                + SCORING_FILTER
                + " as the last one");
  }

  private Object filter(String type) throws PluginRuntimeException {
    for (Extension extension : plugin.getExtensions()) {
      if (extension.getClazz().equals(type)) {
        return extension.getExtensionInstance();
      }
    }
    throw new PluginRuntimeException("plugin.xml does not name " + type);
  }

  /** Whether figures arrive in CrawlDb, from the first rows of each part. */
  @Override
  protected void checkCrawlDb(String folder) {
    Path crawlDb = new Path(folder);
    try {
      FileSystem files = crawlDb.getFileSystem(getConf());
      Path current = new Path(crawlDb, CrawlDb.CURRENT_NAME);
      FileStatus[] parts =
          files.exists(current)
              ? files.listStatus(current, path -> path.getName().startsWith("part-"))
              : new FileStatus[0];
      if (parts.length == 0) {
        findings()
            .fail(
                crawlDb + " is not a CrawlDb: it has no " + CrawlDb.CURRENT_NAME + "/part-*",
                "inject seeds first, or name the folder of a CrawlDb");
        return;
      }
      long fetched = 0;
      long withFigures = 0;
      for (FileStatus part : Arrays.asList(parts).subList(0, Math.min(parts.length, MAX_PARTS))) {
        try (SequenceFile.Reader rows =
            new SequenceFile.Reader(
                getConf(), SequenceFile.Reader.file(new Path(part.getPath(), "data")))) {
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
      checkFigures("the CrawlDb " + crawlDb, fetched, withFigures);
    } catch (IOException | RuntimeException e) {
      findings()
          .fail(
              "the CrawlDb " + crawlDb + " cannot be read (" + e + ")",
              "name the folder of a CrawlDb that no job is writing");
    }
  }

  private void checkFigures(String crawlDb, long fetched, long withFigures) {
    if (fetched == 0) {
      findings()
          .warn(
              crawlDb
                  + " has no fetched page in the rows that were read, so that every host scores as"
                  + " an unknown one",
              "fetch, parse and run updatedb");
      return;
    }
    List<String> missing = missingKeys();
    String fix =
        missing.isEmpty()
            ? "run updatedb after the next parse; segments that are parsed already had "
                + KEYS
                + " without the keys, or no plugin"
            : DoctorFindings.INSTALL
                + ", or add "
                + String.join(",", missing)
                + " to "
                + KEYS
                + " in nutch-site.xml";
    findings()
        .check(
            withFigures > 0,
            crawlDb
                + " has figures ("
                + PageKeys.LANGUAGES
                + ") of "
                + withFigures
                + " of "
                + fetched
                + " fetched pages that were read",
            crawlDb
                + " has no figures: none of "
                + fetched
                + " fetched pages that were read has "
                + PageKeys.LANGUAGES,
            fix);
  }

  /** {@code bin/crawl} turns fetched rows into duplicates. */
  private static boolean isFetched(CrawlDatum row) {
    byte status = row.getStatus();
    return status == CrawlDatum.STATUS_DB_FETCHED
        || status == CrawlDatum.STATUS_DB_NOTMODIFIED
        || status == CrawlDatum.STATUS_DB_DUPLICATE;
  }
}
