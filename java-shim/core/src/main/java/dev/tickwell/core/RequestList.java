package dev.tickwell.core;

import java.util.ArrayList;
import java.util.List;

/**
 * The requests of one plugin that have not come to their end. They are linked through themselves,
 * because tick threads add to it: a cold hash map takes them longer than all else about a request.
 * Any thread.
 */
final class RequestList {
  /** A request's place in the list; the list alone uses it. */
  static final class Link {
    private Request<?> before;
    private Request<?> after;
    private boolean listed;
  }

  private Request<?> first;
  private int size;

  /** Adds a request that is not in it. */
  synchronized void add(Request<?> request) {
    Link link = request.link();
    if (link.listed) {
      return;
    }
    link.listed = true;
    link.after = first;
    if (first != null) {
      first.link().before = request;
    }
    first = request;
    size++;
  }

  /** Removes a request that is in it. */
  synchronized void remove(Request<?> request) {
    Link link = request.link();
    if (!link.listed) {
      return;
    }
    link.listed = false;
    if (link.before == null) {
      first = link.after;
    } else {
      link.before.link().after = link.after;
    }
    if (link.after != null) {
      link.after.link().before = link.before;
    }
    link.before = null;
    link.after = null;
    size--;
  }

  /** Those that are in it now. */
  synchronized List<Request<?>> all() {
    List<Request<?>> all = new ArrayList<>(size);
    for (Request<?> each = first; each != null; each = each.link().after) {
      all.add(each);
    }
    return all;
  }

  synchronized int size() {
    return size;
  }
}
