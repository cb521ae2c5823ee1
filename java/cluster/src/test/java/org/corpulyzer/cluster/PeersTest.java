package org.corpulyzer.cluster;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.io.IOUtils;
import org.junit.ClassRule;
import org.junit.Test;

/** Servers of this JVM, which has the agent, and clients of this user and of another one. */
public class PeersTest {

  @ClassRule public static final Deadline DEADLINE = new Deadline(300);

  private static final List<String> OWN = Arrays.asList();
  private static final List<String> NOBODY =
      Arrays.asList("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

  @Test
  public void aConnectionOfAnotherUserIsClosed() throws Exception {
    assertTrue(Boolean.getBoolean(Peers.CHECKED));
    try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        ServerSocketChannel channel = ServerSocketChannel.open()) {
      channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      serve(socket::accept);
      serve(() -> channel.accept().socket());
      int[] ports = {socket.getLocalPort(), channel.socket().getLocalPort()};
      for (int port : ports) {
        assertEquals("secret", read(port, OWN));
      }
      assumeTrue("skipped: no root, who may act as another user", isRoot());
      for (int port : ports) {
        assertEquals("", read(port, NOBODY));
        assertEquals("the server goes on", "secret", read(port, OWN));
      }
    }
  }

  @Test
  public void theUserIsThatOfAnEstablishedConnectionBetweenTheTwoPorts() throws Exception {
    String table =
        String.join(
            "\n",
            "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid",
            " 0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000 0 9",
            " 1: 0100007F:1F90 0100007F:C000 01 00000000:00000000 00:00000000 00000000  1000 0 9",
            " 2: 0100007F:C000 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  65534 0 9",
            " 3: 0100007F:C001 0100007F:1F90 06 00000000:00000000 00:00000000 00000000  0 0 0");
    assertEquals("65534", user(table, 0xC000, 0x1F90));
    assertEquals("1000", user(table, 0x1F90, 0xC000));
    assertNull("closed, so the kernel names root", user(table, 0xC001, 0x1F90));
    assertNull(user(table, 0xC002, 0x1F90));
  }

  private static String user(String table, int port, int remotePort) throws IOException {
    return Peers.user(new BufferedReader(new StringReader(table)), port, remotePort);
  }

  private interface Accept {
    Socket next() throws IOException;
  }

  private static void serve(Accept accept) {
    Thread thread =
        new Thread(
            () -> {
              for (int i = 0; i < 3; i++) {
                try (Socket connection = accept.next()) {
                  connection.getOutputStream().write("secret\n".getBytes(StandardCharsets.UTF_8));
                } catch (IOException e) {
                  continue; // A connection of another user.
                }
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private static boolean isRoot() throws Exception {
    return output("id -u", OWN).equals("0");
  }

  private static String read(int port, List<String> as) throws Exception {
    return output("exec 3<>/dev/tcp/127.0.0.1/" + port + " && timeout 20 cat <&3", as);
  }

  private static String output(String script, List<String> as) throws Exception {
    List<String> command = new ArrayList<>(as);
    command.addAll(Arrays.asList("bash", "-c", script));
    Process process = new ProcessBuilder(command).start();
    try (InputStream out = process.getInputStream()) {
      return IOUtils.toString(out, StandardCharsets.UTF_8).trim();
    } finally {
      process.waitFor();
    }
  }
}
