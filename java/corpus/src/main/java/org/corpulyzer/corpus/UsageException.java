package org.corpulyzer.corpus;

import org.corpulyzer.engine.CorpulyzerException;

/**
 * A command line that does not read. The message is one sentence; the command prints its usage
 * behind it.
 */
public final class UsageException extends CorpulyzerException {
  /** Exit code of a wrong command line, in every command. */
  public static final int EXIT_CODE = 2;

  public UsageException(String message) {
    super(message);
  }

  /**
   * Prints the sentence and the usage.
   *
   * @return the exit code
   */
  public int print(String command, String usage) {
    System.err.println(command + ": " + getMessage() + "\n" + usage);
    return EXIT_CODE;
  }
}
