package org.corpulyzer.install;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Installs Corpulyzer into a Nutch home or a job file, and removes it. */
public final class Main {
  /** The usage of the script too, so it has the verb doctor. */
  private static final String USAGE =
      String.join(
              "\n",
              "usage: corpulyzer install   --nutch-home DIR | --job FILE.job  [OPTION...]",
              "       corpulyzer uninstall --nutch-home DIR | --job FILE.job  [OPTION...]",
              "       corpulyzer doctor    --nutch-home DIR | --job FILE.job  [--crawldb PATH]",
              "",
              "Options of install; uninstall has the last two:",
              "  --language CODE   set the target language: an ISO 639 code or a name, for example",
              "                    ur, urd, Urdu; on Nutch 1.x also several, with commas between",
              "  --alias-updatedb  make bin/nutch updatedb compute the scores too, so that",
              "                    bin/crawl works without changes. The first time, also set the",
              "                    score policy pages, unless another setting speaks against it",
              "  --top N           the -topN of your generate: set the limit of pages of a host to",
              "                    a twentieth, and the number of URLs that policy pages chooses",
              "  --recommended     set the Nutch settings that the doctor recommends, except those",
              "                    that nutch-site.xml sets already",
              "  --follow DIR      follow symlinks of the Nutch home into DIR; may be repeated",
              "  --dry-run         print the changes and change nothing",
              "",
              "--crawldb PATH of doctor checks that this CrawlDb has figures of pages (Nutch 1.x).",
              "The default of --nutch-home is the folder above this script, if it is a Nutch home.",
              "`doctor --job` needs the command hadoop.")
          + "\n";

  /** Exit code if the arguments are wrong. */
  static final int USAGE_ERROR = 2;

  private final PrintStream out;
  private static final List<String> VALUES = Arrays.asList("--nutch-home", "--job", "--follow");

  private final Path distribution;
  private boolean installs;
  private boolean dryRun;
  private final Installer.Wishes wishes = new Installer.Wishes();

  /** Folders outside of the home that symlinks in it may lead to. */
  private final List<Path> followed = new ArrayList<>();

  private Path home;
  private Path job;

  private Main(PrintStream out, Path distribution) {
    this.out = out;
    this.distribution = distribution;
  }

