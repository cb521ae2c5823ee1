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
import java.util.stream.Collectors;
import org.junit.Test;

/** The libraries that travel run on any Linux of the last ten years, whatever machine built them. Run as {@code portableTest}. */
public class PortableLibraryTest {
  /** Of CentOS 7; manylinux2014 stands on it too. */
  private static final int MOST_MINOR = 17;

  @Test
  public void theyNeedTheCLibraryAndNothingElse() throws IOException {
    for (Path file : libraries()) {
      ElfLibrary library = new ElfLibrary(file);
      assertTrue(file + " needs " + library.needed, library.needed.contains("libc.so.6"));
      for (String needed : library.needed) {
        assertTrue(file + " needs " + needed, needed.matches("lib(c|m|dl|pthread)\\.so\\.[0-9]+|ld-linux-[a-z0-9-]+\\.so\\.[0-9]+"));
      }
      assertEquals(file + " looks for libraries in", Collections.emptyList(), library.searched);
    }
  }

  @Test
  public void theyNeedNoLaterVersionOfIt() throws IOException {
    for (Path file : libraries()) {
      List<String> versions = new ElfLibrary(file).versions;
      assertFalse(file + " names no version of the C library", versions.isEmpty());
      for (String version : versions) {
        assertTrue(file + " needs " + version, version.matches("GLIBC_2\\.[0-9]+(\\.[0-9]+)?"));
        assertTrue(file + " needs " + version, Integer.parseInt(version.split("\\.")[1]) <= MOST_MINOR);
      }
    }
  }

  /** The JVM has a C++ library of its own: a symbol of ours must not take the place of one of those, nor the other way round. */
  @Test
  public void theyShowTheNativeMethodsAlone() throws IOException {
    for (Path file : libraries()) {
      List<String> exported = new ElfLibrary(file).exported;
      Collections.sort(exported);
      List<String> methods = Arrays.stream(Native.class.getDeclaredMethods()).filter(method -> Modifier.isNative(method.getModifiers()))
          .map(method -> "Java_org_corpulyzer_engine_Native_" + method.getName()).sorted().collect(Collectors.toList());
      assertEquals(file.toString(), methods, exported);
    }
  }

  /** A path in it would be another one on another machine, and so the bytes. */
  @Test
  public void theyNameNoPathOfTheMachineThatBuiltThem() throws IOException {
    for (Path file : libraries()) {
      String content = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
      for (String path : new String[] {System.getProperty("corpulyzer.root"), System.getProperty("user.home") + "/", "registry/src"}) {
        assertFalse(file + " names " + path, content.contains(path));
      }
    }
  }

  @Test
  public void theyAreSmallEnoughToTravelWithEveryJob() throws IOException {
    for (Path file : libraries()) {
      assertTrue(file + " has " + Files.size(file) + " bytes", Files.size(file) < NativeLibraryTest.LARGEST_LIBRARY_BYTES);
    }
  }

  private static List<Path> libraries() throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(Paths.get(System.getProperty("corpulyzer.root"), "build", "native"), "linux-*")) {
      folders.forEach(folder -> found.add(folder.resolve("libcorpulyzer.so")));
    }
    assertFalse("there is no library in build/native", found.isEmpty());
    return found;
  }
}
