package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.Filter;
import dev.tickwell.ObjectCodec;
import dev.tickwell.Order;
import dev.tickwell.Pending;
import dev.tickwell.RowStream;
import dev.tickwell.Rows;
import dev.tickwell.Select;
import dev.tickwell.TickwellException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A read being built. Not thread-safe; each {@code fetch} takes what it holds at that time. */
final class SelectDraft<T> implements Select<T> {
  private static final Filter[] NO_FILTERS = {};

  private final TableView<T> table;
  private final DatabaseView view;
  private final TableModel model;
  private final RecordShape shape;
  private final List<Filter> filters = new ArrayList<>();
  private final List<Order> orders = new ArrayList<>();
  private String[] columns = {};
  private Integer limit;
  private int offset;
  // Null for a page from the beginning.
  private Object[] after;

  SelectDraft(TableView<T> table, DatabaseView view, TableModel model, RecordShape shape) {
    this.table = table;
    this.view = view;
    this.model = model;
    this.shape = shape;
  }

  @Override
  public Select<T> where(Filter... more) {
    filters.addAll(List.of(more));
    return this;
  }

  @Override
  public Select<T> columns(String... names) {
    // Without nulls, which List.of refuses.
    columns = List.of(names).toArray(String[]::new);
    return this;
  }

  @Override
  public Select<T> orderBy(Order... more) {
    orders.addAll(List.of(more));
    return this;
  }

  @Override
  public Select<T> limit(int rows) {
    limit = Requests.atLeastZero("select", "limit", rows);
    return this;
  }

  @Override
  public Select<T> offset(int rows) {
    offset = Requests.atLeastZero("select", "offset", rows);
    return this;
  }

  @Override
  public Select<T> after(Object... values) {
    // A lone null in the place of the varargs is one null value.
    after = values == null ? new Object[1] : values.clone();
    return this;
  }

  @Override
  public Pending<Optional<T>> first() {
    return view.submit(Requests.SELECT, model.name(), firstReader(), null, firstDraft());
  }

  @Override
  public Pending<Rows<T>> fetch() {
    return read(null);
  }

  @Override
  public Pending<Rows<T>> publish(String name) {
    return read(Objects.requireNonNull(name, "name"));
  }

  @Override
  public RowStream<T> stream(int pageRows) {
    return new StreamDraft<>(view, model.name(), reader(), draft(), pageRows);
  }

  private Pending<Rows<T>> read(String publishAs) {
    return view.submit(Requests.SELECT, model.name(), reader(), publishAs, draft());
  }

  Request.Reader<Rows<T>> reader() {
    String[] names = columns;
    Codecs codecs = view.owner().codecs();
    return completion -> rows(completion.page(), names, codecs);
  }

  Request.Reader<Optional<T>> firstReader() {
    String[] names = columns;
    Codecs codecs = view.owner().codecs();
    return RowsReader.first(page -> rows(page, names, codecs));
  }

  Draft draft() {
    return draft(limit);
  }

  Draft firstDraft() {
    return draft(limit == null ? 1 : Math.min(limit, 1));
  }

  private Draft draft(Integer most) {
    List<Order> order = List.copyOf(orders);
    KeysetPage page = after == null ? null : new KeysetPage(model, order, after);
    List<Filter> all = new ArrayList<>(filters);
    if (page != null) {
      all.addAll(page.filters());
    }
    String[] names = columns;
    int left = offset;
    return new FilteredDraft(table, view.owner().codecs(), all.toArray(NO_FILTERS)) {
      @Override
      byte[] body(List<Filter> where, Parameters parameters) {
        if (page != null) {
          page.check();
        }
        Column[] selected = model.columns("select", names);
        return Requests.select(model, selected, where, order, most, left, parameters);
      }
    };
  }

  private PageRows<T> rows(PageReader page, String[] names, Codecs codecs) {
    Column[] selected = model.columns("select", names);
    if (page.columns() != selected.length) {
      throw new TickwellException(
          ErrorCode.INVALID_PAGE,
          "select",
          "the result has " + page.columns() + " columns, " + selected.length + " were asked for");
    }
    ObjectCodec<?>[] known =
        Arrays.stream(selected).map(Column::codec).toArray(ObjectCodec<?>[]::new);
    return new PageRows<>(page, shape, known, codecs);
  }
}
