package dev.tickwell.core;

import dev.tickwell.PageConsumer;
import dev.tickwell.RowStream;
import dev.tickwell.Rows;
import dev.tickwell.StreamControl;
import dev.tickwell.StreamEnd;
import dev.tickwell.Target;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/** A stream being built. Not thread-safe; each start takes what it holds at that time. */
final class StreamDraft<T> implements RowStream<T> {
  /** How a stream is read; the credit is what may be read before its consumer has asked. */
  record Options(int pageRows, int credit, boolean manual, Duration idleLimit) {}

  private final DatabaseView view;
  private final String table;
  private final Request.Reader<Rows<T>> reader;
  private final Draft draft;
  private final int pageRows;
  private int ahead = 1;
  private boolean manual;
  private Duration idleLimit = IDLE_LIMIT;

  StreamDraft(
      DatabaseView view, String table, Request.Reader<Rows<T>> reader, Draft draft, int pageRows) {
    if (pageRows < 1) {
      throw DatabaseView.invalid("stream", "a page has at least one row, not " + pageRows);
    }
    this.view = view;
    this.table = table;
    this.reader = reader;
    this.draft = draft;
    this.pageRows = pageRows;
  }

  @Override
  public RowStream<T> ahead(int pages) {
    ahead = Requests.atLeastZero("stream", "ahead", pages);
    return this;
  }

  @Override
  public RowStream<T> manual() {
    manual = true;
    return this;
  }

  @Override
  public RowStream<T> idleLimit(Duration limit) {
    if (limit.compareTo(Duration.ofMillis(1)) < 0) {
      throw DatabaseView.invalid("stream", "the idle limit is at least 1 ms, not " + limit);
    }
    idleLimit = limit;
    return this;
  }

  @Override
  public StreamControl on(Target target, PageConsumer<T> page, Consumer<? super StreamEnd> end) {
    return start(Objects.requireNonNull(target, "target"), page, end);
  }

  @Override
  public StreamControl async(PageConsumer<T> page, Consumer<? super StreamEnd> end) {
    return start(null, page, end);
  }

  private StreamControl start(
      Target target, PageConsumer<T> page, Consumer<? super StreamEnd> end) {
    Objects.requireNonNull(page, "page");
    Objects.requireNonNull(end, "end");
    int credit = manual ? 0 : ahead == Integer.MAX_VALUE ? ahead : ahead + 1;
    Options options = new Options(pageRows, credit, manual, idleLimit);
    StreamRun<T> run = new StreamRun<>(view, table, reader, options, target, page, end);
    run.start(draft);
    return run;
  }
}
