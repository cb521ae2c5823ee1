package org.corpulyzer.jobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.util.Properties;
import org.apache.gora.hbase.store.HBaseStore;
import org.apache.gora.hbase.store.HBaseTableConnection;
import org.apache.gora.persistency.impl.PersistentBase;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.nutch.storage.StorageUtils;

/**
 * Gora's store for HBase, in which a refused read or write fails the task. Gora 0.8 only logs it
 * and continues: a page that was not written is lost, and a row that was not read is replaced by
 * Nutch's updatedb as if it were new.
 *
 * @param <K> type of the keys
 * @param <T> type of the rows
 */
public final class StrictHBaseStore<K, T extends PersistentBase> extends HBaseStore<K, T> {

  @Override
  public void initialize(Class<K> keyClass, Class<T> persistentClass, Properties properties) {
    super.initialize(keyClass, persistentClass, properties);
    try {
      // Every call of the store uses this field, and catches only IOException.
      Field table = field(HBaseStore.class, "table");
      HBaseTableConnection lenient = (HBaseTableConnection) table.get(this);
      table.set(this, new StrictTable(getConf(), lenient.getName().getNameAsString()));
      // Gora never closes it, and it has a ZooKeeper session.
      ((Connection) field(HBaseTableConnection.class, "connection").get(lenient)).close();
    } catch (ReflectiveOperationException | IOException e) {
      throw new IllegalStateException(
          "Gora's HBase store is not that of Gora 0.8, or HBase does not answer: " + e + ".", e);
    }
  }

  /** Makes this the store of web pages, unless the operator has one of another class. */
  static void replaceLenientIn(Configuration conf) throws ClassNotFoundException {
    if (HBaseStore.class.equals(StorageUtils.getDataStoreClass(conf))) {
      conf.set("storage.data.store.class", StrictHBaseStore.class.getName());
    }
  }

  private static Field field(Class<?> of, String name) throws NoSuchFieldException {
    Field field = of.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  private static final class StrictTable extends HBaseTableConnection {

    StrictTable(Configuration conf, String table) throws IOException {
      super(conf, table, conf.getBoolean("hbase.client.autoflush.default", false));
    }

    @Override
    public Result get(Get get) {
      try {
        return super.get(get);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Called by the store's flush, and its close: puts and deletes wait until then. */
    @Override
    public void flushCommits() {
      try {
        super.flushCommits();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
