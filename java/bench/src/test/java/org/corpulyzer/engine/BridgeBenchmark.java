package org.corpulyzer.engine;

import de.l3s.boilerpipe.BoilerpipeProcessingException;
import de.l3s.boilerpipe.extractors.ArticleExtractor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures the cost of calls across the JNI border. {@link BridgeTimes} runs it. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class BridgeBenchmark {

  /** The property that names the folder of pages. */
  static final String PAGES = "corpulyzer.bench.pages";

  private static final byte[] EMPTY = "echo:".getBytes(StandardCharsets.UTF_8);

  private static final byte[] NO_HINTS = {};

  /** Name of a page in the folder. */
  @Param({"small", "medium", "large"})
  public String page;

  private byte[] content;
  private String text;
  private Engine engine;
  private int id;

  /** Reads the page and makes the engine. */
  @Setup
  public void read() throws IOException {
    content = Files.readAllBytes(Paths.get(System.getProperty(PAGES), page + ".html"));
    text = new String(content, StandardCharsets.UTF_8);
    Settings settings =
        Settings.from(Collections.singletonMap(Settings.LANGUAGE_TARGET, "urd")::get);
    engine = Engine.of(settings);
    id =
        Frame.read(Native.configure(settings.toJson().getBytes(StandardCharsets.UTF_8)))
            .u32(Tag.ENGINE_ID);
  }

  /** A call that does nothing; it does not depend on the page. */
  @Benchmark
  public byte[] emptyCall() {
    return Native.probe(EMPTY);
  }

  /** A page through the bridge, bytes to bytes. */
  @Benchmark
  public byte[] call() {
    return Native.page(id, content, NO_HINTS);
  }

  /** The same, with the record read from the answer. */
  @Benchmark
  public PageRecord page() {
    return engine.page(content, null, null, Engine.Kind.HTML);
  }

  /** The peer in the same warm machine, which takes text. */
  @Benchmark
  public String boilerpipe() throws BoilerpipeProcessingException {
    return ArticleExtractor.INSTANCE.getText(text);
  }
}
