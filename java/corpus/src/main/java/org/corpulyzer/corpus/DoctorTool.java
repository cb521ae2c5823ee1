package org.corpulyzer.corpus;

import java.io.PrintStream;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Settings;

/**
 * The doctor of a line of Nutch. It runs the checks that are the same for both lines, and those
 * that the line adds, prints a line for each (see {@link DoctorFindings}) and returns 1 if one
 * fails.
 */
public abstract class DoctorTool extends Configured implements Tool {

  /** Our plugin as Nutch's repository has it. */
  public static final class Plugin {
    private final ClassLoader loader;
    private final String path;

    /**
     * @param loader the plugin's own class loader
     * @param path the plugin's folder
     */
    public Plugin(ClassLoader loader, String path) {
      this.loader = loader;
      this.path = path;
    }
  }

  /** The record that the parse filter made from the trial page. */
  public static final class Reading {
    private final String languages;
    private final String text;

    /**
     * @param languages bytes per language; null if there are none
     * @param text main text
     */
    public Reading(String languages, String text) {
      this.languages = languages;
      this.text = text;
    }
  }

  private final PrintStream out;
  private final boolean takesCrawlDb;
  private final String parseFilter;
  private final String scoringFilter;
  private DoctorFindings findings;

  /**
   * @param out where the findings go
   * @param takesCrawlDb whether the folder of a CrawlDb may be an argument
   * @param parseFilter name of our class
   * @param scoringFilter name of our class
   */
  protected DoctorTool(
      PrintStream out, boolean takesCrawlDb, String parseFilter, String scoringFilter) {
    this.out = out;
    this.takesCrawlDb = takesCrawlDb;
    this.parseFilter = parseFilter;
    this.scoringFilter = scoringFilter;
  }

  /**
   * Runs a doctor and ends the JVM. A configuration that cannot be read is a finding too.
   *
   * @param nutch makes Nutch's configuration
   */
  protected static void main(Supplier<Configuration> nutch, DoctorTool doctor, String[] args)
      throws Exception {
    Configuration conf;
    try {
      conf = nutch.get();
      // The files are read at the first question.
      conf.size();
      // Hadoop would start chmod for each of some 500 files of the trial crawl, which this process
      // alone reads.
      conf.setClass("fs.file.impl", OwnFileSystem.class, FileSystem.class);
    } catch (RuntimeException e) {
      new DoctorFindings(System.out, new Configuration(false))
          .fail(
              "Nutch cannot read its configuration (" + e.getMessage() + ")",
              "correct the file that this names");
      System.exit(1);
      return;
    }
    System.exit(ToolRunner.run(conf, doctor, args));
  }

  @Override
  public final int run(String[] args) {
    Arguments given;
    try {
      given = new Arguments().option("-script").read(args, takesCrawlDb ? 1 : 0);
    } catch (UsageException e) {
      System.err.println(
          "The arguments of Doctor are "
              + Arrays.asList(args)
              + "; allowed are [-script FILE]"
              + (takesCrawlDb ? " [CRAWLDB]." : "."));
      return UsageException.EXIT_CODE;
    }
    findings = new DoctorFindings(out, getConf());
    Settings settings = findings.settings();
    Plugin plugin = findPlugin();
    findings.user(UserGroupInformation::getCurrentUser);
    findings.otherScoring();
    checkCrawlPlugins();
    findings.order("htmlparsefilter.order", parseFilter);
    findings.order("scoring.filter.order", scoringFilter);
    if (plugin != null && findings.library(plugin.loader, plugin.path) && settings != null) {
      tryFilters(TrialPage.in(settings.target()));
    }
    findings.updatedb(script(given, plugin), updateClass(), withoutStoredScores(settings));
    checkLine(settings);
    findings.hostLimit();
    findings.leastScore(settings);
    findings.agentName();
    if (!given.paths().isEmpty()) {
      checkCrawlDb(given.paths().get(0));
    }
    if (settings != null && !findings.hasFailed()) {
      tryCrawl(settings);
    }
    return findings.hasFailed() ? 1 : 0;
  }

  /** {@code bin/nutch}; null if it is neither named nor beside the plugins. */
  private static Path script(Arguments given, Plugin plugin) {
    if (given.has("-script")) {
      return Paths.get(given.get("-script"));
    }
    return plugin == null ? null : Paths.get(plugin.path).resolve("../../bin/nutch").normalize();
  }

