package org.corpulyzer.cluster;

import java.lang.instrument.Instrumentation;
import java.net.InetAddress;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.matcher.ElementMatchers;

/**
 * Binds every socket of a JVM to loopback that would be bound to all interfaces. Hadoop 2.7 has no setting for the shuffle handler and
 * for the three servers of a job's application master.
 */
public final class LoopbackAgent {

  private LoopbackAgent() {
  }

  /** Called by the JVM, for {@code -javaagent}. */
  public static void premain(String args, Instrumentation instrumentation) {
    new AgentBuilder.Default()
        .ignore(ElementMatchers.none())
        .disableClassFormatChanges()
        .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
        .type(ElementMatchers.named("sun.nio.ch.Net"))
        .transform((builder, type, loader, module, domain) ->
            builder.visit(Advice.to(Bind.class).on(ElementMatchers.named("bind").and(ElementMatchers.takesArguments(4)))))
        .installOn(instrumentation);
  }

  /** What runs first in the JDK's one method that binds a socket; its code is copied there. */
  static final class Bind {

    private Bind() {
    }

    @Advice.OnMethodEnter
    static void enter(@Advice.Argument(value = 2, readOnly = false) InetAddress address) {
      if (address.isAnyLocalAddress()) {
        address = InetAddress.getLoopbackAddress();
      }
    }
  }
}
