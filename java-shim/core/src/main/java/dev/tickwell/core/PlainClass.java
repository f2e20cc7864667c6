package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Finds in a class that is no record what makes it like one: the constructor, the names of its
 * parameters, and where their values are read. A class of which any of it can only be guessed is
 * refused by name, since a guess would mix up columns. Stateless; any thread.
 */
final class PlainClass {
  private PlainClass() {}

  /**
   * The constructor by which rows are made.
   *
   * @throws TickwellException {@code INVALID_STATEMENT} saying why there is none
   */
  static Constructor<?> constructor(Class<?> type) {
    boolean made =
        !type.isInterface()
            && !type.isEnum()
            && !type.isArray()
            && !type.isPrimitive()
            && !Modifier.isAbstract(type.getModifiers());
    if (!made) {
      throw refused(type, "objects of it cannot be made");
    }
    if (type.getEnclosingClass() != null && !Modifier.isStatic(type.getModifiers())) {
      throw refused(type, "it belongs to an object around it; make it static");
    }
    List<Constructor<?>> all =
        Arrays.stream(type.getConstructors()).filter(each -> !each.isSynthetic()).toList();
    // A data class with defaults for all of its values has a second one without parameters.
    List<Constructor<?>> whole = all.stream().filter(each -> isDataClass(type, each)).toList();
    if (whole.size() == 1) {
      return whole.getFirst();
    }
    if (all.size() != 1) {
      throw refused(type, "it has " + all.size() + " public constructors, and needs one");
    }
    if (all.getFirst().getParameterCount() == 0) {
      throw refused(type, "its constructor takes no values");
    }
    return all.getFirst();
  }

  /** Whether the values of a constructor are given by component1() and so on, as in Kotlin. */
  private static boolean isDataClass(Class<?> type, Constructor<?> constructor) {
    Class<?>[] types = constructor.getParameterTypes();
    for (int index = 0; index < types.length; index++) {
      try {
        // Private where its property is.
        Method component = type.getDeclaredMethod("component" + (index + 1));
        if (component.getReturnType() != types[index]) {
          return false;
        }
      } catch (NoSuchMethodException e) {
        return false;
      }
    }
    return types.length > 0;
  }

  /**
   * The names of a constructor's parameters.
   *
   * @throws TickwellException {@code INVALID_STATEMENT} when they are not known
   */
  static List<String> names(Constructor<?> constructor) {
    Class<?> type = constructor.getDeclaringClass();
    Parameter[] parameters = constructor.getParameters();
    if (Arrays.stream(parameters).allMatch(Parameter::isNamePresent)) {
      return Arrays.stream(parameters).map(Parameter::getName).toList();
    }
    if (!isDataClass(type, constructor)) {
      throw refused(
          type,
          "the names of its constructor's parameters are not known; compile it with -parameters"
              + " (Kotlin: -java-parameters), or make it a record or a data class");
    }
    // Of a data class the constructor's parameters are the first properties, in their order. One
    // that has more could have them in any place.
    List<Field> fields =
        Arrays.stream(type.getDeclaredFields())
            .filter(field -> !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic())
            .toList();
    List<Class<?>> types = new ArrayList<>();
    fields.forEach(field -> types.add(field.getType()));
    if (!types.equals(List.of(constructor.getParameterTypes()))) {
      throw refused(
          type,
          "its fields are "
              + String.join(", ", fields.stream().map(Field::getName).toList())
              + ", which are not the values of its constructor one by one; compile it with"
              + " -java-parameters, or move the other properties out of it");
    }
    return fields.stream().map(Field::getName).toList();
  }

  /**
   * Where the value of a parameter is read: a public method of its name, a getter, or a field.
   *
   * @throws TickwellException {@code INVALID_STATEMENT} when there is none
   */
  static AccessibleObject accessor(Class<?> type, String name, Class<?> valueType) {
    String capital = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    for (String method : List.of(name, "get" + capital, "is" + capital)) {
      Method found = method(type, method, valueType);
      if (found != null) {
        return found;
      }
    }
    for (Field field : type.getDeclaredFields()) {
      if (field.getName().equals(name)
          && field.getType() == valueType
          && !Modifier.isStatic(field.getModifiers())) {
        return field;
      }
    }
    throw refused(
        type,
        "the value "
            + name
            + " of its constructor is kept nowhere: there is no method "
            + name
            + "(), no getter and no field of type "
            + valueType.getName());
  }

  private static Method method(Class<?> type, String name, Class<?> result) {
    try {
      Method method = type.getMethod(name);
      return method.getReturnType() == result && !Modifier.isStatic(method.getModifiers())
          ? method
          : null;
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  /** Whether objects of it can change after they were made. */
  static boolean isMutable(Class<?> type) {
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      for (Field field : each.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isFinal(field.getModifiers())) {
          return true;
        }
      }
    }
    return false;
  }

  private static TickwellException refused(Class<?> type, String reason) {
    return new TickwellException(
        ErrorCode.INVALID_STATEMENT,
        "table",
        type.getName() + " is not a record and not like one: " + reason);
  }
}
