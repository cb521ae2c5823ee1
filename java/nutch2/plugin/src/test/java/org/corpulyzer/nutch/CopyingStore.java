package org.corpulyzer.nutch;

import org.apache.gora.memory.store.MemStore;
import org.apache.gora.persistency.impl.PersistentBase;
import org.apache.gora.util.AvroUtils;

/**
 * A table in memory that keeps what it was given: Hadoop hands reducers one object again and again,
 * and MemStore would keep that.
 */
public class CopyingStore<K, T extends PersistentBase> extends MemStore<K, T> {

  @Override
  public void put(K key, T row) {
    super.put(key, AvroUtils.deepClonePersistent(row));
  }
}
