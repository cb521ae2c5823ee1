package org.corpulyzer.engine;

/**
 * The native methods. They take bytes and return the bytes of a {@link Frame}. None throws an
 * exception; an error is a status in the result. Use {@link Engine}, which loads the library first.
 */
final class Native {

  private Native() {}

  /**
   * @return a frame with the library's version and the record version of its default extractor
   */
  static native byte[] version();

  /**
   * @param hasPacks 1 if packs may have the models of the languages, otherwise 0
   * @param names UTF-8 codes, tags or names of languages with commas between
   * @return a frame with their codes in {@link Tag#TARGET}
   */
  static native byte[] languages(int hasPacks, byte[] names);

  /**
   * @param settingsJson UTF-8 JSON, see {@link Settings#toJson()}
   * @return a frame with the engine's id, which lives as long as the library
   */
  static native byte[] configure(byte[] settingsJson);

  /**
   * @param engine id from {@link #configure}
   * @param content the page as it came, or UTF-8 text when the hints say kind {@code text}
   * @param hints frame of page hints
   * @return a frame with the page's record
   */
  static native byte[] page(int engine, byte[] content, byte[] hints);

  /**
   * @param engine id from {@link #configure}
   * @param content as for {@link #page}
   * @param hints frame of page hints
   * @return a frame that has whether the first look rules the page out
   */
  static native byte[] look(int engine, byte[] content, byte[] hints);

  /**
   * @param fields frame of what a crawl's store has of a page
   * @return a frame with the page as a document of a corpus
   */
  static native byte[] document(byte[] fields);

  /**
   * @param engine id from {@link #configure}
   * @param totals frame of packed host totals
   * @return a frame of packed host scores, in the same order
   */
  static native byte[] scores(int engine, byte[] totals);

  /**
   * @param engine id from {@link #configure}
   * @param options frame with folder, memory and whether words are read
   * @return a frame with the id of new sums over pages
   */
  static native byte[] corpus(int engine, byte[] options);

  /**
   * @param corpus id from {@link #corpus}
   * @param row frame of the data of a fetched page in the web table
   * @return a frame
   */
  static native byte[] corpusAdd(int corpus, byte[] row);

  /**
   * @param corpus id from {@link #corpus}
   * @param part a part that {@link #corpusParts} wrote
   * @return a frame
   */
  static native byte[] corpusAbsorb(int corpus, byte[] part);

  /**
   * Ends the sums.
   *
   * @param corpus id from {@link #corpus}
   * @param options frame with the file for the parts, each behind its length of four bytes
   * @return a frame
   */
  static native byte[] corpusParts(int corpus, byte[] options);

  /**
   * Ends the sums.
   *
   * @param corpus id from {@link #corpus}
   * @param options frame with the folder for the report's files, and the corpus's name
   * @return a frame
   */
  static native byte[] corpusReport(int corpus, byte[] options);

  /**
   * Ends the sums. Does nothing if they have ended already.
   *
   * @param corpus id from {@link #corpus}
   * @return a frame
   */
  static native byte[] corpusClose(int corpus);

  /**
   * Begins an archive.
   *
   * @param options frame with its name in messages, the longest record that is read, and for JSON
   *     lines the rule by which pages are near duplicates
   * @return a frame with its id
   */
  static native byte[] archive(byte[] options);

  /**
   * @param archive id from {@link #archive}
   * @param piece the next bytes of the file if the step before was {@code hungry}; empty at its end
   * @return a frame with {@link Tag#STEP}, and the record
   */
  static native byte[] archiveNext(int archive, byte[] piece);

  /**
   * Ends an archive. Does nothing if it has ended already.
   *
   * @param archive id from {@link #archive}
   * @return a frame
   */
  static native byte[] archiveClose(int archive);

  /**
   * @param fields frame with the line of a page, and the number and size of its cluster
   * @return a frame with the line with both fields
   */
  static native byte[] mark(byte[] fields);

  /**
   * Opens a steering of policy pages.
   *
   * @param engine an id that {@link #configure} returned
   * @param options a frame with {@link Tag#STEERING_STATE}, if there is a state
   * @return a frame with {@link Tag#STEERING_ID}
   */
  static native byte[] steering(int engine, byte[] options);

  /**
   * Adds rows to the sums of their hosts.
   *
   * @param rows packed one after the other
   * @return a frame without data
   */
  static native byte[] steeringAdd(int steering, byte[] rows);

  /**
   * Learns from the rows that were added, and begins a round.
   *
   * @param limits a frame with {@link Tag#ROUND_LIMITS}
   * @return a frame without data
   */
  static native byte[] steeringBegin(int steering, byte[] limits);

  /**
   * Considers rows for the round.
   *
   * @param rows packed one after the other
   * @return a frame with {@link Tag#PREDICTIONS}
   */
  static native byte[] steeringConsider(int steering, byte[] rows);

  /**
   * @return a frame with {@link Tag#CHOSEN} and {@link Tag#STEERING_STATE}
   */
  static native byte[] steeringChoose(int steering);

  /**
   * @param rows packed one after the other
   * @return a frame with {@link Tag#PREDICTIONS}
   */
  static native byte[] steeringPredict(int steering, byte[] rows);

  /**
   * @param row packed
   * @return a frame with {@link Tag#SECTIONS}
   */
  static native byte[] steeringSections(int steering, byte[] row);

  /**
   * Takes in the results of rows.
   *
   * @param rows packed one after the other
   * @return a frame with {@link Tag#REVIEW} and {@link Tag#STEERING_STATE}
   */
  static native byte[] steeringReview(int steering, byte[] rows);

  /** Closes a steering if it is still open. */
  static native byte[] steeringClose(int steering);

  /**
   * @param what {@code panic} panics behind the guard; {@code echo:TEXT} returns TEXT as the
   *     message
   * @return a frame
   */
  static native byte[] probe(byte[] what);
}
