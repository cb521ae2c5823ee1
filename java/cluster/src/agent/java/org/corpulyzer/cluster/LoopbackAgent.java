package org.corpulyzer.cluster;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.matcher.ElementMatchers;

/**
 * Keeps others away from the servers of a JVM, which have no authentication.
 *
 * <ul>
 *   <li>Every socket is bound to loopback that would be bound to all interfaces. Hadoop 2.7 has no
 *       setting for the shuffle handler and for the three servers of a job's application master.
 *   <li>A connection from a process of another user of the machine is closed ({@link Peers}).
 * </ul>
 */
public final class LoopbackAgent {

  private LoopbackAgent() {}

  /** Called by the JVM, for {@code -javaagent}. */
  public static void premain(String args, Instrumentation instrumentation) {
    new AgentBuilder.Default()
        .ignore(ElementMatchers.none())
        .disableClassFormatChanges()
        .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
        .type(ElementMatchers.named("sun.nio.ch.Net"))
        .transform(
            (builder, type, loader, module, domain) ->
                builder.visit(
                    Advice.to(Bind.class)
                        .on(ElementMatchers.named("bind").and(ElementMatchers.takesArguments(4)))))
        .type(ElementMatchers.named("sun.nio.ch.ServerSocketChannelImpl"))
        .transform(
            (builder, type, loader, module, domain) ->
                builder.visit(
                    Advice.to(AcceptChannel.class)
                        .on(ElementMatchers.namedOneOf("accept", "blockingAccept"))))
        .type(ElementMatchers.named("java.net.ServerSocket"))
        .transform(
            (builder, type, loader, module, domain) ->
                builder.visit(
                    Advice.to(AcceptSocket.class)
                        .on(
                            ElementMatchers.named("implAccept")
                                .and(ElementMatchers.takesArguments(Socket.class)))))
        .installOn(instrumentation);
    System.setProperty(Peers.CHECKED, "true");
  }

  /** Code at the end of the JDK's methods that accept a connection of a channel. */
  static final class AcceptChannel {

    private AcceptChannel() {}

    @Advice.OnMethodExit
    static void exit(@Advice.Return SocketChannel channel) throws IOException {
      if (channel != null) {
        Socket socket = channel.socket();
        if (!Peers.isOwn(socket.getPort(), socket.getLocalPort())) {
          channel.close();
          throw new IOException("a connection from a process of another user was closed");
        }
      }
    }
  }

  /** Code at the end of the JDK's methods that accept a connection of a socket. */
  static final class AcceptSocket {

    private AcceptSocket() {}

    @Advice.OnMethodExit
    static void exit(@Advice.Argument(0) Socket socket) throws IOException {
      if (!Peers.isOwn(socket.getPort(), socket.getLocalPort())) {
        socket.close();
        throw new IOException("a connection from a process of another user was closed");
      }
    }
  }

  /**
   * Code at the beginning of the JDK's one method that binds a socket. The agent copies it there.
   */
  static final class Bind {

    private Bind() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.Argument(value = 2, readOnly = false) InetAddress address) {
      if (address.isAnyLocalAddress()) {
        address = InetAddress.getLoopbackAddress();
      }
    }
  }
}
