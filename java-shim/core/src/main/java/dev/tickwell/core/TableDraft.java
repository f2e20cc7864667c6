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
  private boolean addMissingColumns;

  private TableDraft(DatabaseView view, String name, RecordShape shape) {
    this.view = view;
    this.name = name;
    this.shape = shape;
  }

  static TableBuilder<Row> ofRows(DatabaseView view, String name) {
    return new TableDraft<>(view, name, null);
  }

  static <R> TableBuilder<R> ofRecord(DatabaseView view, String name, Class<R> type) {
    TableDraft<R> draft = new TableDraft<>(view, name, RecordShape.of(type));
    for (RecordShape.Component component : draft.shape.components()) {
      draft.columns.add(column(view.owner().codecs(), type, component));
      if (component.key()) {
        draft.key.add(component.name());
      }
      if (component.autoIncrement()) {
        draft.autoIncrement(component.name());
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
        component.name(),
        type,
        component.maxLength(),
        component.nullable(),
        false,
        null,
        codec,
        component);
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
    columns.add(new Column(column, type, maxLength, true, false, null, codec, null));
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
    columns.set(index, columns.get(index).withoutNull());
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
  public TableBuilder<T> autoIncrement(String column) {
    int index = indexOf(column);
    Column old = columns.get(index);
    if (old.component() != null && old.component().javaType().isPrimitive()) {
      throw DatabaseView.invalid(
          OPERATION,
          "component "
              + column
              + " of "
              + shape.type().getName()
              + " is a primitive, in which no row can leave the number out; make it a Long or an"
              + " Integer, where null means that the database gives one");
    }
    columns.set(index, old.numbered());
    return this;
  }

  @Override
  public TableBuilder<T> defaultValue(String column, Object value) {
    int index = indexOf(column);
    Column old = columns.get(index);
    String problem = defaultProblem(old, value);
    if (problem != null) {
      throw Problems.of(
          ErrorCode.INVALID_VALUE,
          OPERATION,
          problem,
          "table",
          name,
          "column",
          column,
          "type",
          Problems.name(old.type()));
    }
    columns.set(index, old.withDefault(Cells.snapshot(null, value)));
    return this;
  }

  private static String defaultProblem(Column column, Object value) {
    if (value == null) {
      return "a default of null says nothing; leave the default out";
    }
    if (column.codec() != null || PageFormat.isCoded(column.type())) {
      return "items, locations, nbt and objects have no defaults; give each row a value";
    }
    PageEncoder probe = new PageEncoder(1, new ValueType[] {column.type()}, null);
    probe.beginColumn();
    return Cells.put(probe, column.type(), null, value);
  }

  @Override
  public TableBuilder<T> addMissingColumns() {
    addMissingColumns = true;
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
    TableModel model = new TableModel(shared ? name : prefix + name, columns, key);
    Parameters defaults = new Parameters(view.owner().codecs());
    byte[] body =
        Requests.register(
            model,
            indexes,
            new Requests.Registration(view.owner().name(), shared, addMissingColumns),
            defaults);
    view.registered(name, model.name());
    Request<Void> registration =
        view.submit(
            Requests.REGISTER,
            model.name(),
            completion -> view.registrationEnded(model.name(), completion),
            null,
            new Draft() {
              @Override
              public long fixedValues() {
                return defaults.values();
              }

              @Override
              public long lengths() {
                return body.length;
              }

              @Override
              public Content make() {
                return new Content(body, defaults);
              }
            });
    return new TableView<>(view, model, shape, registration);
  }
}
