package dev.tickwell;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** Which rows. Made by {@link Filters}; immutable. Columns and parts are not null. */
public sealed interface Filter {
  /** All of these. */
  record And(List<Filter> filters) implements Filter {
    /** Copies the list. */
    public And {
      filters = List.copyOf(filters);
    }
  }

  /** At least one of these. */
  record Or(List<Filter> filters) implements Filter {
    /** Copies the list. */
    public Or {
      filters = List.copyOf(filters);
    }
  }

  /** Not this. */
  record Not(Filter filter) implements Filter {
    /** Refuses null. */
    public Not {
      Objects.requireNonNull(filter, "filter");
    }
  }

  /** A column compared with a value. */
  record Compare(String column, Comparison comparison, Object value) implements Filter {
    /** Refuses null but as the value, which the request is refused for. */
    public Compare {
      Objects.requireNonNull(column, "column");
      Objects.requireNonNull(comparison, "comparison");
    }
  }

  /** A column between two values, both included. */
  record Between(String column, Object low, Object high) implements Filter {
    /** Refuses null but as a value, which the request is refused for. */
    public Between {
      Objects.requireNonNull(column, "column");
    }
  }

  /** A column with one of these values. */
  record In(String column, List<Object> values) implements Filter {
    /** Copies the list; a null in it is what the request is refused for. */
    public In {
      Objects.requireNonNull(column, "column");
      values = Collections.unmodifiableList(new ArrayList<>(values));
    }
  }

  /** A column that matches a pattern of {@code %} and {@code _}; {@code \} escapes. */
  record Like(String column, String pattern) implements Filter {
    /** Refuses null but as the pattern, which the request is refused for. */
    public Like {
      Objects.requireNonNull(column, "column");
    }
  }

  /** A column without a value. */
  record IsNull(String column) implements Filter {
    /** Refuses null. */
    public IsNull {
      Objects.requireNonNull(column, "column");
    }
  }

  /** How two values are compared. */
  enum Comparison {
    /** Equal. */
    EQ(1),
    /** Not equal. */
    NE(2),
    /** Less. */
    LT(3),
    /** Less or equal. */
    LE(4),
    /** Greater. */
    GT(5),
    /** Greater or equal. */
    GE(6);

    private final int number;

    Comparison(int number) {
      this.number = number;
    }

    /** The number with which it crosses to the native library. */
    public int number() {
      return number;
    }
  }
}
