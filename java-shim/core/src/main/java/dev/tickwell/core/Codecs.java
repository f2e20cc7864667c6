package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.ObjectCodec;
import dev.tickwell.TickwellException;
import dev.tickwell.ValueType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The codecs of one plugin, and behind them everyone's. Any thread. A plugin's go with its {@link
 * Owner}.
 */
final class Codecs {
  private final Codecs common;
  private final Map<Class<?>, ObjectCodec<?>> byType = new ConcurrentHashMap<>();

  /** Codecs of a plugin with these behind them; null for everyone's own. */
  Codecs(Codecs common) {
    this.common = common;
  }

  void register(ObjectCodec<?> codec) {
    if (!PageFormat.isCoded(codec.storage())) {
      throw new TickwellException(
          ErrorCode.INVALID_STATEMENT,
          "codec",
          "the codec of "
              + codec.type().getName()
              + " stores "
              + Problems.name(codec.storage())
              + "; it may store item, location, nbt or object");
    }
    byType.put(codec.type(), codec);
  }

  void clear() {
    byType.clear();
  }

  /** The codec of exactly this type, or null. */
  ObjectCodec<?> find(Class<?> type) {
    ObjectCodec<?> codec = byType.get(type);
    return codec != null || common == null ? codec : common.find(type);
  }

  /**
   * The codec for a value of which only the class is known, or null: servers give values of a
   * subclass of their API's type.
   */
  ObjectCodec<?> forValue(Object value) {
    for (Class<?> type = value.getClass(); type != null; type = type.getSuperclass()) {
      ObjectCodec<?> codec = find(type);
      if (codec != null) {
        return codec;
      }
      for (Class<?> implemented : type.getInterfaces()) {
        codec = find(implemented);
        if (codec != null) {
          return codec;
        }
      }
    }
    return null;
  }

  /**
   * The codec that makes values of a column of which only the storage is known, or null. Only items
   * and locations have one type each.
   */
  ObjectCodec<?> forStorage(ValueType storage) {
    if (storage != ValueType.ITEM && storage != ValueType.LOCATION) {
      return null;
    }
    for (ObjectCodec<?> codec : byType.values()) {
      if (codec.storage() == storage) {
        return codec;
      }
    }
    return common == null ? null : common.forStorage(storage);
  }
}
