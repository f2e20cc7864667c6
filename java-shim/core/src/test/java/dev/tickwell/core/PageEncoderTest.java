package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import dev.tickwell.ValueType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the encoder writes the reader reads, and what a type cannot keep is refused. */
class PageEncoderTest {

  private static PageReader page(ValueType type, Object... values) {
    PageEncoder encoder = new PageEncoder(values.length, new ValueType[] {type}, null);
    encoder.beginColumn();
    for (Object value : values) {
      assertNull(Cells.put(encoder, type, null, value));
    }
    byte[] bytes = encoder.finish();
    return new PageReader(bytes, 0, bytes.length);
  }

  private static String refusal(ValueType type, Object value) {
    PageEncoder encoder = new PageEncoder(1, new ValueType[] {type}, null);
    encoder.beginColumn();
    String problem = Cells.put(encoder, type, null, value);
    assertNotNull(problem, type + " took " + value);
    return problem;
  }

  @Test
  void aLateNullMovesWhatIsThere() {
    // Random columns with the first null anywhere, against the plain values.
    Random random = new Random(7);
    for (int run = 0; run < 200; run++) {
      int rows = random.nextInt(40);
      Object[] texts = new Object[rows];
      Object[] longs = new Object[rows];
      for (int row = 0; row < rows; row++) {
        texts[row] = random.nextInt(4) == 0 ? null : "é".repeat(random.nextInt(5));
        longs[row] = random.nextInt(9) == 0 ? null : random.nextLong();
      }
      PageReader textPage = page(ValueType.TEXT, texts);
      PageReader longPage = page(ValueType.BIGINT, longs);
      for (int row = 0; row < rows; row++) {
        assertEquals(texts[row], Cells.get(textPage, row, 0));
        assertEquals(longs[row], Cells.get(longPage, row, 0));
      }
    }
  }

  @Test
  void textOfTenMegabytesOfEmoji() {
    String emoji = "😀".repeat(2_500_000);
    PageReader page = page(ValueType.TEXT, emoji, "x", emoji);
    assertEquals(emoji, page.getText(0, 0));
    assertEquals("x", page.getText(1, 0));
    assertEquals(emoji, page.getText(2, 0));
  }

  @Test
  void largeAsciiTextIsNotTakenForMoreThanItIs() {
    String ascii = "a".repeat(30 << 20);
    assertEquals(ascii, page(ValueType.TEXT, ascii).getText(0, 0));
  }

  @Test
  void moreThanAPageHoldsIsRefused() {
    byte[] half = new byte[33 << 20];
    TickwellException e =
        assertThrows(TickwellException.class, () -> page(ValueType.BYTES, half, half));
    assertEquals(ErrorCode.INVALID_VALUE, e.code());
    assertTrue(e.getMessage().contains("67108864"), e.getMessage());
  }

  @Test
  void halfASurrogatePairIsRefused() {
    for (String text :
        new String[] {"\uD83D", "a\uDE00b", "\uDE00\uD83D", "é\uD83Dx", "😀\uD83D"}) {
      assertTrue(refusal(ValueType.TEXT, text).contains("surrogate"), text);
    }
  }