  /**
   * Exits with 0 if the work is done or no work is needed, 1 if the operator must correct something
   * first, 2 if the arguments are wrong.
   */
  public static void main(String[] args) throws URISyntaxException {
    // The jar lies in DISTRIBUTION/corpulyzer/.
    Path jar = Paths.get(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    System.exit(run(args, jar.getParent().getParent(), System.out, System.err));
  }

  /**
   * @param distribution the folder that holds the unpacked distribution, which may be the Nutch
   *     home itself
   */
  static int run(String[] args, Path distribution, PrintStream out, PrintStream err) {
    if (args.length > 0 && args[0].equals("--help")) {
      out.print(USAGE);
      return 0;
    }
    Main main = new Main(out, distribution);
    try {
      String fault = main.read(args);
      if (fault != null) {
        err.print(fault + "\n" + USAGE);
        return USAGE_ERROR;
      }
      if (main.job != null) {
        main.changeJob();
      } else {
        main.changeHome();
      }
      return 0;
    } catch (InstallException e) {
      err.println(e.getMessage());
      return e.exitCode();
    } catch (FileSystemException e) {
      String reason = e.getReason() == null ? e.getClass().getSimpleName() : e.getReason();
      err.println(
          "Cannot use "
              + e.getFile()
              + " ("
              + reason
              + "): nothing was changed; correct it, then try again.");
    } catch (IOException e) {
      err.println(
          "Cannot go on ("
              + e.getMessage()
              + "): nothing was changed; correct it, then try again.");
    }
    return 1;
  }

  /**
   * Reads the arguments.
   *
   * @return what is wrong with them, as a sentence; null if nothing is
   */
  private String read(String[] args) throws InstallException {
    if (args.length == 0 || args[0].isEmpty()) {
      return "The verb is missing.";
    }
    if (!args[0].equals("install") && !args[0].equals("uninstall")) {
      return "Unknown verb " + args[0] + ".";
    }
    installs = args[0].equals("install");
    for (int i = 1; i < args.length; i++) {
      String name = args[i];
      if (name.equals("--dry-run")) {
        dryRun = true;
      } else if (name.equals("--alias-updatedb") && installs) {
        wishes.aliases = true;
      } else if (name.equals("--recommended") && installs) {
        wishes.recommended = true;
      } else if (!takesValue(name)) {
        return "Unknown argument " + name + " of " + args[0] + ".";
      } else if (i + 1 == args.length) {
        return "The argument " + name + " has no value.";
      } else {
        set(name, args[++i]);
      }
    }
    return home == null && job == null
        ? "Give a Nutch home (--nutch-home DIR) or a job file (--job FILE.job)."
        : home != null && job != null ? "Give --nutch-home or --job, not both." : null;
  }

  private boolean takesValue(String name) {
    return VALUES.contains(name) || installs && (name.equals("--language") || name.equals("--top"));
  }

  private void set(String name, String value) throws InstallException {
    switch (name) {
      case "--nutch-home":
        home = Paths.get(value);
        break;
      case "--job":
        job = Paths.get(value);
        break;
      case "--follow":
        followed.add(Paths.get(value));
        break;
      case "--top":
        if (!value.matches("[1-9][0-9]{0,8}")) {
          throw InstallException.badValue(
              "--top is " + value + "; allowed are whole numbers from 1 to 999999999.");
        }
        wishes.top = Integer.parseInt(value);
        break;
      default:
        wishes.language = value;
    }
  }

  private void changeHome() throws InstallException, IOException {
    Nutch nutch = Nutch.home(home, followed);
    refuseOtherConfiguration(home.resolve("conf"), System.getenv("NUTCH_CONF_DIR"));
    Plan plan = plan(nutch);
    plan.requireWritable();
    if (announce(nutch, plan, "")) {
      plan.apply();
      sayNext(nutch);
    }
  }

  /**
   * Refuses to change a configuration that {@code bin/nutch} would not read.
   *
   * @param conf the home's folder of settings
   * @param elsewhere the folder that Nutch reads instead; null or empty if there is none
   */
  static void refuseOtherConfiguration(Path conf, String elsewhere)
      throws InstallException, IOException {
    if (elsewhere == null || elsewhere.isEmpty()) {
      return;
    }
    Path read = Paths.get(elsewhere);
    if (!Files.isDirectory(read) || !Files.isSameFile(conf, read)) {
      throw new InstallException(
          "NUTCH_CONF_DIR is "
              + elsewhere
              + ", so Nutch reads its settings there and not in "
              + conf
              + ", and nothing was changed: unset NUTCH_CONF_DIR, or make "
              + conf
              + " a symlink to that folder and add --follow "
              + elsewhere
              + ".");
    }
  }

  /**
   * Changes a copy, which then replaces the job file in one step, and bin/nutch beside it, which
   * starts the jobs. The copy is in the system's folder for temporary files, where other users
   * cannot change it while it is read and written.
   */
  private void changeJob() throws InstallException, IOException {
    if (!Files.isRegularFile(job)) {
      throw new InstallException(
          job
              + " is not a job file: "
              + (Files.isDirectory(job)
                  ? "it is a folder."
                  : Files.exists(job) ? "it is not a regular file." : "there is no such file."));
    }
    Path target = job.toRealPath();
    Places beside = new Places(target.getParent(), followed);
    Path own = Files.createTempDirectory("corpulyzer-job-");
    Path copy = own.resolve("copy");
    try {
      beside.home().copy(target.getFileName().toString(), copy);
      changeJob(target, beside, copy);
    } finally {
      Files.deleteIfExists(copy);
      Files.deleteIfExists(own);
    }
  }

  private void changeJob(Path target, Places beside, Path copy)
      throws InstallException, IOException {
    Places.Place script = beside.of(NutchScript.PLACE, true);
    byte[] found = script.tree.read(script.path);
    byte[] launcher;
    boolean isJobChanged;
    try (FileSystem zip = JobFile.open(job, copy)) {
      Nutch nutch = Nutch.job(job, zip.getPath("/"));
      launcher = launcher(nutch, script.full(), found);
      Plan plan = plan(nutch);
      boolean isLauncherChanged = !Arrays.equals(launcher, found);
      if (!announce(nutch, plan, isLauncherChanged ? "changed  " + script.full() + "\n" : "")) {
        return;
      }
      requireWritable(target.getParent());
      if (isLauncherChanged) {
        requireWritable(script.full().getParent());
      }
      isJobChanged = !plan.isEmpty();
      if (isJobChanged) {
        plan.apply();
      }
    }
    String name = target.getFileName().toString();
    try {
      if (isJobChanged) {
        try (InputStream content = Files.newInputStream(copy)) {
          beside.home().stage(name, content, false, true);
        }
      }
      if (!Arrays.equals(launcher, found)) {
        script.tree.stage(script.path, launcher, true);
      }
      if (isJobChanged) {
        beside.home().place(name);
      }
      if (!Arrays.equals(launcher, found)) {
        script.tree.place(script.path);
      }
    } finally {
      beside.home().unstage();
      script.tree.unstage();
    }
    try (FileSystem zip = JobFile.open(job, copy)) {
      sayNext(Nutch.job(job, zip.getPath("/")));
    }
  }

  /** The new script that starts the job file; null if none was {@code found}. */
  private byte[] launcher(Nutch nutch, Path script, byte[] found)
      throws InstallException, IOException {
    boolean aliases = installs && new Installer(nutch).aliases(wishes);
    if (found == null) {
      if (wishes.aliases) {
        throw new InstallException(
            "There is no "
                + script
                + " that would start the job: install without --alias-updatedb, and run "
                + nutch.line().ourUpdate
                + " instead of updatedb.");
      }
      return null;
    }
    return aliases
        ? NutchScript.adopt(script.toString(), found, nutch.line())
        : installs ? found : NutchScript.release(found);
  }

  private static void requireWritable(Path folder) throws InstallException, IOException {
    if (!Files.isWritable(folder)) {
      throw new InstallException(
          folder
              + " is not writable for "
              + System.getProperty("user.name")
              + ": run this as "
              + Files.getOwner(folder).getName()
              + ".");
    }
  }

  private Plan plan(Nutch nutch) throws InstallException, IOException {
    Installer installer = new Installer(nutch);
    if (!installs) {
      return installer.uninstall();
    }
    // Checked first: the languages come from the library in one of its files.
    Distribution checked = Distribution.at(distribution);
    wishes.language = installer.codes(wishes.language);
    return installer.install(checked, wishes);
  }

  /** Prints the changes, and {@code more} of them. Returns whether to make them. */
  private boolean announce(Nutch nutch, Plan plan, String more)
      throws InstallException, IOException {
    if (plan.isEmpty() && more.isEmpty()) {
      out.println(
          "Nothing to do: Corpulyzer is "
              + (installs ? "installed in " : "not in ")
              + nutch.name
              + ".");
      return false;
    }
    out.print(plan.report() + more);
    if (dryRun) {
      out.println("Dry run: nothing was changed.");
    }
    return !dryRun;
  }

  /** Ends an installation with the command that an operator runs next. */
  private void sayNext(Nutch nutch) throws InstallException, IOException {
    if (installs) {
      String place = (job == null ? " --nutch-home " : " --job ") + quoted(nutch.name);
      String command =
          quoted(
              System.getProperty(
                  "corpulyzer.command", distribution.resolve("bin/corpulyzer").toString()));
      boolean hasLanguage = new Installer(nutch).language(wishes.language) != null;
      out.println(
          "Next, "
              + (hasLanguage
                  ? "check the installation: " + command + " doctor" + place
                  : "choose the language of the crawl, e.g. Urdu: "
                      + command
                      + " install"
                      + place
                      + " --language urd"));
    }
  }

  private static String quoted(String word) {
    return word.matches("[\\w./:=@%+,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
