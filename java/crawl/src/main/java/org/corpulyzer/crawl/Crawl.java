package org.corpulyzer.crawl;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.corpulyzer.corpus.HostView;
import org.corpulyzer.engine.Nearest;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The command: a crawl on one machine, from a seed list to a corpus in one language. */
@Command(
    name = "corpulyzer crawl",
    sortOptions = false,
    description =
        "Crawls the web for one language and writes a corpus. "
            + "The same command continues a crawl that was stopped.")
public final class Crawl {
  @CommandLine.Mixin private final CrawlOptions options = new CrawlOptions();

  private Crawl() {}

  /** Runs and exits. */
  public static void main(String[] args) {
    int code = run(System.out, System.err, args);
    System.out.flush();
    // Hadoop leaves threads behind that would keep the process for ever.
    if (code == CrawlException.STOPPED) {
      // A signal ends the process with its own code once the hooks have run; this call waits for
      // them.
      System.exit(code);
    }
    Runtime.getRuntime().halt(code);
  }

  /**
   * Runs the command and returns the exit code: 0, 1 if the crawl cannot continue, 2 if the command
   * line is wrong.
   */
  static int run(PrintStream out, PrintStream err, String... args) {
    Logs.silence();
    Crawl crawl = new Crawl();
    // `--language @FILE` names a file of codes, not a file of arguments.
    CommandLine line =
        new CommandLine(crawl).setCaseInsensitiveEnumValuesAllowed(true).setExpandAtFiles(false);
    try {
      line.parseArgs(args);
      // The profile decides the defaults of other options, so they are read again.
      line.setDefaultValueProvider(PageSettings.defaults(crawl.options.profile));
      ParseResult given = line.parseArgs(args);
      if (crawl.options.help) {
        line.usage(out);
        return 0;
      }
      if (crawl.options.sample) {
        Sample.requireOptions(given);
      }
      crawl.run(out);
      return 0;
    } catch (CommandLine.ParameterException e) {
      err.println("corpulyzer crawl: " + HostView.printable(sentence(e)) + "; see --help");
      return CrawlException.USAGE;
    } catch (CrawlException e) {
      // Messages quote file names and lines of lists, which may have any character.
      err.println("corpulyzer crawl: " + HostView.printable(e.getMessage()));
      return e.exitCode();
    } catch (RuntimeException | Error e) {
      LoggerFactory.getLogger(Crawl.class).error("unforeseen", e);
      err.println(
          "corpulyzer crawl: an unexpected error occurred ("
              + e
              + "); see the folder logs in the data folder, then run the same command again");
      return CrawlException.FAILED;
    }
  }

  /** What is wrong with an argument, in the words of the other messages. */
  private static String sentence(CommandLine.ParameterException e) {
    if (e instanceof CommandLine.UnmatchedArgumentException) {
      CommandLine.UnmatchedArgumentException unmatched = (CommandLine.UnmatchedArgumentException) e;
      String given = unmatched.getUnmatched().get(0);
      if (!given.startsWith("-")) {
        return "'" + given + "' belongs to no option";
      }
      String name = given.split("=", 2)[0];
      Set<String> names = e.getCommandLine().getCommandSpec().optionsMap().keySet();
      return "there is no option " + name + "; the nearest is " + Nearest.of(name, names, 1).get(0);
    }
    ArgSpec option = e.getArgSpec();
    if (e.getValue() == null || !(option instanceof OptionSpec)) {
      return e.getMessage();
    }
    Class<?> type = option.type();
    String allowed =
        type == int.class || type == Integer.class || type == long.class && noConverter(option)
            ? "a whole number up to " + (type == long.class ? Long.MAX_VALUE : Integer.MAX_VALUE)
            : type == double.class || type == Double.class
                ? "a number"
                : type.isEnum()
                    ? "one of " + names(type)
                    : type == Long.class || type == long.class ? CrawlOptions.Bytes.ALLOWED : null;
    return allowed == null
        ? e.getMessage()
        : ((OptionSpec) option).longestName() + " is '" + e.getValue() + "'; allowed is " + allowed;
  }

  private static boolean noConverter(ArgSpec option) {
    return option.converters().length == 0;
  }

  private static String names(Class<?> type) {
    return Stream.of(type.getEnumConstants()).map(String::valueOf).collect(joining(", "));
  }

  private void run(PrintStream out) throws CrawlException {
    if (options.status) {
      status(out);
      return;
    }
    if (options.sample) {
      options.language = Sample.LANGUAGE;
      PageSettings.require(options);
      options.validateDuplicates();
      new Sample(options, out).run();
      return;
    }
    options.validate();
    PageSettings.require(options);
    SeedList.read(options.seeds);
    Corpora.look(options);
    if (options.reparse) {
      requireCrawl("--reparse needs stored pages, but there is no crawl in ");
    }
    if (options.explain != null) {
      requireCrawl("--explain needs a crawl, but there is none in ");
    }
    try (DataFolder data = DataFolder.open(options.data)) {
      Logs.to(data.logs());
      if (options.explain != null) {
        out.print(CrawlRun.explain(options, data));
        return;
      }
      runRounds(out, data);
    } catch (IOException e) {
      throw CrawlException.failed(
          "the data folder "
              + options.data
              + " cannot be closed ("
              + CrawlException.reason(e)
              + ")",
          e);
    }
  }

  private void requireCrawl(String problem) throws CrawlException {
    if (!DataFolder.isOfACrawl(options.data)) {
      throw CrawlException.usage(problem + options.data + "; name the --data folder of one");
    }
  }

  private void runRounds(PrintStream out, DataFolder data) throws CrawlException {
    Console console = new Console(out, data.status());
    console.say(
        String.format(
            Locale.ROOT,
            "crawling for %s by %s; data in %s, corpus in %s",
            options.language,
            options.scoring == CrawlOptions.Scoring.lrl
                ? "language (mode " + options.mode + ")"
                : "links",
            options.data,
            options.out));
    List<RoundYield> yields = CrawlRun.run(options, console, data, (round, phase) -> {});
    out.println();
    out.print(RoundYield.table(yields));
    boolean isEmpty = yields.stream().noneMatch(round -> round.fetched > 0);
    out.println(
        "mean of the rounds' filtered yields: "
            + (isEmpty ? "-" : String.format(Locale.ROOT, "%.1f %%", RoundYield.mean(yields))));
    if (isEmpty && !options.reparse) {
      throw CrawlException.failed(
          "No page was fetched in any round; the lines of the fetch phase show how the servers"
              + " responded. Add other seeds to "
              + options.seeds
              + ", then run the same command again with a larger --rounds");
    }
  }

  private void status(PrintStream out) throws CrawlException {
    if (options.data == null) {
      throw CrawlException.usage("--data is missing: give the folder of the crawl");
    }
    Path status = DataFolder.status(options.data);
    try {
      if (!Files.isRegularFile(status)) {
        throw CrawlException.failed(
            "there was no crawl in " + options.data + "; name the --data folder of one");
      }
      out.println(DataFolder.isHeld(options.data) ? "running" : "not running; last heard of:");
      out.print(new String(Files.readAllBytes(status), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw CrawlException.failed(
          "the status of the crawl in "
              + options.data
              + " cannot be read ("
              + CrawlException.reason(e)
              + ")",
          e);
    }
  }
}
