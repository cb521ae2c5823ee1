package org.corpulyzer.engine;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class NativeLibraryTest {

  private static final String FILE = System.mapLibraryName("corpulyzer");

  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private final String configured = System.getProperty(Settings.NATIVE_PATH);
  private final Path built = Paths.get(configured);
  private final String temporary = System.getProperty("java.io.tmpdir");

  @Before
  public void forgetTheConfiguredPath() {
    System.clearProperty(Settings.NATIVE_PATH);
    System.setProperty("java.io.tmpdir", folder.getRoot().toString());
  }

  @After
  public void restoreProperties() {
    System.setProperty(Settings.NATIVE_PATH, configured);
    System.setProperty("java.io.tmpdir", temporary);
  }

  @Test
  public void configuredFileThatCannotBeReadIsNotTakenForOneThatWasUnpacked() {
    String message =
        NativeLibrary.explain(
            Arrays.asList("/opt/lib.so"), new AccessDeniedException("/opt/lib.so"), true);
    assertTrue(
        message,
        message.contains(
            "(tried: /opt/lib.so): permission denied; the file that corpulyzer.native.path names"
                + " cannot be read"));
    assertTrue(
        message,
        message.contains("make it readable for the user " + System.getProperty("user.name"))
            && !message.contains("tmpdir"));
    String unpacked =
        NativeLibrary.explain(
            Arrays.asList("resource /native"), new IOException("No space left on device"), false);
    assertTrue(unpacked, unpacked.contains("set java.io.tmpdir to a folder with room"));
  }

  @Test
  public void filterThatCannotStartPrintsOneSentence() {
    StringWriter printed = new StringWriter();
    EngineSource.StartFailure failure =
        assertThrows(EngineSource.StartFailure.class, () -> EngineSource.checked(key -> null));
    failure.printStackTrace(new PrintWriter(printed, true));
    String sentence =
        "Property corpulyzer.language.target is not set; allowed is an ISO 639-1 or ISO 639-3 code"
            + " such as ur or urd, or several separated by commas.";
    assertEquals(sentence, printed.toString().trim());
  }

  @Test
  public void theUnpackedLibraryIsReadableByItsOwnerAlone() throws Exception {
    java.nio.file.Path file = Files.createTempFile("corpulyzer-test", ".so");
    try {
      NativeLibrary.fill(file, new java.io.ByteArrayInputStream(new byte[100_000]));
      assertEquals(100_000, Files.size(file));
      assertEquals(
          "rw-------",
          java.nio.file.attribute.PosixFilePermissions.toString(
              Files.getPosixFilePermissions(file)));
    } finally {
      Files.delete(file);
    }
  }

  @Test
  public void libraryInThePlatformsFolderIsFound() throws Exception {
    Path classes = Loaders.classesIn(folder.newFolder("plugin").toPath());
    Path file = classes.resolve("native").resolve(NativeLibrary.platform()).resolve(FILE);
    Files.createDirectories(file.getParent());
    Files.copy(built, file);
    assertTrue(Loaders.probe(classes).apply("<p>" + Pages.URDU).startsWith("ok "));
  }

  @Test
  public void libraryBesideTheJarIsFound() throws Exception {
    Path classes = Loaders.classesIn(folder.newFolder("plugin").toPath());
    Files.copy(built, classes.resolve(FILE));
    assertTrue(Loaders.probe(classes).apply("<p>" + Pages.URDU).startsWith("ok "));
  }

  @Test
  public void libraryInTheJarIsUnpackedAndTheCopyDeleted() throws Exception {
    Path classes = Loaders.classesIn(folder.newFolder("plugin").toPath());
    Path resources = folder.newFolder("resources").toPath();
    Path file = resources.resolve("native").resolve(NativeLibrary.platform()).resolve(FILE);
    Files.createDirectories(file.getParent());
    Files.copy(built, file);
    assertTrue(Loaders.probe(classes, resources).apply("<p>" + Pages.URDU).startsWith("ok "));
    assertEquals(0, copies());
  }

  @Test
  public void folderThatCannotBeUnpackedIntoIsNamed() throws Exception {
    Path classes = Loaders.classesIn(folder.newFolder("plugin").toPath());
    Path file = classes.resolve("resources/native").resolve(NativeLibrary.platform()).resolve(FILE);
    Files.createDirectories(file.getParent());
    Files.copy(built, file);
    System.setProperty("java.io.tmpdir", folder.getRoot() + "/nowhere");
    Function<String, String> probe = Loaders.probe(classes, classes.resolve("resources"));
    String message = assertThrows(RuntimeException.class, () -> probe.apply("")).getMessage();
    assertTrue(
        message,
        message.contains(folder.getRoot() + "/nowhere")
            && message.contains("it cannot be unpacked: set java.io.tmpdir"));
  }

  @Test
  public void threeClassLoadersLoadOneFileAndEachHasItsOwnState() throws Exception {
    System.setProperty(Settings.NATIVE_PATH, configured);
    Function<String, String> first =
        Loaders.probe(Loaders.classesIn(folder.newFolder("first").toPath()));
    Function<String, String> second =
        Loaders.probe(Loaders.classesIn(folder.newFolder("second").toPath()));
    String page = "<p>" + Pages.URDU + "</p>";
    String expected = new Probe().apply(page);
    assertTrue(expected, expected.startsWith("ok urd:"));
    assertEquals(expected, first.apply(page));
    assertEquals(expected, second.apply(page));
    assertEquals(0, copies());
  }

  @Test
  public void missingLibraryIsToldWithEveryPlaceAndTheMend() throws Exception {
    Path classes = Loaders.classesIn(folder.newFolder("plugin").toPath());
    Function<String, String> probe = Loaders.probe(classes);
    String message = assertThrows(RuntimeException.class, () -> probe.apply("")).getMessage();
    String platform = NativeLibrary.platform();
    assertEquals(
        "The native library of Corpulyzer did not load on "
            + platform
            + " (tried: "
            + classes.resolve("native").resolve(platform).resolve(FILE)
            + ", "
            + classes.resolve(FILE)
            + ", resource /native/"
            + platform
            + "/"
            + FILE
            + "): no such file; set corpulyzer.native.path to the library's file or put it into"
            + " native/"
            + platform
            + " of the plugin's folder.",
        message);
    Files.copy(built, classes.resolve(FILE));
    assertEquals(
        "the first outcome stands",
        message,
        assertThrows(RuntimeException.class, () -> probe.apply("")).getMessage());
  }

  @Test
  public void configuredPathIsTheOnlyOneTried() throws Exception {
    Path classes = Loaders.classesIn(folder.newFolder("plugin").toPath());
    Files.copy(built, classes.resolve(FILE));
    System.setProperty(Settings.NATIVE_PATH, folder.getRoot() + "/elsewhere.so");
    String message =
        assertThrows(RuntimeException.class, () -> Loaders.probe(classes).apply("")).getMessage();
    assertTrue(message, message.contains("(tried: " + folder.getRoot() + "/elsewhere.so)"));
  }

  @Test
  public void brokenFileAndForeignArchitectureAreNamed() throws Exception {
    String message = failureOf("not a library".getBytes(StandardCharsets.UTF_8));
    assertTrue(message, message.contains("broken or built for another architecture"));
    byte[] foreign = Files.readAllBytes(built);
    // The machine field of the ELF header: 0xF3 is RISC-V.
    foreign[18] = (byte) 0xF3;
    message = failureOf(foreign);
    assertTrue(message, message.contains("broken or built for another architecture"));
  }

  @Test
  public void fileThatIsCutShortIsRefusedBeforeTheJvmReadsBehindItsEnd() throws Exception {
    byte[] whole = Files.readAllBytes(built);
    for (int length : new int[] {0, 63, 64, 4096, whole.length / 2, whole.length - 1}) {
      String message = failureOf(Arrays.copyOf(whole, length));
      assertTrue(
          message,
          message.contains(
              length < 64
                  ? "lib.so is no ELF library"
                  : "lib.so is cut short: it has " + length + " bytes"));
      assertTrue(message, message.contains("the file is broken"));
    }
  }

  private String failureOf(byte[] library) throws Exception {
    Path place = folder.newFolder().toPath();
    Files.write(place.resolve("lib.so"), library);
    System.setProperty(Settings.NATIVE_PATH, place.resolve("lib.so").toString());
    Path classes = Loaders.classesIn(folder.newFolder().toPath());
    return assertThrows(RuntimeException.class, () -> Loaders.probe(classes).apply(""))
        .getMessage();
  }

  private long copies() throws IOException {
    try (Stream<Path> files = Files.list(folder.getRoot().toPath())) {
      return files.filter(file -> file.getFileName().toString().startsWith("corpulyzer-")).count();
    }
  }
}
