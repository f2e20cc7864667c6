package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names in braces are resolved where they are names, and nowhere else. */
class TableNamesTest {
  private static String resolve(String sql) {
    return TableNames.resolve(sql, Map.of("t", "\"p_t\"", "odd", "\"a{t}b\"")::get);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      delimiter = '|',
      textBlock =
          """
          SELECT 1|SELECT 1
          SELECT * FROM {t}|SELECT * FROM "p_t"
          {t}{t}|"p_t""p_t"
          SELECT '{t}' FROM {t}|SELECT '{t}' FROM "p_t"
          SELECT 'it''s {t}', {t}|SELECT 'it''s {t}', "p_t"
          SELECT "{t}" , `{t}`, [{t}]|SELECT "{t}" , `{t}`, [{t}]
          SELECT 1 /* {t} */ - {t} / {t}|SELECT 1 /* {t} */ - "p_t" / "p_t"
          SELECT 1 -- {t}|SELECT 1 -- {t}
          SELECT '{t}|SELECT '{t}
          SELECT {odd}|SELECT "a{t}b"
          """)
  void resolves(String sql, String expected) {
    assertEquals(expected, resolve(sql));
  }

  @Test
  void aLineCommentEndsWithItsLine() {
    assertEquals("-- {t}\n\"p_t\"", resolve("-- {t}\n{t}"));
  }

  @Test
  void anUnknownTableIsNamed() {
    TickwellException e =
        assertThrows(TickwellException.class, () -> resolve("SELECT 1 FROM {nobody}"));
    assertEquals(ErrorCode.UNKNOWN_TABLE, e.code());
    assertEquals("nobody", e.context().get("table"));
    assertEquals("14", e.context().get("position"));
  }

  @Test
  void anOpenBraceIsRefused() {
    TickwellException e = assertThrows(TickwellException.class, () -> resolve("SELECT {t"));
    assertEquals(ErrorCode.SYNTAX, e.code());
  }
}
