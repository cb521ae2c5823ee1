package org.corpulyzer.corpus;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.junit.Test;

public class TableCellTest {
  @Test
  public void aStrictReaderFindsTheCellsThatWereMeant() throws Exception {
    String[] texts = {
      "\"", "\"\"", "a \"b\" c", "http://a.pk/\"x\"", "\"=cmd()\"", "צה\"ל", "'tis", "-1.5", "", "a"
    };
    String row = Arrays.stream(texts).map(TableCell::of).collect(Collectors.joining("\t"));
    CSVFormat strict = CSVFormat.RFC4180.builder().setDelimiter('\t').build();
    try (CSVParser parser = CSVParser.parse(row + "\n" + row + "\n", strict)) {
      List<CSVRecord> rows = parser.getRecords();
      assertEquals(2, rows.size());
      for (CSVRecord read : rows) {
        List<String> cells = new ArrayList<>();
        read.forEach(cells::add);
        assertEquals(Arrays.asList(texts), cells);
      }
    }
  }

  @Test
  public void cellsAreThoseOfTheCommand() {
    String[][] cells = {
      {"=cmd()", "'=cmd()"},
      {" +a", "' +a"},
      {"\t＝a", "' ＝a"},
      {"\u3000@a", "'\u3000@a"},
      {"'=a", "''=a"},
      {"-", "'-"},
      {"-2+3", "'-2+3"},
      {"+3", "+3"},
      {"=\"a\"", "\"'=\"\"a\"\"\""},
      {"a\tb\nc\u001b[2J\u2028d\u0085", "a b c [2J d "},
      {"http://a.pk/?x=1", "http://a.pk/?x=1"},
    };
    for (String[] cell : cells) {
      assertEquals(cell[1], TableCell.of(cell[0]));
    }
  }
}
