package org.corpulyzer.crawl;

import java.io.IOException;
import java.net.MalformedURLException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.crawl.Injector;
import org.apache.nutch.net.URLFilterException;
import org.apache.nutch.net.URLFilters;
import org.apache.nutch.net.URLNormalizers;
import org.corpulyzer.corpus.HostView;
import org.corpulyzer.engine.PageKeys;

/** Puts the seeds of a crawl into CrawlDb. */
final class SeedInjector {
  private final CrawlOptions options;
  private final DataFolder data;
  private final CrawlDbFolder crawlDb;
  private final CrawlState state;
  private final Configuration conf;
  private final Console console;
  private final BiFunction<String, Exception, CrawlException> failed;

  /**
   * @param failed the error of a job that failed, by its name
   */
  SeedInjector(
      CrawlOptions options,
      DataFolder data,
      CrawlDbFolder crawlDb,
      CrawlState state,
      Configuration conf,
      Console console,
      BiFunction<String, Exception, CrawlException> failed) {
    this.options = options;
    this.data = data;
    this.crawlDb = crawlDb;
    this.state = state;
    this.conf = conf;
    this.console = console;
    this.failed = failed;
  }

  /**
   * Only addresses that have no row, so that a start with the same seeds does not write CrawlDb.
   */
  void inject(List<SeedList.Seed> seeds) throws CrawlException, IOException {
    Map<String, String> urls = allowed(seeds);
    if (urls.isEmpty()) {
      throw CrawlException.usage(
          "none of the addresses in "
              + options.seeds
              + " may be crawled; check --allow and --deny");
    }
    List<String> missing = crawlDb.missing(conf, new ArrayList<>(urls.keySet()));
    if (missing.isEmpty()) {
      return;
    }
    long began = System.nanoTime();
    Path folder = write(missing, urls);
    try {
      new Injector(new Configuration(conf))
          .inject(crawlDb.path(), new org.apache.hadoop.fs.Path(folder.toUri()));
    } catch (InterruptedException | ClassNotFoundException | RuntimeException e) {
      throw failed.apply("Injector", e);
    }
    console.say(
        CrawlRun.line("inject", missing.size() + " of " + seeds.size() + " seeds are new", began));
  }

  /** Returns the addresses that may be crawled, with their sources, each once. */
  private Map<String, String> allowed(List<SeedList.Seed> seeds) {
    // Of a URL with several sources the first counts.
    Map<String, String> urls = new LinkedHashMap<>();
    URLNormalizers normalizers = new URLNormalizers(conf, URLNormalizers.SCOPE_INJECT);
    URLFilters filters = new URLFilters(conf);
    for (SeedList.Seed seed : seeds) {
      try {
        String url = filters.filter(normalizers.normalize(seed.url, URLNormalizers.SCOPE_INJECT));
        if (url != null) {
          urls.putIfAbsent(url, seed.source);
        }
      } catch (MalformedURLException | URLFilterException e) {
        console.say("  skipped seed: " + HostView.printable(String.valueOf(e.getMessage())));
      }
    }
    return urls;
  }

  /** Writes a seed list for Nutch. Returns its folder. */
  private Path write(List<String> missing, Map<String, String> urls)
      throws CrawlException, IOException {
    Path folder = LocalFiles.createPrivate(data.temporary().resolve("seeds"));
    List<String> lines = new ArrayList<>();
    for (String url : missing) {
      String source = urls.get(url);
      lines.add(source == null ? url : url + "\t" + PageKeys.SOURCE + "=" + source);
    }
    Files.write(folder.resolve("seeds.txt"), lines, StandardCharsets.UTF_8);
    if (missing.stream().anyMatch(url -> urls.get(url) != null)) {
      state.noteSources();
    }
    return folder;
  }
}
