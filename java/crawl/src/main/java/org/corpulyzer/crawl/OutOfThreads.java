package org.corpulyzer.crawl;

import java.io.IOException;

/**
 * The machine gives this process no more threads. That says nothing about the page that needed one,
 * so a phase ends without a result for the page, and the same command goes on from there.
 */
final class OutOfThreads extends IOException {
  private static final long serialVersionUID = 1L;

  private OutOfThreads(Throwable cause) {
    super("the machine has no memory for another thread", cause);
  }

  /** Throws one if that is the reason of an error; errors of a page's own size are not. */
  static void throwIfReasonOf(Throwable error) throws OutOfThreads {
    for (Throwable reason = error; reason != null; reason = reason.getCause()) {
      if (reason instanceof OutOfMemoryError
          && String.valueOf(reason.getMessage()).startsWith("unable to create native thread")) {
        throw new OutOfThreads(error);
      }
    }
  }
}
