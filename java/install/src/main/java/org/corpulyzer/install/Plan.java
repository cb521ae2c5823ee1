package org.corpulyzer.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is to change in a Nutch, known in full before the first byte is written. */
final class Plan {
  /** What stands behind the name of a file that is not in its place yet. */
  static final String STAGED = ".corpulyzer-new";

  /** Path to new content, null to delete. In the order of application. */
  private final Map<String, byte[]> changes = new LinkedHashMap<>();
  private final Nutch nutch;
  /** The list of files that is there now; null if there is none. */
  private byte[] listed;
  private final StringBuilder report = new StringBuilder();

  Plan(Nutch nutch) {
    this.nutch = nutch;
  }

  /** Plans a file's new content (null: no file); no change if it is so already. */
  void put(String file, byte[] content) throws IOException {
    byte[] before = nutch.read(file);
    if (Arrays.equals(before, content)) {
      return;
    }
    changes.put(file, content);
    if (file.equals(Distribution.SUMS)) {
      listed = before;
    }
    report.append(before == null ? "new      " : content == null ? "removed  " : "changed  ").append(file).append('\n');
    if (file.endsWith("nutch-site.xml") || file.equals(NutchScript.PLACE)) {
      report.append(UnifiedDiff.of(file, text(before), text(content)));
    }
  }

  boolean isEmpty() {
    return changes.isEmpty();
  }

  /** One line a file, with the difference of nutch-site.xml. */
  String report() {
    return report.toString();
  }

  private static String text(byte[] content) {
    return content == null ? "" : new String(content, StandardCharsets.UTF_8);
  }

  /** Refuses unless every change can be made, so that nothing is left half-done. */
  void requireWritable() throws InstallException, IOException {
    for (String file : changes.keySet()) {
      Path folder = target(nutch.root, file).getParent();
      while (!Files.exists(folder)) {
        folder = folder.getParent();
      }
      if (!Files.isDirectory(folder)) {
        throw new InstallException(folder + " is a file where a folder must be: move it away, then try again.");
      }
      if (!Files.isWritable(folder)) {
        String owner = Files.getOwner(folder).getName();
        String user = System.getProperty("user.name");
        throw new InstallException(folder + " is not writable for " + user
            + (owner.equals(user) ? ": make it so, then try again." : ": it belongs to " + owner + ", so run this as " + owner + "."));
      }
    }
  }

  /** One operation on one file. */
  interface Step {
    void run() throws IOException;
  }

  /**
   * Everything is written beside its place first, then renamed. The list of our files names the old and the new ones meanwhile, so that
   * whoever comes after an interruption at any step knows what is ours.
   *
   * @return number of steps that can fail without anything having changed
   */
  private int steps(Path root, List<Step> steps) throws IOException {
    List<Step> last = new ArrayList<>();
    List<Step> moves = new ArrayList<>();
    List<Step> deletions = new ArrayList<>();
    List<Step> journal = new ArrayList<>();
    for (Map.Entry<String, byte[]> change : changes.entrySet()) {
      String file = change.getKey();
      byte[] content = change.getValue();
      Path target = target(root, file);
      if (file.equals(Distribution.SUMS)) {
        if (content != null) {
          byte[] both = Distribution.join(content, listed);
          journal.add(() -> write(target, both, false));
          journal.add(() -> move(target));
          last.add(() -> write(target, content, false));
          last.add(() -> move(target));
        } else {
          last.add(() -> Files.deleteIfExists(target));
        }
      } else if (content != null) {
        steps.add(() -> write(target, content, file.startsWith("bin/")));
        moves.add(() -> move(target));
      } else {
        deletions.add(() -> Files.deleteIfExists(target));
      }
    }
    int harmless = steps.size();
    steps.addAll(journal);
    steps.addAll(moves);
    steps.addAll(deletions);
    steps.addAll(last);
    return harmless;
  }

  /** What {@link #apply} does, one step at a time. */
  List<Step> steps(Path root) throws IOException {
    List<Step> steps = new ArrayList<>();
    steps(root, steps);
    return steps;
  }

  /**
   * Makes the changes, and takes away what is left of them when they cannot be made.
   *
   * @throws IOException when nothing was changed
   * @throws InstallException when it broke off in between
   */
  void apply(Path root) throws InstallException, IOException {
    List<Step> steps = new ArrayList<>();
    int harmless = steps(root, steps);
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
      throw new InstallException("Broke off in the middle (" + e + "): mend that, then run the same command again to finish it.");
    } finally {
      for (String file : changes.keySet()) {
        Path staged = staged(target(root, file));
        if (Files.isRegularFile(staged)) {
          Files.delete(staged);
        }
      }
      removeEmpty(root.resolve(nutch.place("plugins/corpulyzer")));
      removeEmpty(root.resolve("corpulyzer"));
      for (Line line : Line.values()) {
        if (changes.keySet().stream().anyMatch(file -> file.startsWith(line.tree))) {
          removeTree(root.resolve(line.tree));
        }
      }
    }
  }

  /** Removes the folders of a {@link Line}, which lie in a home that the zip was unpacked over. */
  private static void removeTree(Path tree) throws IOException {
    if (Files.isDirectory(tree)) {
      List<Path> folders;
      try (Stream<Path> below = Files.walk(tree)) {
        folders = below.filter(Files::isDirectory).sorted(Comparator.reverseOrder()).collect(Collectors.toList());
      }
      for (Path folder : folders) {
        removeEmpty(folder);
      }
    }
  }

  private static void removeEmpty(Path folder) throws IOException {
    try {
      Files.deleteIfExists(folder);
    } catch (DirectoryNotEmptyException stillInUse) {
      // What is left in it is in use or the operator's.
    }
  }

  private static void write(Path target, byte[] content, boolean executable) throws IOException {
    Files.createDirectories(target.getParent());
    Files.write(staged(target), content);
    takeAttributes(staged(target), target, executable);
  }

  private static void move(Path target) throws IOException {
    Files.move(staged(target), target, StandardCopyOption.REPLACE_EXISTING);
  }

  private static Path staged(Path target) {
    return target.resolveSibling(target.getFileName() + STAGED);
  }

  /** A linked file is changed where it really is. */
  private static Path target(Path root, String file) throws IOException {
    Path path = root.resolve(file);
    return Files.isSymbolicLink(path) ? path.toRealPath() : path;
  }

  /** Owner, group and mode of the file that is replaced; a new file belongs to whom its folder belongs. */
  static void takeAttributes(Path fresh, Path replaced, boolean executable) throws IOException {
    if (fresh.getFileSystem() != FileSystems.getDefault()) {
      return;
    }
    boolean isNew = !Files.exists(replaced);
    PosixFileAttributes model = Files.readAttributes(isNew ? replaced.toAbsolutePath().getParent() : replaced, PosixFileAttributes.class);
    PosixFileAttributeView view = Files.getFileAttributeView(fresh, PosixFileAttributeView.class);
    if (!isNew) {
      view.setPermissions(model.permissions());
    } else if (executable) {
      view.setPermissions(PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    try {
      if (!view.readAttributes().owner().equals(model.owner())) {
        view.setOwner(model.owner());
      }
      if (!view.readAttributes().group().equals(model.group())) {
        view.setGroup(model.group());
      }
    } catch (FileSystemException notAllowed) {
      // Only root may give files away; for anybody else the file stays theirs.
    }
  }
}
