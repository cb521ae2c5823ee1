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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** What is to change in a Nutch, known in full before the first byte is written. */
final class Plan {
  private static final String STAGED = ".corpulyzer-new";

  /** Path to new content, null to delete. In the order of application. */
  private final Map<String, byte[]> changes = new LinkedHashMap<>();
  private final Nutch nutch;
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
    report.append(before == null ? "new      " : content == null ? "removed  " : "changed  ").append(file).append('\n');
    if (file.endsWith("nutch-site.xml")) {
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

  /** Writes everything beside its place first, then renames. */
  void apply(Path root) throws IOException {
    try {
      replace(root);
      for (Map.Entry<String, byte[]> change : changes.entrySet()) {
        if (change.getValue() == null) {
          Files.deleteIfExists(target(root, change.getKey()));
        }
      }
    } finally {
      for (String folder : new String[] {nutch.place("plugins/corpulyzer"), "corpulyzer"}) {
        try {
          Files.deleteIfExists(root.resolve(folder));
        } catch (DirectoryNotEmptyException stillInUse) {
          // What is left in it is in use or the operator's.
        }
      }
    }
  }

  private void replace(Path root) throws IOException {
    Map<Path, Path> staged = new LinkedHashMap<>();
    try {
      for (Map.Entry<String, byte[]> change : changes.entrySet()) {
        if (change.getValue() != null) {
          Path target = target(root, change.getKey());
          Path fresh = target.resolveSibling(target.getFileName() + STAGED);
          Files.createDirectories(target.getParent());
          staged.put(fresh, target);
          Files.write(fresh, change.getValue());
          takeAttributes(fresh, target, change.getKey().startsWith("bin/"));
        }
      }
      for (Map.Entry<Path, Path> file : staged.entrySet()) {
        Files.move(file.getKey(), file.getValue(), StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      for (Path fresh : staged.keySet()) {
        Files.deleteIfExists(fresh);
      }
    }
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
