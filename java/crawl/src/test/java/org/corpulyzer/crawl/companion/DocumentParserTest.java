package org.corpulyzer.crawl.companion;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseUtil;
import org.apache.nutch.protocol.Content;
import org.junit.Before;
import org.junit.Test;

/**
 * Documents, good ones and hostile ones, through Nutch's ParseUtil. All go through one process at
 * most.
 */
public class DocumentParserTest {
  private static final int SECONDS = 6;
  private static final String URDU =
      "شہری انتظامیہ کے ایک افسر نے بتایا کہ کام اگلے مہینے تک مکمل کر لیا جائے گا";
  private static final String DOCX =
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

  private static final String XLSX =
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

  /** A sheet with one cell, in gzip; made with Apache POI. */
  private static final String XLS =
      "H4sIAAAAAAAA/+1XTUwTQRR+s91OW4HSAooWxU0r9oeqEDEhEmwxlIsxMSRGEzEVgokGI6Zy8WT9u2li4tULRy6iFz"
          + "1ojL15aKLBg4mn4tGbiSYegPWbt7uyrUEhMUaQ17z3Zr753vzsvpnZvn0Trkw/icxTjfSRh5bMAEkXJtyEEJFmY0um"
          + "aTrt5qasKxmmSfymyKAcXYYv0LXaVPilbCOvcPoSv6ezeKBZn1U+hdELNEFjPI+JNY2tpIk04V7PauNafWseakOK2r"
          + "uLUOV11L1QaeObsvFF7Vl1jqs96X7/anv4oQHoFmgdtB7aAA1CG4mvAAqT2oNEzdAW6FZSZwL2F3Q7dAc0Am2D7tzM"
          + "q39OAn68Remld6Gyb8B+9/PIiMd6ifPiI3SErqjcKExOThl/S47yHEaFmkM/24dAgsgnjTNO45xTdpZbX1hMtFwQQT"
          + "Fy+GWsl883Qae1LPPusY2yDcIKesYxHxjpRua+hjev37evMS8NFC6OXvqDDe16BEXskOieaCwdi3Xlk30Jp5xs13fj"
          + "6UeqWs8Mnx8/66YY2Jhty5T9XVV9oApOBzauUcup7skiHqIUdRHlFZwynDHtasIa0qlG90W5LZtHYJqSFFeB7ih3SA"
          + "2/n9LUWz2QNauqsdSkXMNlMssd9FAnHXAN6ETXhNbEVfhEIvpqGq4b75WhcOHgX1aHa2vE6T/EhUo7qsYF3hzzv9Xi"
          + "yRXw9Ap4agU88BP+QNMpVPSYyoeLkn1TUWffXPSxpyKxbyl6zXN8DtxBT5+81jqu3sWBJ/B7JNjrrdhTzuftAk1zWe"
          + "kxEj2yJLtlWRoUl0MyJXtlXOZQLwGZkXOMl+UM+wF5EFyDhhhPgK3a4sy0+CpWMWflIHNywMvS4qe4lxxsDq2Krfoa"
          + "tHtIw+5l3ixKJm5tP2W81q2tbnDrpA/R84ayr0TWSV+ntfx4X87yKlLd8up8rIcdx02vymHO9BD6XJj5PHd87EQmz3"
          + "iK8U62Nxkp8neDJR3qSZNJN9BS0p3vg1vMvs12GieywCiCfxqlRdqeSCXjeEEn0YJetaBrpsr6tZBdtj/8RSMt8mqt"
          + "LxSi91hnlEtHtCZ6yn9ns64s3QWep/oBqPBV35+0zuU7wO6sUAAQAAA=";

  private Configuration conf;

  @Before
  public void configure() {
    conf = Plugins.configuration();
    conf.setInt(DocumentParser.SECONDS, SECONDS);
    conf.setInt(DocumentParser.CHARACTERS, 100_000);
  }

  @Test
  public void aHostWhoseDocumentsAreSlowIsLeftForTheRoundAlone() {
    DocumentTimes times = new DocumentTimes(60_000);
    times.add("1", "slow.test", 35_000);
    assertFalse(times.isOver("1", "slow.test"));
    times.add("1", "slow.test", 35_000);
    times.add("1", "quick.test", 100);
    assertTrue(times.isOver("1", "slow.test"));
    assertFalse(times.isOver("1", "quick.test"));
    assertFalse(times.isOver("2", "slow.test"));
    times.add("2", "quick.test", 100);
    assertFalse(times.isOver("2", "slow.test"));
  }