  @Test
  void nulCharacterIsKept() {
    PageReader page = page(ValueType.TEXT, "a\0b", "\0");
    assertEquals("a\0b", page.getText(0, 0));
    assertArrayEquals(new byte[] {0}, page.getText(1, 0).getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void digitsBelowAMicrosecondAreCutTowardTheEarlier() {
    Instant before = Instant.parse("1969-12-31T23:59:58.000001999Z");
    assertEquals(
        Instant.parse("1969-12-31T23:59:58.000001Z"),
        page(ValueType.TIMESTAMP, before).getTimestamp(0, 0));
    LocalTime time = LocalTime.of(1, 2, 3, 4_999);
    assertEquals(LocalTime.of(1, 2, 3, 4_000), Cells.get(page(ValueType.TIME_OF_DAY, time), 0, 0));
  }

  @Test
  void theEarliestAndLatestInstants() {
    Instant first = Instant.ofEpochSecond(-9_223_372_036_855L, 224_192_000);
    Instant last = Instant.ofEpochSecond(9_223_372_036_854L, 775_807_000);
    PageReader page = page(ValueType.TIMESTAMP, first, last);
    assertEquals(Long.MIN_VALUE, page.getLong(0, 0));
    assertEquals(Long.MAX_VALUE, page.getLong(1, 0));
    assertEquals(first, page.getTimestamp(0, 0));
    assertEquals(last, page.getTimestamp(1, 0));
    refusal(ValueType.TIMESTAMP, first.minusNanos(1));
    refusal(ValueType.TIMESTAMP, last.plusNanos(1_000));
    refusal(ValueType.TIMESTAMP, Instant.MAX);
    refusal(ValueType.TIMESTAMP, Instant.MIN);
  }

  @Test
  void valuesOutsideOfARangeAreRefused() {
    refusal(ValueType.TINYINT, 128);
    refusal(ValueType.SMALLINT, -32_769L);
    refusal(ValueType.INT, 1L << 31);
    refusal(ValueType.DATE, LocalDate.MAX);
    refusal(ValueType.TIMESPAN, Duration.ofSeconds(Long.MAX_VALUE));
    refusal(ValueType.DECIMAL, new BigDecimal("1E+2147483647"));
  }

  @Test
  void valuesOfAnotherTypeAreRefusedByName() {
    assertTrue(refusal(ValueType.UUID, "069a79f4").contains("java.lang.String"));
    refusal(ValueType.BOOLEAN, 1);
    refusal(ValueType.INT, 1.0);
    refusal(ValueType.FLOAT, 1.0);
    refusal(ValueType.TEXT, 'c');
    refusal(ValueType.OBJECT, new Object());
  }

  @Test
  void smallerIntegersWiden() {
    PageReader page = page(ValueType.BIGINT, 1, (short) 2, (byte) 3, 4L);
    for (int row = 0; row < 4; row++) {
      assertEquals(row + 1L, page.getLong(row, 0));
    }
  }

  @Test
  void decimalsKeepTheirScale() {
    PageReader page =
        page(
            ValueType.DECIMAL,
            new BigDecimal("2800003753376.20000000000000000000"),
            new BigDecimal("1E+3"));
    assertEquals(new BigDecimal("2800003753376.20000000000000000000"), page.getDecimal(0, 0));
    assertEquals(new BigDecimal("1000"), page.getDecimal(1, 0));
  }

  @Test
  void utf8ChecksFollowTheStandard() {
    int[][] valid = {
      {0x41}, {0xC2, 0x80}, {0xE0, 0xA0, 0x80}, {0xED, 0x9F, 0xBF}, {0xF4, 0x8F, 0xBF, 0xBF}
    };
    int[][] invalid = {
      {0x80},
      {0xC0, 0x80},
      {0xC1, 0xBF},
      {0xE0, 0x9F, 0xBF},
      {0xED, 0xA0, 0x80},
      {0xF0, 0x8F, 0xBF, 0xBF},
      {0xF4, 0x90, 0x80, 0x80},
      {0xF5, 0x80, 0x80, 0x80},
      {0xE2, 0x82},
      {0xC3}
    };
    for (int[] each : valid) {
      byte[] bytes = bytes(each);
      assertEquals(-1, Utf8.firstInvalid(bytes, 0, bytes.length));
    }
    for (int[] each : invalid) {
      byte[] bytes = bytes(each);
      assertEquals(0, Utf8.firstInvalid(bytes, 0, bytes.length));
    }
    byte[] ascii = "nine bytes".getBytes(StandardCharsets.US_ASCII);
    assertTrue(Utf8.isAscii(ascii, 0, ascii.length));
    ascii[9] = (byte) 0xC3;
    assertFalse(Utf8.isAscii(ascii, 0, ascii.length));
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int index = 0; index < values.length; index++) {
      bytes[index] = (byte) values[index];
    }
    return bytes;
  }
}
