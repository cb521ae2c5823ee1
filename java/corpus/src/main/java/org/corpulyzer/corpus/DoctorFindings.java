package org.corpulyzer.corpus;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.HostScore;
import org.corpulyzer.engine.NativeLibrary;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.engine.UnknownProperties;

/**
 * Findings of a doctor, and the checks that are the same for both lines of Nutch. A finding is a
 * line: {@code ok}, {@code warn} (it works, but not well) or {@code fail}, with the fix.
 */
public final class DoctorFindings {

  /** The fix of most failures. */
  public static final String INSTALL = "run corpulyzer install";

  /** Hosts that fill a batch, if each may give as many pages as {@code generate.max.count}. */
  public static final int HOSTS_OF_A_BATCH = 20;

  private static final String[] OTHER_SCORES = {
    "scoring-opic", "scoring-link", "scoring-similarity"
  };

  private final PrintStream out;
  private final Configuration conf;
  private boolean failed;

  /**
   * @param out where the findings go
   * @param conf Nutch's configuration
   */
  public DoctorFindings(PrintStream out, Configuration conf) {
    this.out = out;
    this.conf = conf;
  }

  /**
   * @return whether something failed
   */
  public boolean hasFailed() {
    return failed;
  }

  /** A finding that is good, or fails. */
  public void check(boolean good, String fine, String wrong, String fix) {
    if (good) {
      ok(fine);
    } else {
      fail(wrong, fix);
    }
  }

  /** A finding that is good, or a warning. */
  public void advise(boolean good, String fine, String wrong, String fix) {
    if (good) {
      ok(fine);
    } else {
      warn(wrong, fix);
    }
  }

  public void ok(String finding) {
    out.println("ok    " + finding + ".");
  }

  public void warn(String finding, String fix) {
    out.println("warn  " + sentence(finding) + ". Fix: " + fix + ".");
  }

  public void fail(String finding, String fix) {
    failed = true;
    out.println("fail  " + sentence(finding) + ". Fix: " + fix + ".");
  }

  /** On one line, without the full stop. */
  private static String sentence(String finding) {
    String line = finding.trim().replaceAll("\\s*\\R\\s*", " ");
    return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
  }

  /**
   * @return the settings; null when one is wrong, which fails
   */
  public Settings settings() {
    checkNames();
    try {
      Settings settings = Settings.from(conf::get);
      ok("the settings are valid, the language is " + settings.target());
      return settings;
    } catch (CorpulyzerException e) {
      fail(e.getMessage(), "set it in nutch-site.xml");
      return null;
    }
  }

  private void checkNames() {
    UnknownProperties.in(conf)
        .forEach(
            (name, nearest) ->
                fail(
                    name + " is not a property of Corpulyzer",
                    "rename it to "
                        + nearest
                        + " if that is meant, or remove it from nutch-site.xml"));
  }

  /**
   * @param found whether Nutch's plugin repository has our plugin; {@code path} is its folder then
   */
  public void plugin(boolean found, String path) {
    String folders = conf.get("plugin.folders");
    if (found) {
      ok("the plugin is in " + path);
    } else if (!PluginCheck.isActive(conf, PluginCheck.ID)) {
      fail(
          "plugin.includes does not include "
              + PluginCheck.ID
              + " (it is "
              + conf.get("plugin.includes")
              + "), or plugin.excludes excludes it: the crawl has no scores",
          INSTALL + ", or add |" + PluginCheck.ID + " to plugin.includes in nutch-site.xml");
    } else {
      fail(
          "plugin.folders ("
              + folders
              + ") holds no folder "
              + PluginCheck.ID
              + " with a plugin.xml, or no nutch-extensionpoints, which it needs",
          INSTALL);
    }
  }

