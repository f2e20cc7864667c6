package dev.tickwell.core;

import java.lang.invoke.LambdaConversionException;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Reads one component of records. Where the record's package is open to us each accessor becomes a
 * class of its own, as for a lambda, which Java compiles like plain code; else a method handle, at
 * several times the cost. The functions are the JDK's: a plugin's class loader must find their
 * types. Immutable; any thread.
 */
final class Getter {
  private final Function<Object, Object> boxed;
  // One of these for the primitives that are worth it, else null.
  private final ToLongFunction<Object> integral;
  private final ToDoubleFunction<Object> floating;
  private final Predicate<Object> truth;

  /**
   * Makes one.
   *
   * @param own our right to look into the record's package, as far as we have it
   * @param accessor made accessible
   * @throws IllegalAccessException when it cannot be accessed after all
   */
  @SuppressWarnings("unchecked") // each is of the type that it is made as
  Getter(MethodHandles.Lookup own, Method accessor) throws IllegalAccessException {
    MethodHandle handle = own.unreflect(accessor);
    Class<?> given = accessor.getReturnType();
    Function<Object, Object> function = null;
    ToLongFunction<Object> asLong = null;
    ToDoubleFunction<Object> asDouble = null;
    Predicate<Object> asBoolean = null;
    try {
      MethodHandles.Lookup lookup =
          MethodHandles.privateLookupIn(accessor.getDeclaringClass(), own);
      MethodHandle direct = lookup.unreflect(accessor);
      function = (Function<Object, Object>) make(lookup, direct, Function.class, "apply");
      if (given == boolean.class) {
        asBoolean = (Predicate<Object>) make(lookup, direct, Predicate.class, "test");
      } else if (given == double.class) {
        asDouble =
            (ToDoubleFunction<Object>)
                make(lookup, direct, ToDoubleFunction.class, "applyAsDouble");
      } else if (isIntegral(given)) {
        asLong = (ToLongFunction<Object>) make(lookup, direct, ToLongFunction.class, "applyAsLong");
      }
    } catch (IllegalAccessException | LambdaConversionException | LinkageError e) {
      // Its module opens the accessor to reflection and no more.
      MethodHandle any = handle.asType(MethodType.methodType(Object.class, Object.class));
      function = row -> invoke(any, row);
      asLong = null;
      asDouble = null;
      asBoolean = null;
    }
    boxed = function;
    integral = asLong;
    floating = asDouble;
    truth = asBoolean;
  }

  private static boolean isIntegral(Class<?> type) {
    return type == long.class || type == int.class || type == short.class || type == byte.class;
  }

  /** An object of a function type that calls the accessor. */
  private static Object make(
      MethodHandles.Lookup lookup, MethodHandle accessor, Class<?> function, String method)
      throws LambdaConversionException {
    Class<?> result =
        function == ToLongFunction.class
            ? long.class
            : function == ToDoubleFunction.class
                ? double.class
                : function == Predicate.class ? boolean.class : Object.class;
    MethodType erased = MethodType.methodType(result, Object.class);
    MethodType exact = MethodType.methodType(result, accessor.type().parameterType(0));
    try {
      return LambdaMetafactory.metafactory(
              lookup, method, MethodType.methodType(function), erased, accessor, exact)
          .getTarget()
          .invoke();
    } catch (LambdaConversionException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable thrown) {
      throw RecordShape.rethrow(thrown);
    }
  }

  private static Object invoke(MethodHandle handle, Object row) {
    try {
      return (Object) handle.invokeExact(row);
    } catch (Throwable thrown) {
      throw RecordShape.rethrow(thrown);
    }
  }

  /** The component; a primitive boxed. */
  Object get(Object row) {
    return boxed.apply(row);
  }

  /** A {@code byte}, {@code short}, {@code int} or {@code long}. */
  long getLong(Object row) {
    return integral == null ? ((Number) get(row)).longValue() : integral.applyAsLong(row);
  }

  /** A {@code double}. */
  double getDouble(Object row) {
    return floating == null ? (double) get(row) : floating.applyAsDouble(row);
  }

  /** A {@code float}; never by way of a double, which has no place for all of its NaNs. */
  float getFloat(Object row) {
    return (float) get(row);
  }

  /** A {@code boolean}. */
  boolean getBoolean(Object row) {
    return truth == null ? (boolean) get(row) : truth.test(row);
  }
}