  @Test(timeout = 120_000)
  public void textAndTitleOfDocumentsAreRead() throws Exception {
    assertText(
        "Hello from page one",
        parse("application/pdf", pdf("BT /F1 12 Tf 72 700 Td (Hello from page one) Tj ET")));
    assertText(URDU, parse(DOCX, docx("<w:p><w:r><w:t>" + URDU + "</w:t></w:r></w:p>")));
    assertText(
        "plain words", parse("application/rtf", bytes("{\\rtf1\\ansi\\pard plain words\\par}")));
  }

  @Test(timeout = 120_000)
  public void textOfOpenDocumentsAndOfSpreadsheetsIsRead() throws Exception {
    String office = "urn:oasis:names:tc:opendocument:xmlns:office:1.0";
    String text = "urn:oasis:names:tc:opendocument:xmlns:text:1.0";
    String table = "urn:oasis:names:tc:opendocument:xmlns:table:1.0";
    String paragraph = "<text:p xmlns:text='" + text + "'>" + URDU + "</text:p>";
    String cell =
        "<table:table xmlns:table='"
            + table
            + "'><table:table-row><table:table-cell>"
            + paragraph
            + "</table:table-cell></table:table-row></table:table>";
    String[][] bodies = {
      {"text", "text", paragraph},
      {"presentation", "presentation", paragraph},
      {"spreadsheet", "spreadsheet", cell}
    };
    for (String[] body : bodies) {
      String type = "application/vnd.oasis.opendocument." + body[0];
      byte[] file =
          zip(
              "mimetype",
              type,
              "content.xml",
              "<office:document-content xmlns:office='"
                  + office
                  + "'><office:body><office:"
                  + body[1]
                  + ">"
                  + body[2]
                  + "</office:"
                  + body[1]
                  + "></office:body></office:document-content>");
      assertText(URDU, parse(type, file));
    }
    String sheets = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    String package2006 = "http://schemas.openxmlformats.org/package/2006/";
    String relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    byte[] xlsx =
        zip(
            "[Content_Types].xml",
            "<Types xmlns='"
                + package2006
                + "content-types'><Default Extension='rels'"
                + " ContentType='application/vnd.openxmlformats-package.relationships+xml'/><Override"
                + " PartName='/xl/workbook.xml' ContentType='"
                + XLSX
                + ".main+xml'/><Override PartName='/xl/sheet1.xml' ContentType="
                + "'application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml'/></Types>",
            "_rels/.rels",
            "<Relationships xmlns='"
                + package2006
                + "relationships'><Relationship Id='r1' Type='"
                + relations
                + "/officeDocument' Target='xl/workbook.xml'/></Relationships>",
            "xl/workbook.xml",
            "<workbook xmlns='"
                + sheets
                + "' xmlns:r='"
                + relations
                + "'><sheets><sheet name='s' sheetId='1' r:id='r1'/></sheets></workbook>",
            "xl/_rels/workbook.xml.rels",
            "<Relationships xmlns='"
                + package2006
                + "relationships'><Relationship Id='r1' Type='"
                + relations
                + "/worksheet' Target='sheet1.xml'/></Relationships>",
            "xl/sheet1.xml",
            "<worksheet xmlns='"
                + sheets
                + "'><sheetData><row r='1'><c r='A1' t='inlineStr'><is><t>"
                + URDU
                + "</t></is></c></row></sheetData></worksheet>");
    assertContains(URDU, parse(XLSX, xlsx));
    try (GZIPInputStream xls =
        new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(XLS)))) {
      assertContains(URDU, parse("application/vnd.ms-excel", xls.readAllBytes()));
    }
  }

  private static void assertContains(String expected, Parse parse) {
    assertTrue(parse.getData().getStatus().toString(), parse.getData().getStatus().isSuccess());
    assertTrue(parse.getText(), parse.getText().contains(expected));
  }

  private static byte[] zip(String... namesAndTexts) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(bytes)) {
      for (int i = 0; i < namesAndTexts.length; i += 2) {
        boolean isType = namesAndTexts[i].equals("mimetype");
        ZipEntry entry = new ZipEntry(namesAndTexts[i]);
        byte[] content =
            bytes(
                (isType ? "" : "<?xml version='1.0' encoding='UTF-8'?>\n") + namesAndTexts[i + 1]);
        if (isType) {
          // OpenDocument: the first entry, not compressed.
          CRC32 sum = new CRC32();
          sum.update(content);
          entry.setMethod(ZipEntry.STORED);
          entry.setSize(content.length);
          entry.setCrc(sum.getValue());
        }
        out.putNextEntry(entry);
        out.write(content);
        out.closeEntry();
      }
    }
    return bytes.toByteArray();
  }

  @Test(timeout = 120_000)
  public void aDocumentThatNeverEndsCostsItsTimeAlone() throws Exception {
    Parse parse = parse("application/pdf", endlessPdf());
    assertFalse(parse.getData().getStatus().isSuccess());
    assertTrue(
        parse.getData().getStatus().toString(),
        parse.getData().getStatus().getMessage().contains("more than " + SECONDS * 1000 + " ms"));
    assertText("after", parse("application/pdf", pdf("BT /F1 12 Tf 72 700 Td (after) Tj ET")));
  }

  @Test(timeout = 120_000)
  public void aDocumentThatFillsTheMemoryEndsItsProcessAlone() throws Exception {
    Parse parse = parse("application/pdf", bombPdf());
    assertTrue(parse.getData().getStatus().toString(), parse.getText().trim().isEmpty());
    assertText("after", parse("application/pdf", pdf("BT /F1 12 Tf 72 700 Td (after) Tj ET")));
  }

  @Test(timeout = 120_000)
  public void brokenDocumentsAreFailedParses() throws Exception {
    for (String[] broken :
        new String[][] {
          {"application/pdf", "%PDF-1.4\nnothing"}, {DOCX, "PK\u0003\u0004nothing"}
        }) {
      assertFalse(broken[0], parse(broken[0], bytes(broken[1])).getData().getStatus().isSuccess());
    }
  }

  @Test(timeout = 120_000)
  public void aLongTextIsCutAtItsLimit() throws Exception {
    Parse parse = parse(DOCX, docx(("<w:p><w:r><w:t>" + URDU + "</w:t></w:r></w:p>").repeat(3000)));
    assertTrue(parse.getData().getStatus().toString(), parse.getData().getStatus().isSuccess());
    assertEquals(100_000, parse.getText().length(), 100);
  }

  @Test(timeout = 120_000)
  public void aLongTitleIsCut() throws Exception {
    String title = "title ".repeat(100_000);
    Parse parse =
        parse(
            "application/rtf",
            bytes("{\\rtf1\\ansi{\\info{\\title " + title + "}}\\pard plain words\\par}"));
    assertText("plain words", parse);
    assertEquals(DocumentWorker.MAX_LINE, parse.getData().getTitle().length());
  }

  @Test(timeout = 120_000)
  public void aProcessThatIsEndedLeavesNoFiles() throws Exception {
    Path plugin = Paths.get(System.getProperty("corpulyzer.plugins"), "corpulyzer-companion");
    DocumentProcess process =
        new DocumentProcess(plugin.resolve("corpulyzer-companion.jar"), 64, 1000, 2000);
    try {
      try {
        process.read("application/pdf", endlessPdf());
        fail("an endless document has an end");
      } catch (IOException e) {
        assertTrue(e.getMessage(), e.getMessage().contains("more than 2000 ms"));
      }
      assertFalse(Files.exists(process.temporary()));
      process.read("application/rtf", bytes("{\\rtf1 words\\par}"));
      assertTrue(Files.isDirectory(process.temporary()));
    } finally {
      process.stop();
    }
    assertFalse(Files.exists(process.temporary()));
  }

  /** On a busy machine a document waits for a processor; here its process is stopped. */
  @Test(timeout = 120_000)
  public void aDocumentThatWaitsForTheProcessorKeepsItsTime() throws Exception {
    Path plugin = Paths.get(System.getProperty("corpulyzer.plugins"), "corpulyzer-companion");
    DocumentProcess process =
        new DocumentProcess(plugin.resolve("corpulyzer-companion.jar"), 64, 1000, 2000);
    ExecutorService reader = Executors.newSingleThreadExecutor();
    try {
      process.read("application/rtf", bytes("{\\rtf1 words\\par}"));
      String folder = process.temporary().toString();
      String pid =
          ProcessHandle.current()
              .children()
              .filter(child -> Arrays.asList(child.info().arguments().get()).contains(folder))
              .map(child -> Long.toString(child.pid()))
              .findFirst()
              .get();
      Future<Object> text = reader.submit(() -> process.read("application/pdf", endlessPdf()));
      Thread.sleep(500);
      signal("-STOP", pid);
      Thread.sleep(3000);
      signal("-CONT", pid);
      long began = System.nanoTime();
      assertThrows(ExecutionException.class, text::get);
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
      assertTrue("it had " + millis + " ms after it had waited", millis >= 500);
    } finally {
      reader.shutdownNow();
      process.stop();
    }
  }

  private static void signal(String signal, String pid) throws Exception {
    assertEquals(0, new ProcessBuilder("kill", signal, pid).start().waitFor());
  }

  private Parse parse(String type, byte[] bytes) throws Exception {
    String url = "http://example.org/document";
    return new ParseUtil(conf)
        .parse(new Content(url, url, bytes, type, new Metadata(), conf))
        .get(url);
  }

  private static void assertText(String expected, Parse parse) {
    assertTrue(parse.getData().getStatus().toString(), parse.getData().getStatus().isSuccess());
    assertEquals(expected, parse.getText().trim());
  }

  private static byte[] pdf(String content) throws IOException {
    return pdf(stream("", bytes(content)), "");
  }

  /** A form that draws the next one twice, thirty levels deep. */
  private static byte[] endlessPdf() throws IOException {
    List<byte[]> forms = new ArrayList<>();
    int first = 5;
    int levels = 30;
    for (int i = 0; i < levels; i++) {
      String resources =
          i + 1 < levels ? "/Resources << /XObject << /X " + (first + i + 1) + " 0 R >> >> " : "";
      forms.add(
          stream(
              "/Type /XObject /Subtype /Form /BBox [0 0 9 9] " + resources,
              bytes(i + 1 < levels ? "/X Do /X Do" : "")));
    }
    return pdf(
        stream("", bytes("/X Do")),
        "/XObject << /X " + first + " 0 R >>",
        forms.toArray(new byte[0][]));
  }

  private static byte[] bombPdf() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new DeflaterOutputStream(packed)) {
      byte[] blanks = bytes(" ".repeat(1 << 20));
      for (int i = 0; i < 600; i++) {
        out.write(blanks);
      }
    }
    return pdf(stream("/Filter /FlateDecode ", packed.toByteArray()), "");
  }

  private static byte[] stream(String dictionary, byte[] content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes("<< " + dictionary + "/Length " + content.length + " >>\nstream\n"));
    out.write(content);
    out.write(bytes("\nendstream"));
    return out.toByteArray();
  }

  private static byte[] pdf(byte[] content, String resources, byte[]... more) throws IOException {
    List<byte[]> objects =
        new ArrayList<>(
            Arrays.asList(
                bytes("<< /Type /Catalog /Pages 2 0 R >>"),
                bytes("<< /Type /Pages /Kids [3 0 R] /Count 1 >>"),
                bytes(
                    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
                        + " /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont"
                        + " /Helvetica >> >> "
                        + resources
                        + " >> >>"),
                content));
    objects.addAll(Arrays.asList(more));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes("%PDF-1.4\n"));
    StringBuilder table =
        new StringBuilder("xref\n0 " + (objects.size() + 1) + "\n0000000000 65535 f \n");
    for (int i = 0; i < objects.size(); i++) {
      table.append(String.format("%010d 00000 n %n", out.size()));
      out.write(bytes(i + 1 + " 0 obj\n"));
      out.write(objects.get(i));
      out.write(bytes("\nendobj\n"));
    }
    int start = out.size();
    out.write(
        bytes(
            table
                + "trailer << /Size "
                + (objects.size() + 1)
                + " /Root 1 0 R >>\nstartxref\n"
                + start
                + "\n%%EOF\n"));
    return out.toByteArray();
  }

  private static byte[] docx(String body) throws IOException {
    String head = "<?xml version='1.0' encoding='UTF-8' standalone='yes'?>\n";
    String types = "http://schemas.openxmlformats.org/package/2006/";
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(bytes)) {
      put(
          out,
          "[Content_Types].xml",
          head
              + "<Types xmlns='"
              + types
              + "content-types'><Default Extension='rels'"
              + " ContentType='application/vnd.openxmlformats-package.relationships+xml'/><Override"
              + " PartName='/word/document.xml' ContentType='"
              + DOCX
              + ".main+xml'/></Types>");
      put(
          out,
          "_rels/.rels",
          head
              + "<Relationships xmlns='"
              + types
              + "relationships'><Relationship Id='rId1'"
              + " Type='http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument'"
              + " Target='word/document.xml'/></Relationships>");
      put(
          out,
          "word/document.xml",
          head
              + "<w:document"
              + " xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:body>"
              + body
              + "</w:body></w:document>");
    }
    return bytes.toByteArray();
  }

  private static void put(ZipOutputStream out, String name, String text) throws IOException {
    out.putNextEntry(new ZipEntry(name));
    out.write(bytes(text));
    out.closeEntry();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
