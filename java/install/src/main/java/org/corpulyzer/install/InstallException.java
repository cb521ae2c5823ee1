package org.corpulyzer.install;

/** Something the operator has to mend. The message is one sentence that names the thing and the mend. */
final class InstallException extends Exception {
  InstallException(String sentence) {
    super(sentence);
  }
}
