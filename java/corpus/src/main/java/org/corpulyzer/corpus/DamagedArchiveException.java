package org.corpulyzer.corpus;

import java.io.IOException;

/** The bytes of an archive are damaged, so that the rest of it cannot be read. */
final class DamagedArchiveException extends IOException {

  private static final long serialVersionUID = 1L;

  DamagedArchiveException(String message) {
    super(message);
  }
}
