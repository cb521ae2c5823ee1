package org.corpulyzer.engine;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.junit.Test;

/**
 * The libraries and commands that travel run on any Linux of the last ten years, whatever machine
 * built them. Run as {@code portableTest}. Commands are there after {@code bin/corpulyzer build
 * dist}.
 */
public class PortableLibraryTest {
  /** Of CentOS 7; manylinux2014 stands on it too. */
  private static final int MAX_MINOR = 17;

  /** A library goes to every node with every job. */
  private static final long LARGEST_LIBRARY_BYTES = 19_900_000;

  @Test
  public void theyNeedTheCLibraryAndNothingElse() throws IOException {
    for (Path file : everything()) {
      ElfLibrary library = new ElfLibrary(file);
      assertTrue(file + " needs " + library.needed, library.needed.contains("libc.so.6"));
      for (String needed : library.needed) {
        assertTrue(
            file + " needs " + needed,
            needed.matches("lib(c|m|dl|pthread)\\.so\\.[0-9]+|ld-linux-[a-z0-9-]+\\.so\\.[0-9]+"));
      }
      assertEquals(file + " looks for libraries in", Collections.emptyList(), library.searched);
    }
  }

  /** Doctor and the jobs need the table of languages too. */
  @Test
  public void theJarThatTravelsHasAllFilesOfTheOtherButTheLibrary() throws IOException {
    List<String> files = files("corpulyzer.jar");
    assertTrue(files.toString(), files.contains("org/corpulyzer/engine/languages.tsv"));
    assertEquals(files, files("corpulyzer.portable.jar"));
  }

  @Test
  public void theJarThatTravelsHasTheLibrariesThatTravelAndNoOther() throws IOException {
    List<String> expected = new ArrayList<>();
    for (Path file : libraries()) {
      expected.add(file.getParent().getFileName() + " " + Files.size(file));
    }
    Collections.sort(expected);
    try (JarFile jar = new JarFile(System.getProperty("corpulyzer.portable.jar"))) {
      assertEquals(
          expected,
          jar.stream()
              .filter(entry -> entry.getName().matches("native/.+/.+"))
              .map(entry -> entry.getName().split("/")[1] + " " + entry.getSize())
              .sorted()
              .collect(Collectors.toList()));
    }
  }

  private static List<String> files(String property) throws IOException {
    try (JarFile jar = new JarFile(System.getProperty(property))) {
      return jar.stream()
          .map(JarEntry::getName)
          .filter(name -> !name.startsWith("native/"))
          .sorted()
          .collect(Collectors.toList());
    }
  }

  @Test
  public void theyNeedNoLaterVersionOfIt() throws IOException {
    for (Path file : everything()) {
      List<String> versions = new ElfLibrary(file).versions;
      assertFalse(file + " names no version of the C library", versions.isEmpty());
      for (String version : versions) {
        assertTrue(file + " needs " + version, version.matches("GLIBC_2\\.[0-9]+(\\.[0-9]+)?"));
        assertTrue(
            file + " needs " + version, Integer.parseInt(version.split("\\.")[1]) <= MAX_MINOR);
      }
    }
  }

  /**
   * The JVM has a C++ library of its own: a symbol of ours must not take the place of one of those,
   * nor the other way round.
   */
  @Test
  public void theyShowTheNativeMethodsAlone() throws IOException {
    for (Path file : libraries()) {
      List<String> exported = new ElfLibrary(file).exported;
      Collections.sort(exported);
      List<String> methods =
          Arrays.stream(Native.class.getDeclaredMethods())
              .filter(method -> Modifier.isNative(method.getModifiers()))
              .map(method -> "Java_org_corpulyzer_engine_Native_" + method.getName())
              .sorted()
              .collect(Collectors.toList());
      assertEquals(file.toString(), methods, exported);
    }
  }

  /** A path in it would be another one on another machine, and so the bytes. */
  @Test
  public void theyNameNoPathOfTheMachineThatBuiltThem() throws IOException {
    for (Path file : everything()) {
      // The folder of the crate registry of this project has the name of Cargo's.
      String content =
          new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
              .replace("rust/registry/src", "");
      for (String path :
          new String[] {
            System.getProperty("corpulyzer.root"),
            System.getProperty("user.home") + "/",
            "registry/src"
          }) {
        assertFalse(file + " names " + path, content.contains(path));
      }
    }
  }

  @Test
  public void theyAreSmallEnoughToTravelWithEveryJob() throws IOException {
    for (Path file : libraries()) {
      assertTrue(
          file + " has " + Files.size(file) + " bytes", Files.size(file) < LARGEST_LIBRARY_BYTES);
    }
  }

  private static List<Path> libraries() throws IOException {
    List<Path> found = named("libcorpulyzer.so");
    assertFalse("there is no library in build/native", found.isEmpty());
    return found;
  }

  private static List<Path> everything() throws IOException {
    List<Path> found = libraries();
    found.addAll(named("corpulyzer"));
    return found;
  }

  /** The files of this name, one for each architecture. */
  private static List<Path> named(String name) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> folders =
        Files.newDirectoryStream(
            Paths.get(System.getProperty("corpulyzer.root"), "build", "native"), "linux-*")) {
      folders.forEach(folder -> found.add(folder.resolve(name)));
    }
    found.removeIf(file -> !Files.exists(file));
    return found;
  }
}
