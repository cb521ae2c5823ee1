package org.corpulyzer.engine;

/** Something that the operator has to mend: a wrong setting, a library that does not load, an answer that is no frame. */
public class CorpulyzerException extends RuntimeException {

  /** @param message one sentence that names the thing and the mend */
  public CorpulyzerException(String message) {
    super(message);
  }

  /**
   * @param message one sentence that names the thing and the mend
   * @param cause what was caught
   */
  public CorpulyzerException(String message, Throwable cause) {
    super(message, cause);
  }
}
