import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;

/**
 * Writes a CrawlDb of one part: two fetched rows, of which one may have bytes per language, and one
 * that is not fetched.
 */
public final class WriteCrawlDb {
  private WriteCrawlDb() {}

  public static void main(String[] args) throws Exception {
    try (MapFile.Writer rows =
        new MapFile.Writer(
            new Configuration(),
            new Path(args[0], "current/part-r-00000"),
            MapFile.Writer.keyClass(Text.class),
            SequenceFile.Writer.valueClass(CrawlDatum.class))) {
      byte[] states = {
        CrawlDatum.STATUS_DB_FETCHED, CrawlDatum.STATUS_DB_DUPLICATE, CrawlDatum.STATUS_DB_UNFETCHED
      };
      for (int i = 0; i < states.length; i++) {
        CrawlDatum row = new CrawlDatum(states[i], 1);
        if (i == 1 && Boolean.parseBoolean(args[1])) {
          row.getMetaData().put(new Text("crp.l"), new Text("urd:10"));
        }
        rows.append(new Text("http://host.example/" + i), row);
      }
    }
  }
}
