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

/** Puts Corpulyzer into a Nutch home or a job file, and takes it out. */
public final class Main {
  private static final String USAGE = "usage: corpulyzer install|uninstall --nutch-home DIR | --job FILE.job\n"
      + "  --language CODE  (install) set corpulyzer.language.target, e.g. urd\n"
      + "  --alias-updatedb (install) let bin/nutch updatedb score every host, for a bin/crawl without edits\n"
      + "  --recommended    (install) set the Nutch settings that the doctor recommends and nutch-site.xml does not set\n"
      + "  --follow DIR     let symlinks in the Nutch home lead to files in DIR; may be given more than once\n"
      + "  --dry-run        print what would change, and change nothing\n";

  private final PrintStream out;
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

  /** Exits with 0 when it is done or nothing is to do, 1 when something has to be mended first, 2 when the arguments are wrong. */
  public static void main(String[] args) throws URISyntaxException {
    // The jar lies in DISTRIBUTION/corpulyzer/.
    Path jar = Paths.get(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    System.exit(run(args, jar.getParent().getParent(), System.out, System.err));
  }

  /** @param distribution the folder that holds the unpacked distribution, which may be the Nutch home itself */
  static int run(String[] args, Path distribution, PrintStream out, PrintStream err) {
    Main main = new Main(out, distribution);
    try {
      if (!main.understands(args)) {
        err.print(USAGE);
        return 2;
      }
      if (main.job != null) {
        main.changeJob();
      } else {
        main.changeHome();
      }
      return 0;
    } catch (InstallException e) {
      err.println(e.getMessage());
    } catch (FileSystemException e) {
      String reason = e.getReason() == null ? e.getClass().getSimpleName() : e.getReason();
      err.println("Cannot use " + e.getFile() + " (" + reason + "): nothing was changed; mend it, then try again.");
    } catch (IOException e) {
      err.println("Cannot go on (" + e.getMessage() + "): nothing was changed; mend it, then try again.");
    }
    return 1;
  }

  private boolean understands(String[] args) throws InstallException {
    if (args.length == 0 || !(args[0].equals("install") || args[0].equals("uninstall"))) {
      return false;
    }
    installs = args[0].equals("install");
    for (int i = 1; i < args.length; i++) {
      boolean hasValue = i + 1 < args.length;
      if (args[i].equals("--dry-run")) {
        dryRun = true;
      } else if (args[i].equals("--alias-updatedb") && installs) {
        wishes.aliases = true;
      } else if (args[i].equals("--recommended") && installs) {
        wishes.recommended = true;
      } else if (args[i].equals("--nutch-home") && hasValue) {
        home = Paths.get(args[++i]);
      } else if (args[i].equals("--job") && hasValue) {
        job = Paths.get(args[++i]);
      } else if (args[i].equals("--follow") && hasValue) {
        followed.add(Paths.get(args[++i]));
      } else if (args[i].equals("--language") && hasValue && installs) {
        wishes.language = args[++i];
      } else {
        return false;
      }
    }
    return (home == null) != (job == null);
  }

  private void changeHome() throws InstallException, IOException {
    Nutch nutch = Nutch.home(home, followed);
    Plan plan = plan(nutch);
    plan.requireWritable();
    if (announce(nutch, plan, "")) {
      plan.apply();
      sayNext(nutch);
    }
  }

  /**
   * Changes a copy, which then takes the job file's place in one step; and bin/nutch beside it, where the jobs are started. The copy lies
   * in the system's folder for temporary files, where nobody else can change it while it is read and written.
   */
  private void changeJob() throws InstallException, IOException {
    if (!Files.isRegularFile(job)) {
      throw new InstallException(job + " is not a job file: " + (Files.isDirectory(job) ? "it is a folder." : Files.exists(job) ? "it is no regular file." : "there is no such file."));
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

  private void changeJob(Path target, Places beside, Path copy) throws InstallException, IOException {
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

  /** The script that starts the job file, as it is to be; null if none was {@code found}. */
  private byte[] launcher(Nutch nutch, Path script, byte[] found) throws InstallException, IOException {
    boolean aliases = installs && new Installer(nutch).aliases(wishes);
    if (found == null) {
      if (wishes.aliases) {
        throw new InstallException("There is no " + script + " that would start the job: install without --alias-updatedb, and run "
            + nutch.line().ourUpdate + " instead of updatedb.");
      }
      return null;
    }
    return aliases ? NutchScript.adopt(script.toString(), found, nutch.line()) : installs ? found : NutchScript.release(found);
  }

  private static void requireWritable(Path folder) throws InstallException, IOException {
    if (!Files.isWritable(folder)) {
      throw new InstallException(folder + " is not writable for " + System.getProperty("user.name") + ": run this as "
          + Files.getOwner(folder).getName() + ".");
    }
  }

  private Plan plan(Nutch nutch) throws InstallException, IOException {
    Installer installer = new Installer(nutch);
    if (!installs) {
      return installer.uninstall();
    }
    installer.requireKnownLanguage(wishes.language);
    return installer.install(Distribution.at(distribution), wishes);
  }

  /** Prints what changes, and {@code more} of it; true if it is to be done. */
  private boolean announce(Nutch nutch, Plan plan, String more) throws InstallException, IOException {
    if (plan.isEmpty() && more.isEmpty()) {
      out.println("Nothing to do: Corpulyzer is " + (installs ? "installed in " : "not in ") + nutch.name + ".");
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
      String command = quoted(distribution.resolve("bin/corpulyzer").toString());
      boolean hasLanguage = new Installer(nutch).language(wishes.language) != null;
      out.println("Next, " + (hasLanguage ? "check the installation: " + command + " doctor" + place
          : "choose the language of the crawl, e.g. Urdu: " + command + " install" + place + " --language urd"));
    }
  }

  private static String quoted(String word) {
    return word.matches("[\\w./:=@%+,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
