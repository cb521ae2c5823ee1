package org.corpulyzer.engine;

/**
 * An error that the operator can fix: a wrong setting, a library that does not load, a result that
 * is not a frame.
 */
public class CorpulyzerException extends RuntimeException {

  /**
   * @param message one sentence that names the thing and the fix
   */
  public CorpulyzerException(String message) {
    super(message);
  }

  /**
   * @param message one sentence that names the thing and the fix
   * @param cause the exception that was caught
   */
  public CorpulyzerException(String message, Throwable cause) {
    super(message, cause);
  }
}
