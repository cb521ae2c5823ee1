package org.corpulyzer.nutch.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.atomic.AtomicInteger;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.matcher.ElementMatchers;

/**
 * Stops a task at the n-th call of a method, if a file requests it. The task that deletes the file
 * writes its process id to a file beside it, and waits until that one is deleted; a test may kill
 * it meanwhile. All other tasks run on.
 */
public final class PauseAgent {

  private static final int POLL_MILLIS = 20;
  private static final AtomicInteger CALLS = new AtomicInteger();

  private static int at;
  private static Path armed;

  private PauseAgent() {}

  /**
   * Called by the JVM, for {@code -javaagent}.
   *
   * @param args {@code Class:Inner#method,n,file}
   */
  public static void premain(String args, Instrumentation instrumentation) {
    String[] parts = args.split(",");
    String[] method = parts[0].split("#");
    at = Integer.parseInt(parts[1]);
    armed = Paths.get(parts[2]);
    new AgentBuilder.Default()
        .disableClassFormatChanges()
        .type(ElementMatchers.named(method[0].replace(':', '$')))
        .transform(
            (builder, type, loader, module, domain) ->
                builder.visit(
                    Advice.to(Call.class)
                        .on(
                            ElementMatchers.named(method[1])
                                .and(ElementMatchers.not(ElementMatchers.isBridge())))))
        .installOn(instrumentation);
  }

  /** Called by the method, first. */
  public static void called() {
    if (CALLS.incrementAndGet() != at) {
      return;
    }
    try {
      if (!Files.deleteIfExists(armed)) {
        return;
      }
      Path mine = armed.resolveSibling(armed.getFileName() + ".pid");
      Path part = armed.resolveSibling(armed.getFileName() + ".part");
      Files.write(
          part,
          Paths.get("/proc/self")
              .toRealPath()
              .getFileName()
              .toString()
              .getBytes(StandardCharsets.US_ASCII));
      Files.move(part, mine, StandardCopyOption.ATOMIC_MOVE);
      while (Files.exists(mine)) {
        Thread.sleep(POLL_MILLIS);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Its code is copied to the method. */
  static final class Call {

    private Call() {}

    @Advice.OnMethodEnter
    static void enter() {
      called();
    }
  }
}
