package org.corpulyzer.crawl;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.Paths;

/** An error that the operator can fix: one sentence that names the thing and the fix. */
public final class CrawlException extends Exception {
  /** Exit code of a wrong command line. */
  public static final int USAGE = 2;

  /** Exit code of anything that went wrong later. */
  public static final int FAILED = 1;

  /** Exit code of a crawl that was stopped by Ctrl-C. */
  public static final int STOPPED = 130;

  private final int exitCode;

  private CrawlException(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** The command line is wrong. */
  public static CrawlException usage(String message) {
    return new CrawlException(USAGE, message, null);
  }

  /** The crawl was stopped by its operator. */
  public static CrawlException stopped() {
    return new CrawlException(
        STOPPED, "the crawl was stopped; run the same command to continue", null);
  }

  /** The crawl cannot go on. */
  public static CrawlException failed(String message) {
    return new CrawlException(FAILED, message, null);
  }

  /** The crawl cannot go on, because of something another part reported. */
  public static CrawlException failed(String message, Throwable cause) {
    return new CrawlException(FAILED, message, cause);
  }

  /**
   * Returns why a file or folder cannot be used, in words where the exception has only its class.
   */
  static String reason(Throwable e) {
    if (e instanceof FileAlreadyExistsException || e instanceof NotDirectoryException) {
      return ((FileSystemException) e).getFile() + " is not a folder";
    } else if (e instanceof NoSuchFileException) {
      Path file = Paths.get(((FileSystemException) e).getFile()).toAbsolutePath();
      boolean hasFolder = file.getParent() == null || Files.isDirectory(file.getParent());
      return hasFolder ? "there is no " + file : "there is no folder " + file.getParent();
    } else if (e instanceof AccessDeniedException) {
      return "no permission for " + ((FileSystemException) e).getFile();
    } else if (e instanceof CharacterCodingException) {
      return "it is not text in UTF-8";
    } else if (e instanceof FileSystemException && ((FileSystemException) e).getReason() != null) {
      return ((FileSystemException) e).getReason();
    }
    return e.getClass() == IOException.class && e.getMessage() != null
        ? e.getMessage()
        : e.toString();
  }

  /** Returns the exit code of the process. */
  public int exitCode() {
    return exitCode;
  }
}
