package org.corpulyzer.engine;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Paths;
import org.junit.Test;
import org.junit.runner.JUnitCore;

public class CheckedJniTest {

  @Test
  public void jvmFindsNothingWrongWithAnyCrossingOfTheBorder() throws Exception {
    Process java =
        new ProcessBuilder(
                Paths.get(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xcheck:jni",
                "-Xmx2g",
                "-Dcorpulyzer.root=" + System.getProperty("corpulyzer.root"),
                "-D" + Settings.NATIVE_PATH + "=" + System.getProperty(Settings.NATIVE_PATH),
                "-cp",
                System.getProperty("java.class.path"),
                JUnitCore.class.getName(),
                BorderTest.class.getName())
            .redirectErrorStream(true)
            .start();
    java.getOutputStream().close();
    String output = read(java.getInputStream());
    assertEquals(output, 0, java.waitFor());
    assertFalse(output, output.contains("in native method"));
    assertFalse(output, output.contains("JNI call made"));
    assertFalse(output, output.contains("A fatal error"));
  }

  private static String read(InputStream in) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] buffer = new byte[8192];
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      out.write(buffer, 0, n);
    }
    return new String(out.toByteArray(), StandardCharsets.UTF_8);
  }
}
