package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Accessors by classes of their own, and by method handles where those are not allowed. */
class GetterTest {
  private record All(
      boolean flag,
      byte b,
      short s,
      int i,
      long l,
      float f,
      double d,
      String text,
      Integer boxed) {}

  record Fails(int value) {
    @Override
    public int value() {
      throw new UnsupportedOperationException("no value");
    }
  }

  private static final All ROW =
      new All(true, (byte) -7, Short.MIN_VALUE, -3, 1L << 40, 1.5f, -2.25, "text", null);

  /** With the right to make classes in the record's package, and without. */
  static Stream<MethodHandles.Lookup> rights() {
    return Stream.of(MethodHandles.lookup(), MethodHandles.publicLookup());
  }

  private static Getter getter(MethodHandles.Lookup own, Class<?> type, String name)
      throws ReflectiveOperationException {
    Method accessor = type.getDeclaredMethod(name);
    accessor.setAccessible(true);
    return new Getter(own, accessor);
  }

  @ParameterizedTest
  @MethodSource("rights")
  void readsEveryTypeAsWhatItIs(MethodHandles.Lookup own) throws Exception {
    assertEquals(true, getter(own, All.class, "flag").getBoolean(ROW));
    assertEquals(-7, getter(own, All.class, "b").getLong(ROW));
    assertEquals(Short.MIN_VALUE, getter(own, All.class, "s").getLong(ROW));
    assertEquals(-3, getter(own, All.class, "i").getLong(ROW));
    assertEquals(1L << 40, getter(own, All.class, "l").getLong(ROW));
    assertEquals(1.5f, getter(own, All.class, "f").getFloat(ROW));
    assertEquals(-2.25, getter(own, All.class, "d").getDouble(ROW));
  }

  @ParameterizedTest
  @MethodSource("rights")
  void boxesOfTheComponentsOwnType(MethodHandles.Lookup own) throws Exception {
    assertEquals((byte) -7, getter(own, All.class, "b").get(ROW));
    assertEquals(-3, getter(own, All.class, "i").get(ROW));
    assertEquals(1.5f, getter(own, All.class, "f").get(ROW));
    assertEquals(true, getter(own, All.class, "flag").get(ROW));
    assertEquals("text", getter(own, All.class, "text").get(ROW));
    assertEquals(null, getter(own, All.class, "boxed").get(ROW));
  }

  @ParameterizedTest
  @MethodSource("rights")
  void whatIsWrongGoesThrough(MethodHandles.Lookup own) throws Exception {
    Getter failing = getter(own, Fails.class, "value");
    Fails row = new Fails(1);
    assertThrows(UnsupportedOperationException.class, () -> failing.getLong(row));
    assertThrows(UnsupportedOperationException.class, () -> failing.get(row));
    assertThrows(ClassCastException.class, () -> failing.getLong("no record of ours"));
    assertThrows(NullPointerException.class, () -> failing.getLong(null));
  }
}
