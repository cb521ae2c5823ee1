package org.corpulyzer.corpus;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Hadoop's local file system for files that only their owner may read. Without its native library,
 * Hadoop starts {@code chmod} or {@code ls} for each file whose mode it sets or reads: 800
 * processes in three small rounds. This class uses Java's methods.
 */
public final class OwnFileSystem extends LocalFileSystem {
  /** Hadoop makes it by reflection. */
  public OwnFileSystem() {
    super(new Raw());
  }

  private static final class Raw extends RawLocalFileSystem {
    private static final FsPermission FILE = new FsPermission((short) 0600);
    private static final FsPermission FOLDER = new FsPermission((short) 0700);
    private static final String OWNER = System.getProperty("user.name");

    @Override
    public void setPermission(Path path, FsPermission asked) throws IOException {
      java.nio.file.Path file = pathToFile(path).toPath();
      Files.setPosixFilePermissions(
          file,
          PosixFilePermissions.fromString(Files.isDirectory(file) ? "rwx------" : "rw-------"));
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
      File file = pathToFile(path);
      try {
        BasicFileAttributes known = Files.readAttributes(file.toPath(), BasicFileAttributes.class);
        boolean isFolder = known.isDirectory();
        return new FileStatus(
            isFolder ? 0 : known.size(),
            isFolder,
            1,
            getDefaultBlockSize(path),
            known.lastModifiedTime().toMillis(),
            known.lastAccessTime().toMillis(),
            isFolder ? FOLDER : FILE,
            OWNER,
            OWNER,
            makeQualified(path));
      } catch (NoSuchFileException e) {
        throw new FileNotFoundException("File " + path + " does not exist");
      }
    }
  }
}
