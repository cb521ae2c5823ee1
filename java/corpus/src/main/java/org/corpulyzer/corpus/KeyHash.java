package org.corpulyzer.corpus;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** A hash of 64 bits that is the same in every JVM: the beginning of the MD5. Not thread-safe. */
public final class KeyHash {

  private final MessageDigest md5;

  /** Opens the digest. */
  public KeyHash() {
    try {
      md5 = MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has MD5", e);
    }
  }

  /**
   * @return first 64 bits of the MD5 of these bytes
   */
  public long of(byte[] key) {
    return ByteBuffer.wrap(md5.digest(key)).getLong();
  }
}