  /** The exception of Nutch's plugin repository. */
  public void pluginsBroken(RuntimeException e) {
    if (e instanceof PatternSyntaxException) {
      fail(
          "plugin.includes or plugin.excludes is not a regular expression ("
              + ((PatternSyntaxException) e).getDescription()
              + ")",
          "correct it in nutch-site.xml");
    } else {
      fail(
          "Nutch cannot load the plugins in " + conf.get("plugin.folders") + " (" + e + ")",
          "correct plugin.folders or the plugin that this names");
    }
  }

  /**
   * Checks that the active plugins fetch pages, parse them and make one address of its spellings.
   *
   * @param protocols protocols that they fetch, e.g. {@code http}
   * @param types media types that they parse, as patterns; {@code *} is every type
   * @param normalizers plugins that normalize addresses
   */
  public void crawlPlugins(
      Collection<String> protocols, Collection<String> types, Collection<String> normalizers) {
    check(
        protocols.stream().anyMatch(names -> Arrays.asList(names.split(",")).contains("http")),
        "a plugin fetches pages by http",
        "no active plugin fetches pages by http",
        "add protocol-http or protocol-okhttp to plugin.includes in nutch-site.xml");
    check(
        types.stream().anyMatch(type -> type.equals("*") || type.contains("text/html")),
        "a plugin parses HTML",
        "no active plugin parses text/html, so that no page has text or links",
        "add parse-html to plugin.includes in nutch-site.xml");
    advise(
        normalizers.contains("urlnormalizer-basic"),
        "urlnormalizer-basic is active",
        "urlnormalizer-basic is not active, so that a page is fetched once for each spelling of its"
            + " address",
        "add it to plugin.includes in nutch-site.xml");
  }

  /** Newer releases of Java lack what Hadoop finds its user by. */
  public void user(Callable<?> login) {
    try {
      login.call();
    } catch (UnsupportedOperationException e) {
      fail(
          "Hadoop cannot find its user on Java "
              + System.getProperty("java.specification.version")
              + " ("
              + e.getMessage()
              + "), so that no job starts",
          "let JAVA_HOME name a JDK of version 11 to 21");
    } catch (Exception e) {
      fail("Hadoop cannot find its user (" + e + ")", "follow that message");
    }
  }

  /** Other scoring filters write the same score. */
  public void otherScoring() {
    for (String other : OTHER_SCORES) {
      try {
        if (!other.equals("scoring-similarity") || PluginCheck.isActive(conf, other)) {
          check(
              !PluginCheck.isActive(conf, other),
              other + " is not active",
              other + " is active and overwrites the score of the language",
              INSTALL + ", or remove it from plugin.includes");
        }
      } catch (PatternSyntaxException e) {
        // The check of the plugin has reported it.
        return;
      }
    }
  }

  /** Nutch runs only the filters that such a list names. */
  public void order(String key, String filter) {
    String order = conf.get(key, "").trim();
    if (!order.isEmpty()) {
      check(
          Arrays.asList(order.split("\\s+")).contains(filter),
          key + " names our filter",
          key + " does not name " + filter + ", so that it is not run",
          "add it, or leave " + key + " empty");
    }
  }

  /**
   * Loads the library in the plugin's own class loader, as the filters do, and lets it panic.
   *
   * @param plugin the plugin's class loader
   * @param path the plugin's folder
   * @return whether the library works
   */
  public boolean library(ClassLoader plugin, String path) {
    try {
      Class<?> library = plugin.loadClass(NativeLibrary.class.getName());
      check(
          Arrays.equals(jarOf(library), jarOf(NativeLibrary.class)),
          "plugin and jobs are of one version",
          "corpulyzer-engine.jar in lib is another one than in "
              + path
              + ": two versions are installed",
          INSTALL);
      library
          .getMethod("load", String.class)
          .invoke(null, conf.get(Settings.NATIVE_PATH, "").trim());
      ok("the native library loads as the plugin loads it");
      return panic(plugin);
    } catch (InvocationTargetException e) {
      String sentence = String.valueOf(e.getCause().getMessage());
      // The JVM adds this text when the file is for another machine.
      fail(
          sentence,
          sentence.contains("Possible cause: can't load")
              ? "put the library that is built for this architecture in its place"
              : "follow that message");
    } catch (ReflectiveOperationException | LinkageError | IOException | URISyntaxException e) {
      fail("there is no usable corpulyzer-engine.jar in " + path + " (" + e + ")", INSTALL);
    }
    return false;
  }

