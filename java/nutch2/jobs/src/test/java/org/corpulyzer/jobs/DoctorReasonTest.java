package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.net.ConnectException;
import java.util.Collections;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.junit.Test;

public class DoctorReasonTest {

  @Test
  public void theReasonIsTheCauseAndNotTheNumberOfAttempts() {
    IOException refused = new ConnectException("Connection refused");
    Throwable exhausted =
        new RetriesExhaustedException(
            0,
            Collections.singletonList(
                new RetriesExhaustedException.ThrowableWithExtraContext(refused, 0, "")));
    assertEquals("Failed after attempts=1, exceptions:", exhausted.getMessage().split("\\R", 2)[0]);
    assertEquals("Connection refused", Doctor.reason(exhausted));
    assertEquals("no master", Doctor.reason(new IOException("no master\nat line 2")));
  }
}
