package org.corpulyzer.corpus;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** What is damaged in the files that a job reads: its tasks write notes for the command. */
final class DamageNotes {

  private static final String FOLDER = "crp.archive.damaged";

  /** Damaged files that are named. */
  private static final int MAX_NAMED = 20;

  private DamageNotes() {}

  /** Names the folder of the notes, before the job is submitted. */
  static void noteIn(Configuration conf, Path folder) {
    conf.set(FOLDER, folder.toString());
  }

  /** Notes what is damaged in a file. */
  static void note(Configuration conf, ArchiveInput.Split file, String what) throws IOException {
    Path note = new Path(conf.get(FOLDER), Long.toString(file.number()));
    try (DataOutputStream out = note.getFileSystem(conf).create(note, true)) {
      out.writeUTF(what);
    }
  }

  /**
   * @param command that prints them
   * @return a sentence for each of the first damaged files, and what to do; none if no file is
   *     damaged
   */
  static List<String> sentences(Configuration conf, String command) throws IOException {
    Path folder = new Path(conf.get(FOLDER));
    FileSystem files = folder.getFileSystem(conf);
    List<String> sentences = new ArrayList<>();
    if (!files.exists(folder)) {
      return sentences;
    }
    FileStatus[] notes = files.listStatus(folder);
    for (int i = 0; i < Math.min(notes.length, MAX_NAMED); i++) {
      try (DataInputStream in = files.open(notes[i].getPath())) {
        sentences.add(command + ": " + in.readUTF());
      }
    }
    if (notes.length > MAX_NAMED) {
      sentences.add(command + ": " + (notes.length - MAX_NAMED) + " more files are damaged.");
    }
    sentences.add(
        command
            + ": the corpus lacks the pages in the damaged parts. Replace the files and run"
            + " again.");
    return sentences;
  }
}
