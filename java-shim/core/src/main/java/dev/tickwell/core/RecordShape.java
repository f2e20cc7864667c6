package dev.tickwell.core;

import dev.tickwell.AutoIncrement;
import dev.tickwell.ErrorCode;
import dev.tickwell.Key;
import dev.tickwell.Length;
import dev.tickwell.NotNull;
import dev.tickwell.TickwellException;
import dev.tickwell.ValueType;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What a record class is made of: its components with their accessors, and its constructor. Found
 * once per class by reflection and kept with the class itself, so it goes when the class goes.
 * Immutable; any thread.
 */
final class RecordShape {
  private static final ClassValue<RecordShape> SHAPES =
      new ClassValue<>() {
        @Override
        protected RecordShape computeValue(Class<?> type) {
          return new RecordShape(type);
        }
      };

  private static final Map<Class<?>, ValueType> PLAIN_TYPES = new HashMap<>();

  static {
    PLAIN_TYPES.put(boolean.class, ValueType.BOOLEAN);
    PLAIN_TYPES.put(Boolean.class, ValueType.BOOLEAN);
    PLAIN_TYPES.put(byte.class, ValueType.TINYINT);
    PLAIN_TYPES.put(Byte.class, ValueType.TINYINT);
    PLAIN_TYPES.put(short.class, ValueType.SMALLINT);
    PLAIN_TYPES.put(Short.class, ValueType.SMALLINT);
    PLAIN_TYPES.put(int.class, ValueType.INT);
    PLAIN_TYPES.put(Integer.class, ValueType.INT);
    PLAIN_TYPES.put(long.class, ValueType.BIGINT);
    PLAIN_TYPES.put(Long.class, ValueType.BIGINT);
    PLAIN_TYPES.put(float.class, ValueType.FLOAT);
    PLAIN_TYPES.put(Float.class, ValueType.FLOAT);
    PLAIN_TYPES.put(double.class, ValueType.DOUBLE);
    PLAIN_TYPES.put(Double.class, ValueType.DOUBLE);
    PLAIN_TYPES.put(BigDecimal.class, ValueType.DECIMAL);
    PLAIN_TYPES.put(String.class, ValueType.TEXT);
    PLAIN_TYPES.put(byte[].class, ValueType.BYTES);
    PLAIN_TYPES.put(UUID.class, ValueType.UUID);
    PLAIN_TYPES.put(LocalDate.class, ValueType.DATE);
    PLAIN_TYPES.put(LocalTime.class, ValueType.TIME_OF_DAY);
    PLAIN_TYPES.put(Instant.class, ValueType.TIMESTAMP);
    PLAIN_TYPES.put(Duration.class, ValueType.TIMESPAN);
  }

  /**
   * One component.
   *
   * @param plainType the column type of its Java type; null when only a codec can tell
   * @param getter (Object) → the primitive, or (Object) → Object
   */
  record Component(
      String name,
      Class<?> javaType,
      ValueType plainType,
      int maxLength,
      boolean nullable,
      boolean key,
      boolean autoIncrement,
      MethodHandle getter) {

    /** The component of a record, boxed. */
    Object get(Object row) {
      try {
        return getter.invoke(row);
      } catch (Throwable thrown) {
        throw rethrow(thrown);
      }
    }
  }

  private final Class<?> type;
  private final List<Component> components;
  // (Object[]) → Object
  private final MethodHandle constructor;

  private RecordShape(Class<?> type) {
    this.type = type;
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    List<Component> found = new ArrayList<>();
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    try {
      for (int index = 0; index < components.length; index++) {
        types[index] = components[index].getType();
        found.add(component(lookup, components[index]));
      }
      Constructor<?> canonical = type.getDeclaredConstructor(types);
      canonical.setAccessible(true);
      constructor =
          lookup
              .unreflectConstructor(canonical)
              .asSpreader(Object[].class, types.length)
              .asType(MethodType.methodType(Object.class, Object[].class));
    } catch (ReflectiveOperationException | InaccessibleObjectException e) {
      throw Problems.caused(
          e,
          ErrorCode.INVALID_STATEMENT,
          "table",
          "the record "
              + type.getName()
              + " cannot be accessed; its module must open its package to Tickwell");
    }
    this.components = List.copyOf(found);
  }

  private static Component component(MethodHandles.Lookup lookup, RecordComponent component)
      throws IllegalAccessException {
    Class<?> javaType = component.getType();
    component.getAccessor().setAccessible(true);
    Class<?> given = javaType.isPrimitive() ? javaType : Object.class;
    MethodHandle getter =
        lookup
            .unreflect(component.getAccessor())
            .asType(MethodType.methodType(given, Object.class));
    Length length = component.getAnnotation(Length.class);
    boolean key = component.isAnnotationPresent(Key.class);
    boolean autoIncrement = component.isAnnotationPresent(AutoIncrement.class);
    boolean nullable =
        !javaType.isPrimitive()
            && !key
            && !autoIncrement
            && !component.isAnnotationPresent(NotNull.class);
    ValueType plainType = javaType.isEnum() ? ValueType.TEXT : PLAIN_TYPES.get(javaType);
    if (length != null && plainType == ValueType.TEXT) {
      plainType = ValueType.STRING;
    }
    int maxLength = length == null ? 0 : length.value();
    return new Component(
        component.getName(), javaType, plainType, maxLength, nullable, key, autoIncrement, getter);
  }

  /**
   * The shape of a record class.
   *
   * @throws TickwellException {@code INVALID_STATEMENT} when the class cannot be accessed
   */
  static RecordShape of(Class<?> type) {
    if (!type.isRecord()) {
      throw new TickwellException(
          ErrorCode.INVALID_STATEMENT, "table", type.getName() + " is not a record");
    }
    return SHAPES.get(type);
  }

  Class<?> type() {
    return type;
  }

  List<Component> components() {
    return components;
  }

  /** A record of these components, in their order; what its constructor throws goes through. */
  Object create(Object[] values) {
    try {
      return (Object) constructor.invokeExact(values);
    } catch (Throwable thrown) {
      throw rethrow(thrown);
    }
  }

  /** Accessors and constructors of records declare nothing checked, but may sneak it out. */
  static RuntimeException rethrow(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return thrown instanceof RuntimeException known
        ? known
        : new java.lang.reflect.UndeclaredThrowableException(thrown);
  }
}
