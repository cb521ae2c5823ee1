package org.corpulyzer.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** All changes to a Nutch, known before the first byte is written. */
final class Plan {
  /** Path to new content, null to delete. In the order of application. */
  private final Map<String, byte[]> changes = new LinkedHashMap<>();

  /** The real path of each changed file. */
  private final Map<String, Places.Place> places = new LinkedHashMap<>();

  /** Folders that an interrupted run left. */
  private final List<Places.Place> leftovers = new ArrayList<>();

  private final Nutch nutch;

  /** The list of files that is there now; null if there is none. */
  private byte[] listed;

  private final StringBuilder report = new StringBuilder();

  Plan(Nutch nutch) {
    this.nutch = nutch;
  }

  /** Plans a file's new content (null: no file); no change if it is so already. */
  void put(String file, byte[] content) throws InstallException, IOException {
    byte[] before = nutch.read(file);
    if (Arrays.equals(before, content)) {
      return;
    }
    changes.put(file, content);
    // Of a symlink that leads to a file of ours, the symlink itself is deleted.
    places.put(file, nutch.find(file, content != null));
    if (file.equals(Distribution.SUMS)) {
      listed = before;
    }
    report
        .append(before == null ? "new      " : content == null ? "removed  " : "changed  ")
        .append(file)
        .append('\n');
    if (file.endsWith("nutch-site.xml") || file.equals(NutchScript.PLACE)) {
      report.append(UnifiedDiff.of(file, text(before), text(content)));
    }
  }

  /** Plans to delete a folder that an interrupted run left, with the files in it. */
  void clear(String folder) throws InstallException, IOException {
    leftovers.add(nutch.find(folder, false));
    report.append("removed  ").append(folder).append('\n');
  }

  boolean isEmpty() {
    return changes.isEmpty() && leftovers.isEmpty();
  }

  /** One line a file, with the difference of nutch-site.xml. */
  String report() {
    return report.toString();
  }

  private static String text(byte[] content) {
    return content == null ? "" : new String(content, StandardCharsets.UTF_8);
  }

  /** Fails unless every change can be made, so that no installation is left half done. */
  void requireWritable() throws InstallException, IOException {
    List<Path> folders = new ArrayList<>();
    places.values().forEach(place -> folders.add(place.full().getParent()));
    leftovers.forEach(leftover -> folders.add(leftover.full()));
    for (Path needed : folders) {
      Path folder = needed;
      while (!Files.exists(folder)) {
        folder = folder.getParent();
      }
      if (!Files.isDirectory(folder)) {
        throw new InstallException(
            folder + " is a file where a folder must be: move it away, then try again.");
      }
      if (!Files.isWritable(folder)) {
        String owner = Files.getOwner(folder).getName();
        String user = System.getProperty("user.name");
        throw new InstallException(
            folder
                + " is not writable for "
                + user
                + (owner.equals(user)
                    ? ": make it so, then try again."
                    : ": it belongs to " + owner + ", so run this as " + owner + "."));
      }
    }
  }

  /** One operation on one file. */
  interface Step {
    void run() throws IOException;
  }

  /**
   * Writes everything beside its place first, then moves it there. Meanwhile the list of our files
   * has the old and the new ones, so that after an interruption at any step our files are known.
   *
   * @return number of steps that can fail without anything having changed
   */
  private int steps(List<Step> steps) throws InstallException {
    List<Step> last = new ArrayList<>();
    List<Step> moves = new ArrayList<>();
    List<Step> deletions = new ArrayList<>();
    List<Step> journal = new ArrayList<>();
    for (Map.Entry<String, byte[]> change : changes.entrySet()) {
      String file = change.getKey();
      byte[] content = change.getValue();
      Tree tree = places.get(file).tree;
      String path = places.get(file).path;
      if (file.equals(Distribution.SUMS)) {
        if (content != null) {
          byte[] both = Distribution.join(content, listed);
          journal.add(() -> tree.stage(path, both, false));
          journal.add(() -> tree.place(path));
          last.add(() -> tree.stage(path, content, false));
          last.add(() -> tree.place(path));
        } else {
          last.add(() -> tree.delete(path));
        }
      } else if (content != null) {
        steps.add(() -> tree.stage(path, content, file.startsWith("bin/")));
        moves.add(() -> tree.place(path));
      } else {
        deletions.add(() -> tree.delete(path));
      }
    }
    for (Places.Place leftover : leftovers) {
      deletions.add(() -> leftover.tree.deleteStaging(leftover.path));
    }
    int harmless = steps.size();
    steps.addAll(journal);
    steps.addAll(moves);
    steps.addAll(deletions);
    steps.addAll(last);
    return harmless;
  }

  /** The steps of {@link #apply}. */
  List<Step> steps() throws InstallException {
    List<Step> steps = new ArrayList<>();
    steps(steps);
    return steps;
  }

  /**
   * Makes the changes. Deletes the temporary files at the end, also after a failure.
   *
   * @throws IOException when nothing was changed
   * @throws InstallException when it stopped between two changes
   */
  void apply() throws InstallException, IOException {
    List<Step> steps = new ArrayList<>();
    int harmless = steps(steps);
    int done = 0;
    try {
      for (Step step : steps) {
        step.run();
        done++;
      }
    } catch (IOException e) {
      if (done <= harmless) {
        throw e;
      }
      throw new InstallException(
          "Stopped before the end ("
              + e
              + "): fix that, then run the same command again to finish it.");
    } finally {
      for (Places.Place place : places.values()) {
        place.tree.unstage();
      }
      deleteEmpty(nutch.place("plugins/corpulyzer"));
      deleteEmpty("corpulyzer");
      deleteLineFolders();
    }
  }

  /**
   * Deletes the folders of a {@link Line}, which lie in a home that the zip was unpacked over, from
   * the deepest up.
   */
  private void deleteLineFolders() throws InstallException, IOException {
    Set<String> folders = new TreeSet<>(Comparator.reverseOrder());
    for (String file : changes.keySet()) {
      if (Arrays.stream(Line.values()).anyMatch(line -> file.startsWith(line.tree))) {
        for (int end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
          folders.add(file.substring(0, end));
        }
      }
    }
    for (String folder : folders) {
      deleteEmpty(folder);
    }
  }

  private void deleteEmpty(String folder) throws InstallException, IOException {
    Places.Place place = nutch.find(folder, false);
    place.tree.deleteEmpty(place.path);
  }
}
