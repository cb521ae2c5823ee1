package org.corpulyzer.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Loads the native library once per class loader, at the first use. Tried in this order:
 *
 * <ol>
 *   <li>{@code corpulyzer.native.path}, as a setting or else as a system property; when set,
 *       nothing else is tried,
 *   <li>{@code native/OS-ARCH/} in the folder of this class's jar, then that folder itself (a Nutch
 *       plugin's folder),
 *   <li>the resource {@code /native/OS-ARCH/} of this class's jar.
 * </ol>
 *
 * The JVM refuses a file that another class loader has loaded (Nutch has one per plugin); a fresh
 * copy of it is loaded then.
 *
 * <p>Without a log of its own, because the installer has no slf4j.
 */
public final class NativeLibrary {

  /** The library cannot be loaded in this JVM. */
  public static final class Unavailable extends CorpulyzerException {
    private Unavailable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private static final String FILE = System.mapLibraryName("corpulyzer");

  /** Bytes of the header of a 64-bit ELF file, and the first four of them. */
  private static final int ELF_HEADER = 64;

  private static final int ELF_MAGIC = 0x7F454C46;

  private static boolean loaded;
  private static String origin;
  private static Unavailable failure;

  private NativeLibrary() {}

  /**
   * Loads the library, if this was not done before. The first result holds for the life of this
   * class: a library that did not load is not searched again.
   *
   * @param configuredPath value of {@code corpulyzer.native.path}, empty when not set
   * @throws Unavailable naming the files that were tried and what to check
   */
  public static synchronized void load(String configuredPath) {
    if (loaded) {
      return;
    }
    if (failure != null) {
      throw new Unavailable(failure.getMessage(), failure.getCause());
    }
    String path =
        configuredPath.isEmpty() ? System.getProperty(Settings.NATIVE_PATH, "") : configuredPath;
    List<String> tried = new ArrayList<>();
    Throwable cause = null;
    try {
      loaded =
          path.isEmpty()
              ? loadFromFolder(tried) || loadFromResource(tried)
              : loadFile(Paths.get(path), tried);
    } catch (IOException | RuntimeException | LinkageError e) {
      cause = e;
    }
    if (!loaded) {
      failure = new Unavailable(explain(tried, cause, !path.isEmpty()), cause);
      throw failure;
    }
    origin = tried.get(tried.size() - 1);
  }

  /**
   * @return the file or resource that the library was loaded from; null before
   */
  static synchronized String origin() {
    return origin;
  }

  /**
   * @return name of this platform's folder, e.g. {@code linux-x86_64}
   */
  public static String platform() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    os =
        os.startsWith("mac")
            ? "macos"
            : os.startsWith("windows") ? "windows" : os.replace(' ', '-');
    return os + "-" + (arch.equals("amd64") ? "x86_64" : arch.equals("arm64") ? "aarch64" : arch);
  }

  private static boolean loadFromFolder(List<String> tried) throws IOException {
    Path folder = jarFolder();
    if (folder == null) {
      return false;
    }
    for (Path file :
        Arrays.asList(
            folder.resolve("native").resolve(platform()).resolve(FILE), folder.resolve(FILE))) {
      if (loadFile(file, tried)) {
        return true;
      }
    }
    return false;
  }

  /**
   * @return folder of the jar that this class is in, the plugin's when the plugin loads it; null
   *     where there is none
   */
  static Path jarFolder() {
    CodeSource source = NativeLibrary.class.getProtectionDomain().getCodeSource();
    try {
      Path jar = Paths.get(source.getLocation().toURI());
      return Files.isDirectory(jar) ? jar : jar.getParent();
    } catch (URISyntaxException | RuntimeException e) {
      // No code source, or not a file: the resource is left.
      return null;
    }
  }

  private static boolean loadFile(Path file, List<String> tried) throws IOException {
    Path absolute = file.toAbsolutePath().normalize();
    tried.add(absolute.toString());
    if (Files.isDirectory(absolute)) {
      throw new UnsatisfiedLinkError(absolute + " is a folder");
    }
    if (!Files.isRegularFile(absolute)) {
      return false;
    }
    requireWhole(absolute);
    try {
      System.load(absolute.toString());
    } catch (UnsatisfiedLinkError e) {
      if (!String.valueOf(e.getMessage()).contains("already loaded in another classloader")) {
        throw e;
      }
      // It is loaded in another class loader.
      try (InputStream in = Files.newInputStream(absolute)) {
        loadCopy(in, tried);
      }
    }
    return true;
  }

