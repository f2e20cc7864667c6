package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.ObjectCodec;
import dev.tickwell.TickwellException;
import dev.tickwell.ValueType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the rows of one result into records: which column each component takes, checked once.
 * Immutable; any thread.
 */
final class RecordReader {
  private final PageRows<?> rows;
  private final RecordShape shape;
  private final int[] columns;
  private final Map<String, Enum<?>>[] constants;
  private final ObjectCodec<?>[] codecs;

  /**
   * Finds the columns.
   *
   * @throws TickwellException {@code UNKNOWN_COLUMN} naming a component without a column, {@code
   *     INVALID_VALUE} for a column of another type than its component
   */
  RecordReader(PageRows<?> rows, RecordShape shape, Codecs known) {
    this.rows = rows;
    this.shape = shape;
    List<RecordShape.Component> components = shape.components();
    this.columns = new int[components.size()];
    this.constants = newConstants(columns.length);
    this.codecs = new ObjectCodec<?>[columns.length];
    for (int index = 0; index < columns.length; index++) {
      RecordShape.Component component = components.get(index);
      int column = rows.position(component.name());
      if (column < 0) {
        throw Problems.of(
            ErrorCode.UNKNOWN_COLUMN,
            "read",
            "the result has no column for component "
                + component.name()
                + " of "
                + shape.type().getName()
                + "; read the values by the accessors of Rows, or select the column",
            "column",
            component.name());
      }
      columns[index] = column;
      ValueType type = rows.columnType(column);
      if (component.javaType().isEnum()) {
        constants[index] = constants(component.javaType());
      } else if (component.plainType() == null) {
        codecs[index] = codec(component, known, column, type);
      }
      boolean matches =
          component.plainType() == null
              ? codecs[index] != null
              : reads(component.plainType(), type);
      if (!matches) {
        throw Problems.of(
            ErrorCode.INVALID_VALUE,
            "read",
            "a column of type "
                + Problems.name(type)
                + " cannot be read as "
                + component.javaType().getName(),
            "column",
            component.name());
      }
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Map<String, Enum<?>>[] newConstants(int length) {
    return new Map[length];
  }

  private static Map<String, Enum<?>> constants(Class<?> type) {
    Map<String, Enum<?>> constants = new HashMap<>();
    for (Object constant : type.getEnumConstants()) {
      constants.put(((Enum<?>) constant).name(), (Enum<?>) constant);
    }
    return constants;
  }

  private ObjectCodec<?> codec(
      RecordShape.Component component, Codecs known, int column, ValueType type) {
    ObjectCodec<?> own = rows.codec(column);
    if (own != null && own.type() == component.javaType()) {
      return own;
    }
    ObjectCodec<?> codec = known.find(component.javaType());
    return codec != null && codec.storage() == type ? codec : null;
  }

  /** Whether a component of one type can be read from a column of another, value by value. */
  private static boolean reads(ValueType component, ValueType column) {
    return switch (component) {
      // Databases without small integers give large ones; each value is checked for its range.
      case TINYINT, SMALLINT, INT, BIGINT ->
          switch (column) {
            case TINYINT, SMALLINT, INT, BIGINT -> true;
            default -> false;
          };
      case DOUBLE -> column == ValueType.DOUBLE || column == ValueType.FLOAT;
      case STRING, TEXT ->
          column == ValueType.STRING || column == ValueType.TEXT || column == ValueType.JSON;
      case BYTES -> column == ValueType.BYTES || PageFormat.isCoded(column);
      default -> component == column;
    };
  }

  Object read(int row) {
    List<RecordShape.Component> components = shape.components();
    Object[] values = new Object[columns.length];
    for (int index = 0; index < values.length; index++) {
      values[index] = value(components.get(index), index, row);
    }
    return shape.create(values);
  }

  private Object value(RecordShape.Component component, int index, int row) {
    int column = columns[index];
    PageReader page = rows.page();
    if (page.isNull(row, column)) {
      if (component.javaType().isPrimitive()) {
        throw problem(row, column, "null cannot be a " + component.javaType().getName());
      }
      return null;
    }
    if (component.plainType() == null) {
      return rows.decode(row, column, codecs[index]);
    }
    return switch (component.plainType()) {
      case TINYINT -> (byte) integer(ValueType.TINYINT, row, column);
      case SMALLINT -> (short) integer(ValueType.SMALLINT, row, column);
      case INT -> (int) integer(ValueType.INT, row, column);
      case BIGINT -> integer(ValueType.BIGINT, row, column);
      case DOUBLE -> rows.getDouble(row, column);
      case BYTES -> page.getBytes(row, column);
      case STRING, TEXT -> {
        String text = page.getText(row, column);
        if (constants[index] == null) {
          yield text;
        }
        Enum<?> constant = constants[index].get(text);
        if (constant == null) {
          throw problem(
              row, column, "the text is no constant of " + component.javaType().getName());
        }
        yield constant;
      }
      default -> Cells.get(page, row, column);
    };
  }

  private long integer(ValueType wanted, int row, int column) {
    long number = rows.getLong(row, column);
    if (!Cells.fits(wanted, number)) {
      throw problem(row, column, "the number does not fit into a " + Problems.name(wanted));
    }
    return number;
  }

  private TickwellException problem(int row, int column, String message) {
    return Problems.cell("read", message, row, rows.columnName(column), rows.columnType(column));
  }
}
