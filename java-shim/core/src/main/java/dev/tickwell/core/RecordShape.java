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
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What a record class, or a {@link PlainClass} that is like one, is made of: its components with
 * their accessors, and its constructor. Found once per class by reflection and kept with the class
 * itself, so it goes when the class goes. Immutable; any thread.
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
   * @param mutable whether its value in a row can become another one after the row was given
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
      boolean mutable,
      MethodHandle getter) {

    /** The component of a row, boxed. */
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
    try {
      Constructor<?> maker = type.isRecord() ? canonical(type) : PlainClass.constructor(type);
      this.components =
          type.isRecord() ? recordComponents(lookup, type) : plainComponents(lookup, maker);
      maker.setAccessible(true);
      constructor =
          lookup
              .unreflectConstructor(maker)
              .asSpreader(Object[].class, maker.getParameterCount())
              .asType(MethodType.methodType(Object.class, Object[].class));
    } catch (ReflectiveOperationException | InaccessibleObjectException e) {
      throw Problems.caused(
          e,
          ErrorCode.INVALID_STATEMENT,
          "table",
          "the class "
              + type.getName()
              + " cannot be accessed; its module must open its package to Tickwell");
    }
  }

  private static Constructor<?> canonical(Class<?> type) throws NoSuchMethodException {
    return type.getDeclaredConstructor(
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new));
  }

  private static List<Component> recordComponents(MethodHandles.Lookup lookup, Class<?> type)
      throws IllegalAccessException {
    List<Component> components = new ArrayList<>();
    for (RecordComponent each : type.getRecordComponents()) {
      each.getAccessor().setAccessible(true);
      MethodHandle getter = lookup.unreflect(each.getAccessor());
      components.add(component(each.getName(), each.getType(), each, false, getter));
    }
    return List.copyOf(components);
  }

  private static List<Component> plainComponents(MethodHandles.Lookup lookup, Constructor<?> maker)
      throws IllegalAccessException {
    Class<?> type = maker.getDeclaringClass();
    boolean mutable = PlainClass.isMutable(type);
    List<String> names = PlainClass.names(maker);
    Parameter[] parameters = maker.getParameters();
    List<Component> components = new ArrayList<>();
    for (int index = 0; index < parameters.length; index++) {
      Parameter each = parameters[index];
      AccessibleObject accessor = PlainClass.accessor(type, names.get(index), each.getType());
      accessor.setAccessible(true);
      MethodHandle getter =
          accessor instanceof Field field
              ? lookup.unreflectGetter(field)
              : lookup.unreflect((Method) accessor);
      components.add(component(names.get(index), each.getType(), each, mutable, getter));
    }
    return List.copyOf(components);
  }

  private static Component component(
      String name, Class<?> javaType, AnnotatedElement marks, boolean mutable, MethodHandle read) {
    Class<?> given = javaType.isPrimitive() ? javaType : Object.class;
    MethodHandle getter = read.asType(MethodType.methodType(given, Object.class));
    Length length = marks.getAnnotation(Length.class);
    boolean key = marks.isAnnotationPresent(Key.class);
    boolean autoIncrement = marks.isAnnotationPresent(AutoIncrement.class);
    boolean nullable =
        !javaType.isPrimitive()
            && !key
            && !autoIncrement
            && !marks.isAnnotationPresent(NotNull.class);
    ValueType plainType = javaType.isEnum() ? ValueType.TEXT : PLAIN_TYPES.get(javaType);
    if (length != null && plainType == ValueType.TEXT) {
      plainType = ValueType.STRING;
    }
    int maxLength = length == null ? 0 : length.value();
    return new Component(
        name, javaType, plainType, maxLength, nullable, key, autoIncrement, mutable, getter);
  }

  /**
   * The shape of a record class or one that is like it.
   *
   * @throws TickwellException {@code INVALID_STATEMENT} when the class is neither, or cannot be
   *     accessed
   */
  static RecordShape of(Class<?> type) {
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