  /**
   * Refuses a file that is not in ELF format, or that is shorter than its header states. If a copy
   * or a full disk cuts a library short, the loader reads beyond its end, and SIGBUS ends the JVM.
   * The section headers are the last part of a file, so they show where the whole file ends.
   */
  private static void requireWhole(Path file) throws IOException {
    if (!platform().startsWith("linux-")) {
      return;
    }
    ByteBuffer header = ByteBuffer.allocate(ELF_HEADER);
    long size;
    try (SeekableByteChannel channel = Files.newByteChannel(file)) {
      size = channel.size();
      while (header.hasRemaining() && channel.read(header) >= 0) {
        // Reads on until the header is there or the file ends.
      }
    }
    if (header.hasRemaining() || header.getInt(0) != ELF_MAGIC) {
      throw new UnsatisfiedLinkError(file + " is no ELF library");
    }
    boolean is64Bit = header.get(4) == 2;
    header.order(header.get(5) == 1 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    if (is64Bit) {
      long end =
          header.getLong(40)
              + (header.getShort(58) & 0xFFFF) * (long) (header.getShort(60) & 0xFFFF);
      if (end > size) {
        throw new UnsatisfiedLinkError(
            file
                + " is cut short: it has "
                + size
                + " bytes, by its ELF header it should have "
                + end);
      }
    }
  }

  private static boolean loadFromResource(List<String> tried) throws IOException {
    String resource = "/native/" + platform() + "/" + FILE;
    tried.add("resource " + resource);
    try (InputStream in = NativeLibrary.class.getResourceAsStream(resource)) {
      if (in == null) {
        return false;
      }
      loadCopy(in, tried);
      return true;
    }
  }

  /**
   * Writes into a file that is there, so that it stays readable by its owner alone. A copy with
   * replacement would make a new file.
   */
  static void fill(Path file, InputStream in) throws IOException {
    byte[] buffer = new byte[1 << 16];
    try (OutputStream out =
        Files.newOutputStream(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        out.write(buffer, 0, read);
      }
    }
  }

  private static void loadCopy(InputStream in, List<String> tried) throws IOException {
    Path copy =
        Files.createTempFile(
            Paths.get(System.getProperty("java.io.tmpdir")), "corpulyzer-", "-" + FILE);
    try {
      tried.add(copy.toString());
      fill(copy, in);
      System.load(copy.toString());
    } finally {
      // The loaded image needs only the inode. If the system does not delete an open file, the file
      // is deleted when the JVM ends.
      if (!copy.toFile().delete()) {
        copy.toFile().deleteOnExit();
      }
    }
  }

  /**
   * @param isConfigured whether {@code corpulyzer.native.path} names the file, so that nothing was
   *     unpacked
   */
  static String explain(List<String> tried, Throwable cause, boolean isConfigured) {
    String reason = reason(cause);
    return "The native library of Corpulyzer did not load on "
        + platform()
        + " (tried: "
        + String.join(", ", tried)
        + "): "
        + reason
        + "; "
        + advice(reason.toLowerCase(Locale.ROOT), cause, isConfigured)
        + ".";
  }

  private static String reason(Throwable cause) {
    if (cause == null) {
      return "no such file";
    }
    // The message of an IOException is often the file alone.
    return cause instanceof AccessDeniedException
        ? "permission denied"
        : cause instanceof IOException ? cause.toString() : String.valueOf(cause.getMessage());
  }

  /**
   * @param reason the message of the system's loader, which has no other form than text, in lower
   *     case
   */
  private static String advice(String reason, Throwable cause, boolean isConfigured) {
    if (isConfigured
        && (cause instanceof IOException
            || cause instanceof InvalidPathException
            || reason.contains("permission denied"))) {
      return "the file that "
          + Settings.NATIVE_PATH
          + " names cannot be read: make it readable for the user "
          + System.getProperty("user.name")
          + ", or set the property to another file, or leave it empty for the library in the"
          + " plugin's jar";
    }
    if (cause instanceof IOException) {
      return "it cannot be unpacked: set java.io.tmpdir to a folder with room that can be written,"
          + " or "
          + Settings.NATIVE_PATH
          + " to the library's file";
    }
    if (hasAny(reason, "failed to map segment", "operation not permitted", "permission denied")) {
      return "the folder may be mounted noexec or unreadable: set "
          + Settings.NATIVE_PATH
          + " to a copy elsewhere, or java.io.tmpdir";
    }
    if (hasAny(reason, "glibc", "version `")) {
      return "this system's C library is older than the one that the library was built for: build"
          + " it here";
    }
    if (hasAny(reason, "elf", "object file ", "possible cause", "can't load", "file too short")) {
      return "the file is broken or built for another architecture: put one for "
          + platform()
          + " in its place";
    }
    if (reason.contains("cannot open shared object file")) {
      return "a library that it needs is missing on this system: install it";
    }
    return "set "
        + Settings.NATIVE_PATH
        + " to the library's file or put it into native/"
        + platform()
        + " of the plugin's folder";
  }

  private static boolean hasAny(String text, String... parts) {
    return Stream.of(parts).anyMatch(text::contains);
  }
}
