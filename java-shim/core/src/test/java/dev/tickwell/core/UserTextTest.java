package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.Effect;
import dev.tickwell.ErrorCode;
import dev.tickwell.Key;
import dev.tickwell.Table;
import dev.tickwell.TickwellException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a player reads of a failure. */
class UserTextTest {
  record Home(@Key String name) {}

  private static String text(ErrorCode code, Effect effect) {
    return new TickwellException(
            code, effect, false, "insert", "secret", Map.of("table", "secret"), null)
        .userText();
  }

  @Test
  void aTakenKeyExistsAlready() {
    try (Bed bed = new Bed(Bed.temporary())) {
      Table<Home> homes = bed.db.table("homes", Home.class).register();
      Bed.await(homes.insert(new Home("base")));
      assertEquals("That exists already.", Bed.failure(homes.insert(new Home("base"))).userText());
    }
  }

  @Test
  void aPlayerIsToldToTryAgainOnlyWhenThatCanHelpAndDoesNoHarm() {
    for (ErrorCode code : ErrorCode.values()) {
      boolean again = text(code, Effect.NONE).contains("try again");
      boolean passes =
          code == ErrorCode.BUSY || code == ErrorCode.TIMEOUT || code == ErrorCode.LOCKED;
      assertEquals(passes, again, code.name());
      assertTrue(text(code, Effect.UNKNOWN).contains("look before you try again"), code.name());
      assertTrue(text(code, Effect.APPLIED).contains("was stored"), code.name());
    }
  }

  @Test
  void noTextNamesWhatAPlayerDoesNotKnow() {
    for (ErrorCode code : ErrorCode.values()) {
      for (Effect effect : Effect.values()) {
        String text = text(code, effect);
        assertFalse(text.contains("secret") || text.contains("insert"), text);
        assertTrue(text.endsWith(".") && text.length() <= 80, text);
      }
    }
  }
}
