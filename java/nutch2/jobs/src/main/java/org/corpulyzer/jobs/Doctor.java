package org.corpulyzer.jobs;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.avro.util.Utf8;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.parse.HTMLMetaTags;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseFilter;
import org.apache.nutch.parse.ParseStatusCodes;
import org.apache.nutch.plugin.Extension;
import org.apache.nutch.plugin.PluginDescriptor;
import org.apache.nutch.plugin.PluginRepository;
import org.apache.nutch.plugin.PluginRuntimeException;
import org.apache.nutch.storage.ParseStatus;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.HostScore;
import org.corpulyzer.engine.NativeLibrary;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;

/**
 * Examines a Nutch as its jobs would find it: {@code bin/nutch org.corpulyzer.jobs.Doctor}. Prints a line a check, {@code ok},
 * {@code warn} (it works, but not well) or {@code fail}, with the mend, and exits with 1 when something fails.
 */
public final class Doctor extends Configured implements Tool {
  private static final String PLUGIN = "corpulyzer";
  private static final String PARSE_FILTER = "org.corpulyzer.nutch.WebAmParseFilter";
  private static final String SCORING_FILTER = "org.corpulyzer.nutch.LrlScoringFilter";
  private static final String MEM_STORE = "org.apache.gora.memory.store.MemStore";
  private static final String HBASE_STORE = "org.apache.gora.hbase.store.HBaseStore";
  /** Ours, by its name: its class does not load where Gora's is missing, which is found out below. */
  private static final String STRICT_STORE = "org.corpulyzer.jobs.StrictHBaseStore";
  /** Bytes of the longest page to store, with room for the rest of its cell: hbase.client.keyvalue.maxsize is 10 MiB. */
  private static final int MOST_CONTENT = 8 << 20;
  /** Bytes below which pages of three-byte scripts are cut often. */
  private static final int LEAST_CONTENT = 1 << 20;
  private static final String INSTALL = "run corpulyzer install";
  private static final String SENTENCE = "The village school opened its doors again after the long rains, and the children who had "
      + "helped their families in the fields came back with stories about the river and the bridge that the water had taken away. ";
  private static final String PAGE = "<!DOCTYPE html><html lang=en><head><title>The school by the river</title></head><body><p>"
      + SENTENCE + SENTENCE + "</p><p>" + SENTENCE + SENTENCE + "</p></body></html>";

