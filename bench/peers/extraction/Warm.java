import com.sun.management.OperatingSystemMXBean;
import de.l3s.boilerpipe.extractors.ArticleExtractor;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code Warm FOLDER ROUNDS} prints the processor seconds of each round over the folder's pages,
 * with those of the compiler and the garbage collector.
 */
public final class Warm {

  public static void main(String[] arguments) throws Exception {
    List<String> pages = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(Paths.get(arguments[0]), "*.html")) {
      for (Path file : files) {
        pages.add(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
      }
    }
    OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long characters = 0;
    for (int round = Integer.parseInt(arguments[1]); round > 0; round--) {
      long begin = system.getProcessCpuTime();
      for (String page : pages) {
        characters += ArticleExtractor.INSTANCE.getText(page).length();
      }
      System.out.println((system.getProcessCpuTime() - begin) / 1e9);
    }
    System.err.println(characters + " characters");
  }
}
