package dev.tickwell.core;

import dev.tickwell.ErrorCode;

/** The rows of a result as they are, to be inserted again without decoding them. */
final class PageSlice implements Input {
  private final PageReader page;

  private PageSlice(PageReader page) {
    this.page = page;
  }

  /**
   * Checks that every column of the result is one of the table's with the same type.
   *
   * @throws dev.tickwell.TickwellException {@code UNKNOWN_COLUMN} or {@code INVALID_VALUE}
   */
  static PageSlice of(PageReader page, TableModel table) {
    for (int index = 0; index < page.columns(); index++) {
      Column column = table.column("insert", page.name(index));
      if (column.type() != page.type(index)) {
        throw Problems.of(
            ErrorCode.INVALID_VALUE,
            "insert",
            "the result's column is of type "
                + Problems.name(page.type(index))
                + ", the table's of type "
                + Problems.name(column.type()),
            "table",
            table.name(),
            "column",
            column.name());
      }
    }
    return new PageSlice(page);
  }

  @Override
  public long values() {
    return page.values();
  }

  @Override
  public byte[] encode() {
    return page.copy();
  }
}
