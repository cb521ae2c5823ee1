package org.corpulyzer.corpus;

import java.io.IOException;

/** An input that cannot be read. The message is one sentence that names it. */
public final class UnreadableException extends IOException {

  public UnreadableException(String message, Throwable cause) {
    super(message, cause);
  }
}
