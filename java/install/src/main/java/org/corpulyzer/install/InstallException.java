package org.corpulyzer.install;

/**
 * An error that the operator can fix. The message is one sentence that names the thing and the fix.
 */
final class InstallException extends Exception {
  InstallException(String sentence) {
    super(sentence);
  }
}
