package org.corpulyzer.engine;

import java.io.IOException;

/** Compressed data is damaged or cut. */
public final class DamagedDataException extends IOException {

  private static final long serialVersionUID = 1;

  DamagedDataException(String message) {
    super(message);
  }
}
