package dev.tickwell.benchmark.host.plugin;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.bukkit.plugin.Plugin;
import org.bukkit.plugin.RegisteredServiceProvider;
import org.bukkit.plugin.ServicePriority;
import org.bukkit.plugin.ServicesManager;

/** The services that plugins offer each other; for any thread. */
public final class HostServices implements ServicesManager {
  private final Map<Class<?>, List<RegisteredServiceProvider<?>>> providers = new LinkedHashMap<>();

  @Override
  public synchronized <T> void register(
      Class<T> service, T provider, Plugin plugin, ServicePriority priority) {
    List<RegisteredServiceProvider<?>> list =
        providers.computeIfAbsent(service, key -> new ArrayList<>());
    list.add(new RegisteredServiceProvider<>(service, provider, priority, plugin));
    Collections.sort(list);
  }

  @Override
  public synchronized void unregisterAll(Plugin plugin) {
    remove(each -> each.getPlugin().equals(plugin));
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // a provider is that object, whatever it is equal to
  public synchronized void unregister(Class<?> service, Object provider) {
    remove(each -> each.getService() == service && each.getProvider() == provider);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // as above
  public synchronized void unregister(Object provider) {
    remove(each -> each.getProvider() == provider);
  }

  private void remove(Predicate<RegisteredServiceProvider<?>> which) {
    providers.values().forEach(list -> list.removeIf(which));
    providers.values().removeIf(List::isEmpty);
  }

  @Override
  public <T> T load(Class<T> service) {
    RegisteredServiceProvider<T> first = getRegistration(service);
    return first == null ? null : first.getProvider();
  }

  @Override
  public <T> RegisteredServiceProvider<T> getRegistration(Class<T> service) {
    Collection<RegisteredServiceProvider<T>> all = getRegistrations(service);
    return all.isEmpty() ? null : all.iterator().next();
  }

  @Override
  public synchronized List<RegisteredServiceProvider<?>> getRegistrations(Plugin plugin) {
    List<RegisteredServiceProvider<?>> result = new ArrayList<>();
    for (List<RegisteredServiceProvider<?>> list : providers.values()) {
      for (RegisteredServiceProvider<?> each : list) {
        if (each.getPlugin().equals(plugin)) {
          result.add(each);
        }
      }
    }
    return result;
  }

  @Override
  public synchronized <T> Collection<RegisteredServiceProvider<T>> getRegistrations(
      Class<T> service) {
    List<RegisteredServiceProvider<T>> result = new ArrayList<>();
    for (RegisteredServiceProvider<?> each : providers.getOrDefault(service, List.of())) {
      @SuppressWarnings("unchecked") // the list's key is the provider's type
      RegisteredServiceProvider<T> typed = (RegisteredServiceProvider<T>) each;
      result.add(typed);
    }
    return result;
  }

  @Override
  public synchronized Collection<Class<?>> getKnownServices() {
    return List.copyOf(providers.keySet());
  }

  @Override
  public synchronized <T> boolean isProvidedFor(Class<T> service) {
    return providers.containsKey(service);
  }
}
