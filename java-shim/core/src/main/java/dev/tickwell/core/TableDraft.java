package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.ObjectCodec;
import dev.tickwell.Row;
import dev.tickwell.Table;
import dev.tickwell.TableBuilder;
import dev.tickwell.TickwellException;
import dev.tickwell.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** A table being declared. Not thread-safe. */
final class TableDraft<T> implements TableBuilder<T> {
  private static final String OPERATION = "table";

  private final DatabaseView view;
  private final String name;
  // Null for a table of rows.
  private final RecordShape shape;
  private final List<Column> columns = new ArrayList<>();
  private final List<TableModel.Index> indexes = new ArrayList<>();
  private List<String> key = new ArrayList<>();
  private boolean shared;

  private TableDraft(DatabaseView view, String name, RecordShape shape) {
    this.view = view;
    this.name = name;
    this.shape = shape;
  }

  static TableBuilder<Row> ofRows(DatabaseView view, String name) {
    return new TableDraft<>(view, name, null);
  }

  static <R extends Record> TableBuilder<R> ofRecord(
      DatabaseView view, String name, Class<R> type) {
    TableDraft<R> draft = new TableDraft<>(view, name, RecordShape.of(type));
    for (RecordShape.Component component : draft.shape.components()) {
      draft.columns.add(column(view.owner().codecs(), type, component));
      if (component.key()) {
        draft.key.add(component.name());
      }
    }
    return draft;
  }

  private static Column column(Codecs codecs, Class<?> record, RecordShape.Component component) {
    ValueType type = component.plainType();
    ObjectCodec<?> codec = null;
    if (type == null) {
      codec = codecs.find(component.javaType());
      if (codec == null) {
        throw DatabaseView.invalid(
            OPERATION,
            "component "
                + component.name()
                + " of "
                + record.getName()
                + " has type "
                + component.javaType().getName()
                + ", which no column keeps; use a type of ValueType or register an ObjectCodec"
                + " before the table");
      }
      type = codec.storage();
    }
    if (component.maxLength() != 0 && type != ValueType.STRING) {
      throw DatabaseView.invalid(
          OPERATION,
          "component "
              + component.name()
              + " of "
              + record.getName()
              + " has a length; only text has one");
    }
    return new Column(
        component.name(), type, component.maxLength(), component.nullable(), codec, component);
  }

  @Override
  public TableBuilder<T> column(String column, ValueType type) {
    return add(column, type, 0);
  }

  @Override
  public TableBuilder<T> column(String column, ValueType type, int maxLength) {
    return add(column, type, maxLength);
  }

  private TableBuilder<T> add(String column, ValueType type, int maxLength) {
    Objects.requireNonNull(column, "name");
    Objects.requireNonNull(type, "type");
    if (shape != null) {
      throw DatabaseView.invalid(
          OPERATION,
          "column "
              + column
              + " cannot be added: the columns of "
              + name
              + " are the components of "
              + shape.type().getName());
    }
    if ((type == ValueType.STRING) != (maxLength > 0)) {
      throw DatabaseView.invalid(
          OPERATION,
          "column " + column + ": a length of at least 1 belongs to type string, and only to it");
    }
    ObjectCodec<?> codec = view.owner().codecs().forStorage(type);
    columns.add(new Column(column, type, maxLength, true, codec, null));
    return this;
  }

  @Override
  public TableBuilder<T> notNull(String... names) {
    for (String each : names) {
      setNotNull(each);
    }
    return this;
  }

  private void setNotNull(String column) {
    int index = indexOf(column);
    Column old = columns.get(index);
    columns.set(
        index,
        new Column(old.name(), old.type(), old.maxLength(), false, old.codec(), old.component()));
  }

  private int indexOf(String column) {
    for (int index = 0; index < columns.size(); index++) {
      if (columns.get(index).name().equals(column)) {
        return index;
      }
    }
    throw Problems.of(
        ErrorCode.UNKNOWN_COLUMN,
        OPERATION,
        "the table has no column " + column + "; it has " + names(),
        "table",
        name,
        "column",
        String.valueOf(column));
  }

  private String names() {
    return String.join(", ", columns.stream().map(Column::name).toList());
  }

  @Override
  public TableBuilder<T> key(String... names) {
    for (String each : names) {
      setNotNull(each);
    }
    key = List.of(names);
    return this;
  }

  @Override
  public TableBuilder<T> index(String... names) {
    return index(false, names);
  }

  @Override
  public TableBuilder<T> unique(String... names) {
    return index(true, names);
  }

  private TableBuilder<T> index(boolean unique, String... names) {
    Arrays.stream(names).forEach(this::indexOf);
    indexes.add(new TableModel.Index(List.of(names), unique));
    return this;
  }

  @Override
  public TableBuilder<T> shared() {
    shared = true;
    return this;
  }

  /**
   * {@inheritDoc}
   *
   * @throws TickwellException {@code INVALID_STATEMENT} for a table without a column
   */
  @Override
  public Table<T> register() {
    if (columns.isEmpty()) {
      throw DatabaseView.invalid(OPERATION, "the table " + name + " has no column");
    }
    String prefix = view.owner().name().toLowerCase(Locale.ROOT) + "_";
    TableModel model = new TableModel(shared ? name : prefix + name, columns);
    byte[] body = Requests.register(model, key, indexes);
    view.registered(name, model.name());
    Request<Void> registration =
        view.submit(
            Requests.REGISTER,
            model.name(),
            completion -> {
              completion.affected();
              return null;
            },
            null,
            new Draft() {
              @Override
              public long fixedValues() {
                return 0;
              }

              @Override
              public long lengths() {
                return body.length;
              }

              @Override
              public Content make() {
                return new Content(body, Input.NONE);
              }
            });
    return new TableView<>(view, model, shape, registration);
  }
}
