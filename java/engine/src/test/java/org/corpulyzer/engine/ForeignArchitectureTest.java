package org.corpulyzer.engine;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import org.junit.Test;

/** In a Java for aarch64, which `bin/corpulyzer test --full aarch64` starts in an emulator. */
public class ForeignArchitectureTest {

  @Test
  public void theLibraryOfTheArchitectureIsLoadedFromTheJar() {
    assertNull(System.getProperty(Settings.NATIVE_PATH));
    assertEquals("aarch64", System.getProperty("os.arch"));
    assertEquals("linux-aarch64", NativeLibrary.platform());
    NativeLibrary.load("");
  }
}