  private Plugin findPlugin() {
    try {
      Plugin plugin = plugin();
      findings.plugin(plugin != null, plugin == null ? null : plugin.path);
      return plugin;
    } catch (RuntimeException e) {
      findings.pluginsBroken(e);
      return null;
    }
  }

  private void checkCrawlPlugins() {
    try {
      findings.crawlPlugins(
          extensions("org.apache.nutch.protocol.Protocol", "protocolName"),
          extensions("org.apache.nutch.parse.Parser", "contentType"),
          extensions("org.apache.nutch.net.URLNormalizer", "plugin"));
    } catch (RuntimeException e) {
      // The check of our plugin has reported that plugins cannot be loaded.
      return;
    }
  }

  private void tryFilters(TrialPage trial) {
    try {
      Reading reading = read(trial);
      findings.trial(trial, reading.languages, reading.text);
      startScoringFilter();
      findings.ok("the scoring filter starts");
    } catch (LinkageError e) {
      cannotBeMade(e);
    } catch (RuntimeException | Error e) {
      findings.fail(String.valueOf(e.getMessage()), "set it in nutch-site.xml");
    } catch (Exception e) {
      // The checked exception of Nutch's plugin repository.
      cannotBeMade(e);
    }
  }

  private void cannotBeMade(Throwable e) {
    findings.fail(
        "a filter of the plugin cannot be made (" + e.getMessage() + ")", DoctorFindings.INSTALL);
  }

  /**
   * @return the findings of this run
   */
  protected final DoctorFindings findings() {
    return findings;
  }

  /**
   * @return our plugin; null if Nutch's repository does not have it
   * @throws RuntimeException the one of Nutch's repository if it cannot load plugins
   */
  protected abstract Plugin plugin();

  /**
   * @param point an extension point of Nutch
   * @param attribute an attribute of extensions, or {@code plugin} for the plugin's id
   * @return its values in the active plugins that extend the point
   */
  protected abstract List<String> extensions(String point, String attribute);

  /**
   * Reads a page with our parse filter, made as Nutch makes it.
   *
   * @throws Exception if the filter cannot be made
   */
  protected abstract Reading read(TrialPage trial) throws Exception;

  /**
   * Makes our scoring filter as Nutch makes it.
   *
   * @throws Exception if the filter cannot be made
   */
  protected abstract void startScoringFilter() throws Exception;

  /**
   * @return the class that scores hosts after updatedb
   */
  protected abstract String updateClass();

  /**
   * @param settings null if they are wrong
   * @return what the generator does without stored scores, as a clause; null if it has no other way
   */
  protected abstract String withoutStoredScores(Settings settings);

  /**
   * Checks whether policy pages, if it is configured, has an effect.
   *
   * @param settings null if they are wrong
   * @param source where scores come from on this line of Nutch; may throw a CorpulyzerException
   */
  protected final void checkPages(
      Settings settings, Function<Settings, Settings.ScoreSource> source) {
    if (settings == null || settings.scorePolicy() != Settings.ScorePolicy.PAGES) {
      return;
    }
    try {
      settings.requirePagesPossible(source.apply(settings));
      String rows = "policy pages chooses " + settings.scoreTopN() + " URLs for each generate";
      findings()
          .advise(
              getConf().get(Settings.SCORE_TOP_N) != null,
              rows + "; -topN should be the same (" + Settings.SCORE_TOP_N + ")",
              rows
                  + ", because "
                  + Settings.SCORE_TOP_N
                  + " is not set; with a smaller -topN it finds fewer new hosts",
              "install again with --top N, where N is the -topN of your generate");
    } catch (CorpulyzerException e) {
      findings().fail(e.getMessage(), "change one of the two in nutch-site.xml");
    }
  }

  /**
   * Checks what only this line of Nutch has.
   *
   * @param settings null if one is wrong
   */
  protected abstract void checkLine(Settings settings);

  /**
   * Crawls a page of its own, if this line of Nutch can do it without its store.
   *
   * @param settings the settings, which are valid
   */
  protected abstract void tryCrawl(Settings settings);

  /**
   * Checks a CrawlDb. Called only if the constructor allows this argument.
   *
   * @param folder as given
   */
  protected abstract void checkCrawlDb(String folder);
}