  private final PrintStream out;
  private boolean failed;

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
      new Doctor(System.out).fail("Nutch cannot read its configuration (" + e.getMessage() + ")", "mend the file that this names");
      System.exit(1);
      return;
    }
    System.exit(ToolRunner.run(conf, new Doctor(System.out), args));
  }

  @Override
  public int run(String[] args) {
    boolean configured = checkSettings();
    PluginDescriptor plugin = checkPlugin();
    checkOtherScoring();
    checkOrder("htmlparsefilter.order", PARSE_FILTER);
    checkOrder("scoring.filter.order", SCORING_FILTER);
    if (plugin != null && checkLibrary(plugin) && checkPanic(plugin) && configured) {
      checkPage(plugin);
    }
    if (plugin != null) {
      checkUpdatedb(Paths.get(plugin.getPluginPath()).resolve("../../bin/nutch").normalize());
    }
    checkStore();
    checkContentLimit();
    checkHostLimit();
    checkTimeouts(configured);
    checkLeastScore(configured);
    check(!getConf().get("http.agent.name", "").trim().isEmpty(), "http.agent.name is set",
        "http.agent.name is not set, so Nutch fetches nothing", "set it to the crawler's name in nutch-site.xml");
    return failed ? 1 : 0;
  }

  private boolean checkSettings() {
    try {
      ok("the settings are valid, the language is " + Settings.from(getConf()::get).target());
      return true;
    } catch (CorpulyzerException e) {
      fail(e.getMessage(), "set it in nutch-site.xml");
      return false;
    }
  }

  private PluginDescriptor checkPlugin() {
    String folders = getConf().get("plugin.folders");
    try {
      PluginDescriptor plugin = PluginRepository.get(getConf()).getPluginDescriptor(PLUGIN);
      if (plugin != null) {
        ok("the plugin is in " + plugin.getPluginPath());
      } else if (!lets(PLUGIN)) {
        fail("plugin.includes does not let " + PLUGIN + " in (it is " + getConf().get("plugin.includes") + "), or plugin.excludes keeps it out",
            INSTALL + ", or add |" + PLUGIN + " to plugin.includes in nutch-site.xml");
      } else {
        fail("plugin.folders (" + folders + ") holds no folder " + PLUGIN + " with a plugin.xml, or no nutch-extensionpoints, which it needs",
            INSTALL);
      }
      return plugin;
    } catch (PatternSyntaxException e) {
      fail("plugin.includes or plugin.excludes is no regular expression (" + e.getDescription() + ")", "mend it in nutch-site.xml");
    } catch (RuntimeException e) {
      fail("Nutch cannot load the plugins in " + folders + " (" + e + ")", "mend plugin.folders or the plugin that this names");
    }
    return null;
  }

  /** Whether Nutch activates a plugin of this id. */
  private boolean lets(String id) {
    return Pattern.matches(getConf().get("plugin.includes", ""), id) && !Pattern.matches(getConf().get("plugin.excludes", ""), id);
  }

  private void checkOtherScoring() {
    for (String other : new String[] {"scoring-opic", "scoring-link"}) {
      try {
        check(!lets(other), other + " is not active", other + " is active and overwrites the score of the language",
            INSTALL + ", or take it out of plugin.includes");
      } catch (PatternSyntaxException e) {
        // The check of the plugin has said so.
        return;
      }
    }
  }

  /** Nutch runs only the filters that such a list names. */
  private void checkOrder(String key, String filter) {
    String order = getConf().get(key, "").trim();
    if (!order.isEmpty()) {
      check(Arrays.asList(order.split("\\s+")).contains(filter), key + " names our filter",
          key + " does not name " + filter + ", so that is not run", "add it, or leave " + key + " empty");
    }
  }

  /** Loads the library in the plugin's own class loader, as the filters do. */
  private boolean checkLibrary(PluginDescriptor plugin) {
    try {
      Class<?> library = plugin.getClassLoader().loadClass(NativeLibrary.class.getName());
      check(Arrays.equals(jarOf(library), jarOf(NativeLibrary.class)), "plugin and jobs are of one version",
          "corpulyzer-engine.jar in lib is another one than in " + plugin.getPluginPath() + ": two versions are installed", INSTALL);
      library.getMethod("load", String.class).invoke(null, getConf().get(Settings.NATIVE_PATH, "").trim());
      ok("the native library loads as the plugin loads it");
      return true;
    } catch (InvocationTargetException e) {
      String sentence = String.valueOf(e.getCause().getMessage());
      // What the JVM adds when the file is for another machine, whatever the C library says of it.
      fail(sentence, sentence.contains("Possible cause: can't load") ? "put the library that is built for this architecture in its place"
          : "as that says");
    } catch (ReflectiveOperationException | LinkageError | IOException | URISyntaxException e) {
      fail("there is no usable corpulyzer-engine.jar in " + plugin.getPluginPath() + " (" + e + ")", INSTALL);
    }
    return false;
  }

  private static byte[] jarOf(Class<?> type) throws IOException, URISyntaxException {
    Path jar = Paths.get(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    return Files.isDirectory(jar) ? new byte[0] : Files.readAllBytes(jar);
  }

  private boolean checkPanic(PluginDescriptor plugin) {
    try {
      // The native methods are no API, and the plugin has classes of its own.
      Method probe = plugin.getClassLoader().loadClass("org.corpulyzer.engine.Native").getDeclaredMethod("probe", byte[].class);
      probe.setAccessible(true);
      byte[] answer = (byte[]) probe.invoke(null, (Object) "panic".getBytes(StandardCharsets.UTF_8));
      check(new String(answer, StandardCharsets.ISO_8859_1).contains("failed"), "a panic in the library stays there and is reported",
          "a panic in the library is not reported", INSTALL);
      return true;
    } catch (InvocationTargetException e) {
      fail("the library that was loaded is not Corpulyzer's, or of another version (" + e.getCause() + ")",
          "set " + Settings.NATIVE_PATH + " to its file, or leave that empty and " + INSTALL);
    } catch (ReflectiveOperationException | LinkageError e) {
      fail("the native library cannot be probed (" + e + ")", INSTALL);
    }
    return false;
  }

  private void checkPage(PluginDescriptor plugin) {
    WebPage page = WebPage.newBuilder().build();
    page.setBaseUrl(new Utf8("http://doctor.invalid/"));
    page.setContentType(new Utf8("text/html"));
    page.setContent(ByteBuffer.wrap(PAGE.getBytes(StandardCharsets.UTF_8)));
    ParseStatus status = ParseStatus.newBuilder().build();
    status.setMajorCode((int) ParseStatusCodes.SUCCESS);
    try {
      Parse parse = new Parse("", "", new Outlink[0], status);
      parseFilter(plugin).filter("http://doctor.invalid/", page, parse, new HTMLMetaTags(), null);
      ByteBuffer languages = page.getMetadata().get(new Utf8(PageKeys.LANGUAGES));
      String found = languages == null ? "" : StandardCharsets.UTF_8.decode(languages.duplicate()).toString();
      check(found.startsWith("eng:") && parse.getText().contains("village school"), "a page in English parses to " + found,
          "a page in English parses to the languages '" + found + "'", "see logs/hadoop.log, then " + INSTALL);
    } catch (PluginRuntimeException | LinkageError e) {
      fail("the parse filter cannot be made (" + e.getMessage() + ")", INSTALL);
    } catch (RuntimeException | Error e) {
      fail(String.valueOf(e.getMessage()), "set it in nutch-site.xml");
    }
  }

  private static ParseFilter parseFilter(PluginDescriptor plugin) throws PluginRuntimeException {
    for (Extension extension : plugin.getExtensions()) {
      if (extension.getClazz().equals(PARSE_FILTER)) {
        return (ParseFilter) extension.getExtensionInstance();
      }
    }
    throw new IllegalStateException("plugin.xml does not name " + PARSE_FILTER);
  }

  /** What the command updatedb runs has to fit to where scores are read. Nothing is said of a plugin that lies outside of a home. */
  private void checkUpdatedb(Path script) {
    if (!Files.isRegularFile(script)) {
      return;
    }
    boolean scores;
    try {
      String text = new String(Files.readAllBytes(script), StandardCharsets.ISO_8859_1);
      scores = Pattern.compile("(?m)^[ \\t]*CLASS=\"?" + Pattern.quote(LrlDbUpdaterJob.class.getName()) + "\\b").matcher(text).find();
    } catch (IOException e) {
      fail(script + " cannot be read (" + e + ")", "make it readable");
      return;
    }
    boolean stored = getConf().get(Settings.SCORE_SOURCE, Settings.defaults().get(Settings.SCORE_SOURCE)).trim().equals("stored");
    if (scores) {
      advise(stored, "bin/nutch updatedb scores every host, and the generator reads these scores",
          "bin/nutch updatedb scores every host, but " + Settings.SCORE_SOURCE + " is scan, so that the generator adds hosts up once more",
          "set it to stored");
    } else {
      advise(!stored, "bin/nutch updatedb is Nutch's own, and the generator adds hosts up itself",
          Settings.SCORE_SOURCE + " is stored, but bin/nutch updatedb writes no scores of hosts",
          "install with --alias-updatedb, or run " + LrlDbUpdaterJob.class.getName() + " in its place");
    }
  }

  private void checkStore() {
    String store = getConf().get("storage.data.store.class", MEM_STORE);
    if (store.equals(MEM_STORE)) {
      fail("storage.data.store.class is MemStore, which forgets everything when a command ends",
          "set it to " + HBASE_STORE + " in nutch-site.xml");
    } else if (!store.equals(HBASE_STORE) && !store.equals(STRICT_STORE)) {
      warn("storage.data.store.class is " + store + ", and Corpulyzer's jobs need HBase", "set it to " + HBASE_STORE);
    } else {
      try {
        Class.forName(store, false, getConf().getClassLoader());
        check(getConf().getResource("gora-hbase-mapping.xml") != null, "the store is HBase",
            "the conf folder has no gora-hbase-mapping.xml", "copy it from Nutch's sources");
      } catch (ClassNotFoundException | LinkageError e) {
        fail("storage.data.store.class is " + store + ", but lib has not its jars (" + e + ")",
            "switch gora-hbase on in ivy/ivy.xml and build Nutch again");
      }
    }
  }

  private void checkContentLimit() {
    int limit = getConf().getInt("http.content.limit", 65536);
    String set = "set it to " + MOST_CONTENT;
    if (limit < 0 || limit > MOST_CONTENT) {
      warn("http.content.limit is " + limit + ", and HBase refuses cells above 10 MiB (hbase.client.keyvalue.maxsize)", set);
    } else {
      advise(limit >= LEAST_CONTENT, "http.content.limit is " + limit + " bytes",
          "http.content.limit is " + limit + " bytes, which cuts many pages in the middle of their text", set);
    }
    advise(!getConf().getBoolean("parser.skip.truncated", true), "parser.skip.truncated is false",
        "parser.skip.truncated is true, so a page above http.content.limit is left unparsed in silence", "set it to false");
  }

  private void checkHostLimit() {
    int most = getConf().getInt("generate.max.count", -1);
    advise(most > 0, "generate.max.count is " + most, "generate.max.count is not set, so the best host fills every batch",
        "set it to about a twentieth of -topN");
  }

  private void checkLeastScore(boolean configured) {
    if (configured && Settings.from(getConf()::get).stopsHosts()) {
      float least = getConf().getFloat("generate.min.score", Float.NaN);
      check(least > HostScore.Stop.BARREN.score(), "the generator passes over hosts that " + Settings.SCORE_POLICY + " stops",
          "generate.min.score is " + least + ", so the generator takes hosts that " + Settings.SCORE_POLICY + " stops (they score -1 and -2)",
          "set it to 0, as in Nutch's own configuration");
    }
  }

  /** Nutch 2.4 reads the two keys the wrong way round: sitemap.parser.timeout bounds the parse of pages. */
  private void checkTimeouts(boolean configured) {
    int pages = getConf().getInt("sitemap.parser.timeout", 30);
    int sitemaps = getConf().getInt("parser.timeout", 30);
    advise(pages == sitemaps, "sitemap.parser.timeout and parser.timeout are both " + pages + " s",
        "parser.timeout is " + sitemaps + " s, but Nutch 2.4 has swapped its keys: sitemap.parser.timeout (" + pages + " s) bounds pages",
        "set both alike");
    if (configured) {
      long engine = Long.parseLong(getConf().get(Settings.PAGE_MAX_MILLIS, Settings.defaults().get(Settings.PAGE_MAX_MILLIS)).trim());
      advise(pages < 0 || pages * 1000L > engine, "a page's parse may take longer than " + Settings.PAGE_MAX_MILLIS,
          "sitemap.parser.timeout, which bounds the parse of pages, is not above " + Settings.PAGE_MAX_MILLIS + " (" + engine + " ms)",
          "set it to " + Math.max(60, engine / 1000 * 2));
    }
  }

  private void check(boolean good, String fine, String wrong, String mend) {
    if (good) {
      ok(fine);
    } else {
      fail(wrong, mend);
    }
  }

  private void advise(boolean good, String fine, String wrong, String mend) {
    if (good) {
      ok(fine);
    } else {
      warn(wrong, mend);
    }
  }

  private void ok(String finding) {
    out.println("ok    " + finding + ".");
  }

  private void warn(String finding, String mend) {
    out.println("warn  " + finding + ". Mend: " + mend + ".");
  }

  private void fail(String finding, String mend) {
    failed = true;
    String sentence = finding.endsWith(".") ? finding.substring(0, finding.length() - 1) : finding;
    out.println("fail  " + sentence + ". Mend: " + mend + ".");
  }
}
