package org.corpulyzer.install;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A folder with all that lies below it, as root may have to change it in a home that belongs to
 * somebody else. Each operation starts at the root folder and opens one folder after the other
 * without following a symlink. So no file outside is read, written, deleted or given another owner,
 * even if a folder becomes a symlink meanwhile. Java creates folders by path alone: in such a
 * moment an empty folder may be created outside, and the operation fails.
 *
 * <p>New files are written into a folder that nobody else may enter (mode 0700, a random name)
 * beside their place, get owner and mode there, and are then moved into their place in one step. So
 * the owner of the home cannot replace a file before its owner changes.
 */
final class Tree {
  /** The folders of {@link #stage}; one that is left over is from a run that was interrupted. */
  private static final Pattern STAGING = Pattern.compile("\\.corpulyzer-[0-9a-f]{32}");

  private static final SecureRandom RANDOM = new SecureRandom();

  /** A real path. */
  final Path root;

  private final Object key;
  private final String staging;
  private final Set<String> staged = new LinkedHashSet<>();

  /**
   * @param root the folder; symlinks on the way to it are followed, now and never again
   */
  Tree(Path root) throws IOException {
    boolean isOnDisk = root.getFileSystem() == FileSystems.getDefault();
    this.root = isOnDisk ? root.toRealPath() : root;
    this.key = isOnDisk ? key(this.root) : null;
    byte[] bits = new byte[16];
    RANDOM.nextBytes(bits);
    StringBuilder name = new StringBuilder(".corpulyzer-");
    for (byte b : bits) {
      name.append(String.format("%02x", b));
    }
    this.staging = name.toString();
  }

  /** Device and inode. */
  private static Object key(Path folder) throws IOException {
    return Files.readAttributes(folder, BasicFileAttributes.class).fileKey();
  }

  private interface Action<T> {
    T in(Folder folder, String name) throws IOException;
  }

  /** As {@link #at}; null if the file or its folder is missing. */
  private <T> T atIfThere(String file, Action<T> action) throws IOException {
    try {
      return at(file, action);
    } catch (NoSuchFileException | NotDirectoryException none) {
      return null;
    }
  }

  /** Opens the folder of a file and acts on the file's name in it. */
  private <T> T at(String file, Action<T> action) throws IOException {
    List<String> names = names(file);
    List<Folder> open = new ArrayList<>();
    try {
      open.add(Folder.open(root));
      if (key != null && !key.equals(open.get(0).posix().readAttributes().fileKey())) {
        throw new FileSystemException(
            root.toString(), null, "replaced by another folder meanwhile");
      }
      for (String name : names.subList(0, names.size() - 1)) {
        open.add(open.get(open.size() - 1).child(name));
      }
      return action.in(open.get(open.size() - 1), names.get(names.size() - 1));
    } catch (FileAlreadyExistsException
        | NoSuchFileException
        | NotDirectoryException
        | DirectoryNotEmptyException e) {
      throw e;
    } catch (FileSystemException e) {
      // Operations on descriptors know the last name alone.
      FileSystemException named =
          new FileSystemException(
              root.resolve(file).toString(),
              null,
              e.getReason() == null ? e.getClass().getSimpleName() : e.getReason());
      named.initCause(e);
      throw named;
    } finally {
      for (int i = open.size() - 1; i >= 0; i--) {
        open.get(i).close();
      }
    }
  }

  private static List<String> names(String file) {
    List<String> names = new ArrayList<>();
    for (String name : file.split("/")) {
      if (name.isEmpty() || name.equals(".") || name.equals("..")) {
        throw new IllegalArgumentException(file);
      }
      names.add(name);
    }
    return names;
  }

  /** The bytes of a file; null if there is none. */
  byte[] read(String file) throws InstallException, IOException {
    BasicFileAttributes found = atIfThere(file, Folder::attributes);
    if (found == null) {
      return null;
    }
    requireRegular(file, found);
    return at(
        file,
        (folder, name) -> {
          try (InputStream in = folder.read(name)) {
            return Streams.readAll(in, Streams.LARGEST);
          }
        });
  }

  /** Copies a file to a folder that other users cannot enter. */
  void copy(String file, Path to) throws InstallException, IOException {
    BasicFileAttributes found = at(file, Folder::attributes);
    if (found == null) {
      throw new NoSuchFileException(root.resolve(file).toString());
    }
    requireRegular(file, found);
    at(
        file,
        (folder, name) -> {
          try (InputStream in = folder.read(name)) {
            return Files.copy(in, to);
          }
        });
  }

  /** Opening a named pipe would wait forever. */
  private void requireRegular(String file, BasicFileAttributes found) throws InstallException {
    if (!found.isRegularFile()) {
      throw new InstallException(
          root.resolve(file)
              + " is "
              + (found.isDirectory() ? "a folder" : "not a regular file")
              + " where a file must be: move it away, then try again.");
    }
  }

