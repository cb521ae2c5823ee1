package org.corpulyzer.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The requirements of a 64-bit little-endian ELF library on the system that loads it. The names are
 * those of the System V ABI and the Linux Standard Base (symbol versioning).
 */
final class ElfLibrary {
  private static final int SHT_DYNAMIC = 6;
  private static final int SHT_DYNSYM = 11;
  private static final int SHT_GNU_VERNEED = 0x6ffffffe;
  private static final long DT_NEEDED = 1;
  private static final long DT_RPATH = 15;
  private static final long DT_RUNPATH = 29;

  /** Files that the dynamic linker loads along. */
  final List<String> needed = new ArrayList<>();

  /** Folders where it looks for them first. */
  final List<String> searched = new ArrayList<>();

  /** Symbol versions, e.g. {@code GLIBC_2.2.5}. */
  final List<String> versions = new ArrayList<>();

  /** Names that other libraries can see. */
  final List<String> exported = new ArrayList<>();

  private final ByteBuffer bytes;
  private final int sections;

  ElfLibrary(Path file) throws IOException {
    bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.getInt(0) != 0x464C457F || bytes.get(4) != 2 || bytes.get(5) != 1) {
      throw new IOException(file + " is no 64-bit little-endian ELF file");
    }
    sections = (int) bytes.getLong(40);
    for (int i = 0; i < bytes.getShort(60); i++) {
      int section = section(i);
      int start = (int) bytes.getLong(section + 24);
      int size = (int) bytes.getLong(section + 32);
      int strings = (int) bytes.getLong(section(bytes.getInt(section + 40)) + 24);
      switch (bytes.getInt(section + 4)) {
        case SHT_DYNAMIC:
          readDynamic(start, size, strings);
          break;
        case SHT_DYNSYM:
          readSymbols(start, size, strings);
          break;
        case SHT_GNU_VERNEED:
          readVersions(start, bytes.getInt(section + 44), strings);
          break;
        default:
      }
    }
  }

  private int section(int index) {
    return sections + index * bytes.getShort(58);
  }

  private void readDynamic(int start, int size, int strings) {
    for (int entry = start; entry < start + size; entry += 16) {
      long tag = bytes.getLong(entry);
      if (tag == DT_NEEDED) {
        needed.add(text(strings + (int) bytes.getLong(entry + 8)));
      } else if (tag == DT_RPATH || tag == DT_RUNPATH) {
        searched.add(text(strings + (int) bytes.getLong(entry + 8)));
      }
    }
  }

  private void readSymbols(int start, int size, int strings) {
    for (int symbol = start; symbol < start + size; symbol += 24) {
      boolean isDefined = bytes.getShort(symbol + 6) != 0;
      if (isDefined) {
        exported.add(text(strings + bytes.getInt(symbol)));
      }
    }
  }

  /**
   * A list of files, each with a list of versions; both are chained by the distance to the next.
   */
  private void readVersions(int start, int files, int strings) {
    int file = start;
    for (int i = 0; i < files; i++) {
      int version = file + bytes.getInt(file + 8);
      for (int j = 0; j < bytes.getShort(file + 2); j++) {
        versions.add(text(strings + bytes.getInt(version + 8)));
        version += bytes.getInt(version + 12);
      }
      file += bytes.getInt(file + 12);
    }
  }

  private String text(int start) {
    int end = start;
    while (bytes.get(end) != 0) {
      end++;
    }
    return new String(bytes.array(), start, end - start, StandardCharsets.UTF_8);
  }
}
