package org.corpulyzer.corpus;

import org.corpulyzer.engine.CorpulyzerException;

/**
 * A command line that does not read. The message is one sentence; the command prints its usage
 * behind it.
 */
public final class UsageException extends CorpulyzerException {

  public UsageException(String message) {
    super(message);
  }
}
