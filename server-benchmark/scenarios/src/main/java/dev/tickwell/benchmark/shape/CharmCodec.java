package dev.tickwell.benchmark.shape;

import dev.tickwell.ObjectCodec;
import java.nio.ByteBuffer;
import org.bukkit.Bukkit;

/**
 * Makes charms on the server thread, each in a set time. Writing them needs no thread of its own.
 */
public final class CharmCodec implements ObjectCodec<Charm> {
  private final long nanos;

  /** A codec that takes this long to make a value, by spinning. */
  public CharmCodec(long nanos) {
    this.nanos = nanos;
  }

  @Override
  public Class<Charm> type() {
    return Charm.class;
  }

  @Override
  public byte[] encode(Charm value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value.seed()).array();
  }

  /**
   * Makes a value.
   *
   * @throws IllegalStateException on another thread than the server's
   */
  @Override
  public Charm decode(byte[] bytes) {
    long end = System.nanoTime() + nanos;
    if (!Bukkit.isPrimaryThread()) {
      throw new IllegalStateException(
          "a charm was made on " + Thread.currentThread().getName() + ", not the server thread");
    }
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
    return new Charm(ByteBuffer.wrap(bytes).getLong());
  }

  @Override
  public Charm snapshot(Charm value) {
    return value;
  }

  @Override
  public boolean requiresTickThread() {
    return true;
  }
}
