package org.corpulyzer.install;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds where a file of a home really is. A symlink in the home may lead to another place in the
 * home; one that leads out of it is refused, unless it leads into a folder that the operator has
 * named ({@code --follow}).
 */
final class Places {
  /** A file: the tree that it is in, and its path from there, without symlinks. */
  static final class Place {
    final Tree tree;
    final String path;

    private Place(Tree tree, String path) {
      this.tree = tree;
      this.path = path;
    }

    Path full() {
      return tree.root.resolve(path);
    }
  }

  /** The home comes first. */
  private final List<Tree> trees = new ArrayList<>();

  /**
   * @param home the home as the operator wrote it; it may be a symlink
   * @param followed folders outside of the home that symlinks in it may lead to
   */
  Places(Path home, List<Path> followed) throws InstallException, IOException {
    trees.add(new Tree(home));
    for (Path folder : followed) {
      if (!Files.isDirectory(folder)) {
        throw new InstallException(
            "--follow names "
                + folder
                + ", which is not a folder: give the folder that the symlink leads to or into.");
      }
      trees.add(new Tree(folder));
    }
  }

  Tree home() {
    return trees.get(0);
  }

  /**
   * The real place of a file, which need not exist.
   *
   * @param file path from the home, without {@code ..}
   * @param followLast whether a symlink of that name means its target, not itself; in both cases a
   *     symlink out of the home is refused
   */
  Place of(String file, boolean followLast) throws InstallException, IOException {
    Path real = home().root;
    if (real.getFileSystem() != FileSystems.getDefault()) {
      return new Place(home(), file);
    }
    String seen = "";
    String[] names = file.split("/");
    for (int i = 0; i < names.length; i++) {
      seen += (i == 0 ? "" : "/") + names[i];
      Path next = real.resolve(names[i]);
      if (Files.isSymbolicLink(next)) {
        Path to = leadsTo(next, seen);
        next = i == names.length - 1 && !followLast ? next : to;
      }
      real = next;
    }
    Tree tree = treeOf(real);
    if (real.equals(tree.root)) {
      throw new InstallException(
          file
              + " in "
              + home().root
              + " is a symlink to the folder "
              + real
              + ": replace the symlink by a file, then try again.");
    }
    return new Place(tree, tree.root.relativize(real).toString());
  }

  private Path leadsTo(Path link, String name) throws InstallException, IOException {
    Path home = home().root;
    Path to;
    try {
      to = link.toRealPath();
    } catch (IOException e) {
      throw new InstallException(
          name
              + " in "
              + home
              + " is a symlink to "
              + Files.readSymbolicLink(link)
              + ", which cannot be opened: remove the symlink, then try again.");
    }
    if (treeOf(to) == null) {
      Path above = to.getParent();
      String real =
          above != null && Nutch.missing(above).isEmpty()
              ? ", or give the real home: --nutch-home " + above
              : "";
      Path trusted = Files.isDirectory(to) ? to : above;
      throw new InstallException(
          name
              + " is a symlink to "
              + to
              + ", outside of "
              + home
              + ", and nothing was changed: if you trust it, add --follow "
              + trusted
              + real
              + ", or replace the symlink by its target.");
    }
    return to;
  }

  private Tree treeOf(Path real) {
    for (Tree tree : trees) {
      if (real.startsWith(tree.root)) {
        return tree;
      }
    }
    return null;
  }
}
