package org.corpulyzer.install;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * An open folder. Its operations take the name of one entry and never follow a symlink. On Linux
 * they act on the folder's file descriptor ({@link SecureDirectoryStream}): a folder that somebody
 * replaces by a symlink after it was opened has no effect on them.
 */
final class Folder implements Closeable {
  /** Path of the folder when it was opened. */
  final Path path;

  private final DirectoryStream<Path> stream;

  /** Null where the system has no such operations, as inside a zip archive. */
  private final SecureDirectoryStream<Path> secure;

  private Folder(Path path, DirectoryStream<Path> stream) {
    this.path = path;
    this.stream = stream;
    this.secure =
        stream instanceof SecureDirectoryStream ? (SecureDirectoryStream<Path>) stream : null;
  }

  static Folder open(Path path) throws IOException {
    return new Folder(path, Files.newDirectoryStream(path));
  }

  /** Opens a folder in this one. */
  Folder child(String name) throws IOException {
    BasicFileAttributes found = attributes(name);
    if (found == null) {
      throw new NoSuchFileException(path.resolve(name).toString());
    }
    if (!found.isDirectory()) {
      throw new NotDirectoryException(path.resolve(name).toString());
    }
    return new Folder(
        path.resolve(name),
        secure == null
            ? Files.newDirectoryStream(path.resolve(name))
            : secure.newDirectoryStream(entry(name), LinkOption.NOFOLLOW_LINKS));
  }

  /** The names of the entries. */
  List<String> names() {
    List<String> names = new ArrayList<>();
    for (Path entry : stream) {
      names.add(entry.getFileName().toString());
    }
    Collections.sort(names);
    return names;
  }

  /** The attributes of an entry, of a symlink its own; null if there is no such entry. */
  BasicFileAttributes attributes(String name) throws IOException {
    try {
      return view(name, BasicFileAttributeView.class).readAttributes();
    } catch (NoSuchFileException none) {
      return null;
    }
  }

  /** Owner, group and mode of an entry. */
  PosixFileAttributeView posix(String name) {
    return view(name, PosixFileAttributeView.class);
  }

  /** Owner, group and mode of this folder. */
  PosixFileAttributeView posix() {
    return secure == null
        ? Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        : secure.getFileAttributeView(PosixFileAttributeView.class);
  }

  private <V extends FileAttributeView> V view(String name, Class<V> type) {
    return secure == null
        ? Files.getFileAttributeView(path.resolve(name), type, LinkOption.NOFOLLOW_LINKS)
        : secure.getFileAttributeView(entry(name), type, LinkOption.NOFOLLOW_LINKS);
  }

  /** Opens a file to read. */
  InputStream read(String name) throws IOException {
    return Channels.newInputStream(channel(name, StandardOpenOption.READ));
  }

  /** Creates a file that is not there yet, on the disk when this returns if {@code durable}. */
  void create(String name, InputStream content, boolean durable) throws IOException {
    try (SeekableByteChannel out =
        channel(name, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
      byte[] buffer = new byte[1 << 16];
      for (int length = content.read(buffer); length >= 0; length = content.read(buffer)) {
        ByteBuffer rest = ByteBuffer.wrap(buffer, 0, length);
        while (rest.hasRemaining()) {
          out.write(rest);
        }
      }
      if (durable && out instanceof FileChannel) {
        ((FileChannel) out).force(true);
      }
    }
  }

  private SeekableByteChannel channel(String name, OpenOption... how) throws IOException {
    Set<OpenOption> options = new HashSet<>();
    Collections.addAll(options, how);
    if (path.getFileSystem() == FileSystems.getDefault()) {
      // A zip archive has no symlinks, and no such option.
      options.add(LinkOption.NOFOLLOW_LINKS);
    }
    return secure == null
        ? Files.newByteChannel(path.resolve(name), options)
        : secure.newByteChannel(entry(name), options);
  }

  /** Deletes a file, or a symlink itself; nothing if there is no such entry. */
  void delete(String name) throws IOException {
    BasicFileAttributes found = attributes(name);
    if (found != null && found.isDirectory()) {
      throw new FileSystemException(
          path.resolve(name).toString(), null, "a folder where a file was");
    }
    if (found != null && secure != null) {
      secure.deleteFile(entry(name));
    } else if (found != null) {
      Files.deleteIfExists(path.resolve(name));
    }
  }

  /** Deletes an empty folder. */
  void deleteFolder(String name) throws IOException {
    if (secure != null) {
      secure.deleteDirectory(entry(name));
    } else {
      Files.delete(path.resolve(name));
    }
  }

  /**
   * Moves a file into another folder in one step. A file or symlink of that name there is replaced.
   */
  void move(String name, Folder to) throws IOException {
    if (secure != null && to.secure != null) {
      secure.move(entry(name), to.secure, entry(name));
    } else {
      Files.move(
          path.resolve(name),
          to.path.resolve(name),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private Path entry(String name) {
    return path.getFileSystem().getPath(name);
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
