package org.corpulyzer.crawl.companion;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.conf.Configuration;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class RendererTest {
  private static final String URL = "http://a.test/?x=$(touch%20y)&z=';";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private final Configuration conf = new Configuration(false);

  @Test(timeout = 60_000)
  public void aCommandGetsTheUrlAndNoShellReadsIt() throws Exception {
    assertNull("off by default", Renderer.of(conf, 1000));
    assertEquals(URL, html(command("printf %s \"$2\"") + " --dump-dom"));
    assertEquals("[" + URL + "]", html(command("printf %s \"$1\"") + " [{}] last"));
    String environment = html(command("env"));
    assertFalse(environment, environment.contains("corpulyzer.root"));
    assertTrue(environment, environment.contains("HOME=") && environment.contains("PATH="));
    assertFalse(environment, environment.contains("HOME=" + System.getProperty("user.home")));
  }

  @Test(timeout = 60_000)
  public void aCommandThatFailsOrNeverEndsGivesNoPage() throws Exception {
    assertFailure("ended with 3 and 2 bytes", command("printf ab; exit 3"));
    assertFailure("ended with 0 and 0 bytes", command("true"));
    assertFailure("more than 1000 bytes", command("yes"));
    assertFailure("missing", folder.getRoot().toPath().resolve("missing").toString());
    conf.setInt(Renderer.SECONDS, 1);
    Path ended = folder.getRoot().toPath().resolve("ended");
    long began = System.nanoTime();
    assertFailure(
        "more than 1000 ms", command("(sleep 5; touch " + ended + ") & echo $!; sleep 40"));
    assertTrue((System.nanoTime() - began) / 1e9 < 20);
    Thread.sleep(5000);
    assertFalse("the processes of the command are ended too", Files.exists(ended));
  }

  @Test(timeout = 60_000)
  public void aHostHasItsTime() throws Exception {
    conf.setInt(Renderer.HOST_SECONDS, 1);
    conf.set(Renderer.COMMAND, command("sleep 1.1; echo text"));
    Renderer renderer = Renderer.of(conf, 1000);
    assertEquals("text\n", new String(renderer.html(URL, "a.test"), StandardCharsets.UTF_8));
    IOException over = assertThrows(IOException.class, () -> renderer.html(URL, "a.test"));
    assertTrue(over.toString(), over.getMessage().contains("a.test took all their time"));
    assertEquals(5, renderer.html(URL, "b.test").length);
  }

  private void assertFailure(String reason, String command) {
    IOException failure = assertThrows(IOException.class, () -> html(command));
    assertTrue(failure.toString(), failure.getMessage().contains(reason));
  }

  private String html(String command) throws IOException, InterruptedException {
    conf.set(Renderer.COMMAND, command);
    byte[] html = Renderer.of(conf, 1000).html(URL, "a.test");
    return new String(html, StandardCharsets.UTF_8);
  }

  private String command(String script) throws IOException {
    Path file = folder.newFile().toPath();
    Files.write(file, ("#!/bin/sh\n" + script + "\n").getBytes(StandardCharsets.UTF_8));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    return file.toString();
  }
}