  /** The names of the folders that interrupted runs left in the folder of a file. */
  List<String> leftovers(String file) throws IOException {
    List<String> found = new ArrayList<>();
    atIfThere(
        file,
        (folder, name) -> {
          for (String entry : folder.names()) {
            if (STAGING.matcher(entry).matches() && folder.attributes(entry).isDirectory()) {
              found.add(entry);
            }
          }
          return null;
        });
    return found;
  }

  /**
   * Writes a file beside its place, with the owner, group and mode that it will have. Missing
   * folders are created.
   */
  void stage(String file, byte[] content, boolean executable) throws IOException {
    stage(file, new ByteArrayInputStream(content), executable, false);
  }

  /**
   * As {@link #stage(String, byte[], boolean)}; the content is on the disk when this returns if
   * {@code durable}.
   */
  void stage(String file, InputStream content, boolean executable, boolean durable)
      throws IOException {
    createFolders(file);
    at(
        file,
        (folder, name) -> {
          if (key == null) {
            // Inside an archive that is a copy of our own.
            folder.delete(name);
            folder.create(name, content, durable);
            return null;
          }
          if (folder.attributes(staging) == null) {
            Files.createDirectory(
                folder.path.resolve(staging),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            staged.add(file);
          }
          try (Folder mine = folder.child(staging)) {
            mine.create(name, content, durable);
            requireOwn(mine, name);
            takeAttributes(
                mine.posix(name),
                folder.attributes(name) == null ? null : folder.posix(name),
                folder.posix(),
                executable);
          }
          return null;
        });
  }

  /**
   * Fails if other users can enter the folder: it then is not the one that was created, but one
   * that replaced it.
   */
  private static void requireOwn(Folder mine, String created) throws IOException {
    PosixFileAttributes found = mine.posix().readAttributes();
    Set<PosixFilePermission> others = found.permissions();
    others.removeAll(PosixFilePermissions.fromString("rwx------"));
    if (!others.isEmpty() || !found.owner().equals(mine.posix(created).readAttributes().owner())) {
      throw new FileSystemException(
          mine.path.toString(), null, "replaced by another folder meanwhile");
    }
  }

  private void createFolders(String file) throws IOException {
    List<String> names = names(file);
    for (int i = 1; i < names.size(); i++) {
      String folder = String.join("/", names.subList(0, i));
      at(
          folder,
          (parent, name) -> {
            if (parent.attributes(name) == null) {
              Files.createDirectory(parent.path.resolve(name));
            }
            return null;
          });
    }
  }

  /** Puts a file that was staged into its place. */
  void place(String file) throws IOException {
    if (key != null) {
      at(
          file,
          (folder, name) -> {
            try (Folder mine = folder.child(staging)) {
              mine.move(name, folder);
            }
            return null;
          });
    }
  }

  /** Deletes a file, or a symlink itself; nothing if there is none. */
  void delete(String file) throws IOException {
    atIfThere(
        file,
        (folder, name) -> {
          folder.delete(name);
          return null;
        });
  }

  /** Deletes a folder if it is there and empty. */
  void deleteEmpty(String folder) throws IOException {
    try {
      atIfThere(
          folder,
          (parent, name) -> {
            BasicFileAttributes found = parent.attributes(name);
            if (found != null && found.isDirectory()) {
              parent.deleteFolder(name);
            }
            return null;
          });
    } catch (DirectoryNotEmptyException stillInUse) {
      // The remaining files are in use or belong to the operator.
    }
  }

  /** Deletes staged files that were not put in place. */
  void unstage() throws IOException {
    for (String file : staged) {
      atIfThere(
          file,
          (folder, name) -> {
            deleteStaging(folder, staging);
            return null;
          });
    }
    staged.clear();
  }

  /** Deletes a folder that an interrupted run left, with the files in it. */
  void deleteStaging(String leftover) throws IOException {
    atIfThere(
        leftover,
        (folder, name) -> {
          deleteStaging(folder, name);
          return null;
        });
  }

  private static void deleteStaging(Folder folder, String name) throws IOException {
    BasicFileAttributes found = folder.attributes(name);
    if (found == null || !found.isDirectory()) {
      return;
    }
    try (Folder mine = folder.child(name)) {
      for (String file : mine.names()) {
        mine.delete(file);
      }
    }
    folder.deleteFolder(name);
  }

  /**
   * Owner, group and mode of the file that is replaced; a new file gets owner and group of its
   * folder.
   */
  private static void takeAttributes(
      PosixFileAttributeView fresh,
      PosixFileAttributeView replaced,
      PosixFileAttributeView folder,
      boolean executable)
      throws IOException {
    PosixFileAttributes model = (replaced == null ? folder : replaced).readAttributes();
    boolean isNew = replaced == null || !model.isRegularFile();
    if (!isNew) {
      fresh.setPermissions(model.permissions());
    } else if (executable) {
      fresh.setPermissions(PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    try {
      PosixFileAttributes now = fresh.readAttributes();
      if (!now.group().equals(model.group())) {
        fresh.setGroup(model.group());
      }
      if (!now.owner().equals(model.owner())) {
        fresh.setOwner(model.owner());
      }
    } catch (FileSystemException notAllowed) {
      // Only root may give files away; for anybody else the file stays theirs.
    }
  }
}
