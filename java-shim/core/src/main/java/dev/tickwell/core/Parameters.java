package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.ObjectCodec;
import dev.tickwell.TickwellException;
import dev.tickwell.ValueType;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The parameters of one statement: a page of one row. Built on the submitting thread. */
final class Parameters implements Input {
  /** What messages name a value by: its column, or the number of its {@code ?}. */
  private record Place(String what, String name) {}

  private static final class Parameter {
    final Place place;
    final ValueType type;
    final ObjectCodec<?> codec;
    Object value;

    Parameter(Place place, ValueType type, ObjectCodec<?> codec, Object value) {
      this.place = place;
      this.type = type;
      this.codec = codec;
      this.value = value;
    }
  }

  private final Codecs codecs;
  private final List<Parameter> parameters = new ArrayList<>();
  private final List<Parameter> tickReads = new ArrayList<>();
  private String operation = "parameters";

  Parameters(Codecs codecs) {
    this.codecs = codecs;
  }

  /** Adds a value that is compared with a column and gives its position. */
  int add(String operation, Column column, Object value) {
    return add(operation, new Place("column", column.name()), column.type(), column.codec(), value);
  }

  /** Adds a value of a type and gives its position. */
  int addTyped(String operation, String column, ValueType type, Object value) {
    return add(operation, new Place("column", column), type, null, value);
  }

  /** Adds a value of raw SQL; its class tells the type. */
  void addRaw(String operation, Object value) {
    Place place = new Place("parameter", Integer.toString(parameters.size() + 1));
    ObjectCodec<?> codec = value == null ? null : codecs.forValue(value);
    ValueType type = codec != null ? codec.storage() : typeOf(value);
    if (type == null) {
      throw Problems.of(
          ErrorCode.INVALID_VALUE,
          operation,
          "parameters of type " + value.getClass().getName() + " are not known; register a codec",
          place.what,
          place.name);
    }
    add(operation, place, type, codec, value);
  }

  private int add(
      String operation, Place place, ValueType type, ObjectCodec<?> codec, Object value) {
    if (parameters.size() == PageFormat.MAX_COLUMNS) {
      throw new TickwellException(
          ErrorCode.INVALID_STATEMENT,
          operation,
          "more than " + PageFormat.MAX_COLUMNS + " values in one statement");
    }
    this.operation = operation;
    Parameter parameter;
    try {
      parameter = new Parameter(place, type, codec, Cells.snapshot(codec, value));
    } catch (RuntimeException e) {
      throw Problems.caused(
          e,
          ErrorCode.INVALID_VALUE,
          operation,
          "the value cannot be copied: " + e,
          place.what,
          place.name);
    }
    parameters.add(parameter);
    if (value != null
        && codec != null
        && codec.requiresTickThread()
        && !(value instanceof byte[])) {
      tickReads.add(parameter);
    }
    return parameters.size() - 1;
  }

  private static ValueType typeOf(Object value) {
    return switch (value) {
      case null -> ValueType.TEXT;
      case Boolean flag -> ValueType.BOOLEAN;
      case Byte number -> ValueType.TINYINT;
      case Short number -> ValueType.SMALLINT;
      case Integer number -> ValueType.INT;
      case Long number -> ValueType.BIGINT;
      case Float number -> ValueType.FLOAT;
      case Double number -> ValueType.DOUBLE;
      case BigDecimal number -> ValueType.DECIMAL;
      case String text -> ValueType.TEXT;
      case Enum<?> constant -> ValueType.TEXT;
      case byte[] bytes -> ValueType.BYTES;
      case UUID uuid -> ValueType.UUID;
      case LocalDate date -> ValueType.DATE;
      case LocalTime time -> ValueType.TIME_OF_DAY;
      case Instant instant -> ValueType.TIMESTAMP;
      case Duration duration -> ValueType.TIMESPAN;
      default -> null;
    };
  }

  @Override
  public long values() {
    return parameters.size();
  }

  @Override
  public int tickReads() {
    return tickReads.size();
  }

  @Override
  public void readOnTick(int index) {
    Parameter parameter = tickReads.get(index);
    try {
      parameter.value = Cells.encode(parameter.codec, parameter.value);
    } catch (RuntimeException e) {
      throw problem(parameter, "the value cannot be made into bytes: " + e, e);
    }
  }

  @Override
  public byte[] encode() {
    if (parameters.isEmpty()) {
      return null;
    }
    ValueType[] types = parameters.stream().map(each -> each.type).toArray(ValueType[]::new);
    PageEncoder out = new PageEncoder(1, types, null);
    for (Parameter parameter : parameters) {
      out.beginColumn();
      put(out, parameter);
    }
    return out.finish();
  }

  private void put(PageEncoder out, Parameter parameter) {
    String problem;
    try {
      problem = Cells.put(out, parameter.type, parameter.codec, parameter.value);
    } catch (TickwellException e) {
      throw e;
    } catch (RuntimeException e) {
      throw problem(parameter, "the value cannot be made into bytes: " + e, e);
    }
    if (problem != null) {
      throw problem(parameter, problem, null);
    }
  }

  private TickwellException problem(Parameter parameter, String message, Throwable cause) {
    return Problems.caused(
        cause,
        ErrorCode.INVALID_VALUE,
        operation,
        message,
        parameter.place.what,
        parameter.place.name,
        "type",
        Problems.name(parameter.type));
  }
}