  private static byte[] jarOf(Class<?> type) throws IOException, URISyntaxException {
    Path jar = Paths.get(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    return Files.isDirectory(jar) ? new byte[0] : Files.readAllBytes(jar);
  }

  private boolean panic(ClassLoader plugin) {
    try {
      // The native methods are no API, and the plugin has classes of its own.
      Method probe =
          plugin.loadClass("org.corpulyzer.engine.Native").getDeclaredMethod("probe", byte[].class);
      probe.setAccessible(true);
      byte[] answer =
          (byte[]) probe.invoke(null, (Object) "panic".getBytes(StandardCharsets.UTF_8));
      check(
          new String(answer, StandardCharsets.ISO_8859_1).contains("failed"),
          "a panic in the library stays there and is reported",
          "a panic in the library is not reported",
          INSTALL);
      return true;
    } catch (InvocationTargetException e) {
      fail(
          "the library that was loaded is not Corpulyzer's, or of another version ("
              + e.getCause()
              + ")",
          "set " + Settings.NATIVE_PATH + " to its file, or leave that empty and " + INSTALL);
    } catch (ReflectiveOperationException | LinkageError e) {
      fail("the native library cannot be probed (" + e + ")", INSTALL);
    }
    return false;
  }

  /**
   * @param page the page that the parse filter read
   * @param languages its bytes per language; null if there are none
   * @param text its text
   */
  public void trial(TrialPage page, String languages, String text) {
    String found = languages == null ? "" : languages;
    String name =
        page.isInTarget()
            ? "a page in the language " + page.language()
            : "a page in the language "
                + page.language()
                + " (Corpulyzer has no trial page in the language "
                + page.target()
                + ")";
    check(
        found.startsWith(page.language() + ":") && text != null && text.contains(page.word()),
        name + " parses to " + found,
        name + " parses to the languages '" + found + "'",
        "see logs/hadoop.log, then " + INSTALL);
  }

  /**
   * Checks that the class behind {@code updatedb} writes the scores that the filter reads.
   *
   * @param script {@code bin/nutch}; ignored if it is missing
   * @param ours the class that scores hosts
   * @param otherwise what the generator does without stored scores; null if it has no other way
   */
  public void updatedb(Path script, String ours, String otherwise) {
    if (script == null || !Files.isRegularFile(script)) {
      return;
    }
    boolean scores;
    try {
      String text = new String(Files.readAllBytes(script), StandardCharsets.ISO_8859_1);
      scores =
          Pattern.compile("(?m)^[ \\t]*CLASS=\"?" + Pattern.quote(ours) + "\\b")
              .matcher(text)
              .find();
    } catch (IOException e) {
      fail(script + " cannot be read (" + e + ")", "make it readable");
      return;
    }
    String source = conf.get(Settings.SCORE_SOURCE, "").trim();
    boolean stored = source.equals("stored") || source.isEmpty() && otherwise == null;
    String isStored =
        Settings.SCORE_SOURCE + " is stored" + (source.isEmpty() ? " by default" : "");
    if (scores) {
      advise(
          stored,
          "bin/nutch updatedb scores every host, and the generator reads these scores",
          "bin/nutch updatedb scores every host, but "
              + Settings.SCORE_SOURCE
              + " is not stored, so that "
              + otherwise,
          "set it to stored");
    } else if (!stored) {
      ok("bin/nutch updatedb is Nutch's own, and " + otherwise);
    } else if (wasAliased()) {
      fail(
          isStored
              + " and the installation made bin/nutch updatedb score hosts, but "
              + script
              + " is Nutch's own again: the crawl has no scores",
          INSTALL);
    } else {
      warn(
          isStored + ", but bin/nutch updatedb writes no scores of hosts",
          "install with --alias-updatedb, or run " + ours + " instead of updatedb");
    }
  }

  /** Whether the installer set the source of scores, which it does with the alias alone. */
  private boolean wasAliased() {
    return "stored".equals(installed("corpulyzer/nutch-site.after"))
        && !"stored".equals(installed("corpulyzer/nutch-site.before"));
  }

  /** The source of scores in a file that the installer left; null if there is none. */
  private String installed(String file) {
    URL resource = conf.getResource(file);
    if (resource == null) {
      return null;
    }
    Configuration left = new Configuration(false);
    try (InputStream in = resource.openStream()) {
      left.addResource(in);
      return left.get(Settings.SCORE_SOURCE);
    } catch (IOException | RuntimeException e) {
      // Damaged: the installer reports it.
      return null;
    }
  }

  /**
   * @param least bytes below which pages are cut often
   * @param most bytes above which the store refuses a page; 0 for no limit
   * @param recommended bytes to set
   * @param whyMost why the store refuses it
   */
  public void contentLimit(int least, int most, int recommended, String whyMost) {
    int limit = conf.getInt("http.content.limit", 65536);
    String set = "set it to " + recommended;
    if (most > 0 && (limit < 0 || limit > most)) {
      warn("http.content.limit is " + limit + ", and " + whyMost, set);
    } else {
      advise(
          limit < 0 || limit >= least,
          "http.content.limit is " + limit + " bytes",
          "http.content.limit is "
              + limit
              + " bytes, which cuts many pages in the middle of their text",
          set);
    }
    advise(
        !conf.getBoolean("parser.skip.truncated", true),
        "parser.skip.truncated is false",
        "parser.skip.truncated is true, so a page above http.content.limit is left unparsed in"
            + " silence",
        "set it to false");
  }

  /** The generator without a limit of pages per host. */
  public void hostLimit() {
    int most = conf.getInt("generate.max.count", -1);
    advise(
        most > 0,
        "generate.max.count is "
            + most
            + ", which suits a -topN of about "
            + (long) HOSTS_OF_A_BATCH * most,
        "generate.max.count is not set, so the best host fills every batch",
        "set it to about a twentieth of -topN");
  }

  /** Hosts that are stopped score below 0. */
  public void leastScore(Settings settings) {
    if (settings != null && settings.stopsHosts()) {
      float least = conf.getFloat("generate.min.score", Float.NaN);
      check(
          least > HostScore.Stop.BARREN.score(),
          "the generator skips hosts that " + Settings.SCORE_POLICY + " stops",
          "generate.min.score is "
              + least
              + ", so the generator takes hosts that "
              + Settings.SCORE_POLICY
              + " stops (they score -1 to -3)",
          "set it to 0, as in Nutch's own configuration");
    }
  }

  /** Nutch ends the parse of a page after a time of its own. */
  public void parseTimeout(Settings settings, String key, int seconds) {
    if (settings != null) {
      long engine = settings.maxMillis();
      advise(
          seconds < 0 || seconds * 1000L > engine,
          "a page's parse may take longer than " + Settings.PAGE_MAX_MILLIS,
          key
              + ", which limits the time for parsing a page, is not above "
              + Settings.PAGE_MAX_MILLIS
              + " ("
              + engine
              + " ms)",
          "set it to " + Math.max(60, engine / 1000 * 2));
    }
  }

  /** Nutch fetches nothing without a name. */
  public void agentName() {
    check(
        !conf.get("http.agent.name", "").trim().isEmpty(),
        "http.agent.name is set",
        "http.agent.name is not set, so Nutch fetches nothing",
        "set it to the crawler's name in nutch-site.xml");
  }
}
