package org.corpulyzer.install;

/**
 * An error that the operator can fix. The message is one sentence that names the thing and the fix.
 */
final class InstallException extends Exception {
  private final int exitCode;

  InstallException(String sentence) {
    this(sentence, 1);
  }

  private InstallException(String sentence, int exitCode) {
    super(sentence);
    this.exitCode = exitCode;
  }

  /** An option has a value that is not allowed. */
  static InstallException badValue(String sentence) {
    return new InstallException(sentence, Main.USAGE_ERROR);
  }

  /** Exit code of the process. */
  int exitCode() {
    return exitCode;
  }
}
