package dev.tickwell.benchmark.arm;

import dev.tickwell.benchmark.shape.Shape;
import java.util.List;

/**
 * One of the implementations that are compared, with a database file of its own. {@link Work} is
 * submitted on the server thread; every other method blocks and is called on the benchmark's own
 * thread, outside of timed windows.
 */
public interface Arm extends AutoCloseable {

  /** The implementation's name in the results. */
  String name();

  /** Makes the table of a shape ready. */
  void open(Shape<?> shape) throws Exception;

  /** Removes all rows and everything published. */
  void clear(Shape<?> shape) throws Exception;

  /** Stores rows without measuring. */
  <R extends Record> void store(Shape<R> shape, List<R> rows) throws Exception;

  /** How many rows have a key from {@code first} on. */
  long count(Shape<?> shape, long first, int rows) throws Exception;

  /** Makes rows ready to be written from a shared result. */
  <R extends Record> void share(Shape<R> shape, List<R> rows) throws Exception;

  /** Makes the place of a read's result hold an older one, of another shape. */
  void shareOld(Shape<?> old, long first, int rows) throws Exception;

  /**
   * A write.
   *
   * @param rows what to write; for {@link Scope#SHARED} the same as was {@link #share}d
   */
  <R extends Record> Work write(Shape<R> shape, List<R> rows, Scope scope);

  /** A read of the rows with keys from {@code first} on, in the order of the keys. */
  <R extends Record> Work read(Shape<R> shape, long first, int rows, Scope scope);

  /**
   * The rows that other plugins see after a read with {@link Scope#SHARED}.
   *
   * @throws IllegalStateException when nothing is published, or what is there has other columns
   */
  <R extends Record> List<R> published(Shape<R> shape);

  @Override
  void close();
}
