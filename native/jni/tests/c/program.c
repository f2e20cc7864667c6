/* Every part of the C interface, as a native plugin uses it. Takes a folder to work in; says what was
 * not as it should be, and ends with the number of such things. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include "tickwell.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Long enough for any machine; nothing waits so long unless it hangs. */
#define PATIENCE 120000

static atomic_int failures;
static atomic_int checks;

static void fail(int line, const char *what, const char *message) {
    /* The first ones say why; a loop may give thousands. */
    if (atomic_fetch_add(&failures, 1) < 50) printf("line %d: %s; %s\n", line, what, message);
}

#define CHECK(condition)                                               \
    do {                                                               \
        atomic_fetch_add(&checks, 1);                                  \
        if (!(condition)) fail(__LINE__, #condition, "does not hold"); \
    } while (0)

/* What a call gives, with its error filled in alike. */
#define EXPECT(status, call)                                                 \
    do {                                                                     \
        TickwellError error;                                                 \
        memset(&error, 0x5A, sizeof error);                                  \
        atomic_fetch_add(&checks, 1);                                        \
        TickwellStatus got = (call);                                         \
        if (got != (status) || error.code != got) {                          \
            error.message[TICKWELL_MESSAGE_BYTES - 1] = 0;                   \
            fail(__LINE__, #call, error.message);                            \
        } else if ((got > 0) != (error.message[0] != 0)) {                   \
            fail(__LINE__, #call, "a message for an error and for no other"); \
        } else if (error.effect != TICKWELL_EFFECT_NONE) {                   \
            fail(__LINE__, #call, "an effect that is not none");             \
        }                                                                    \
    } while (0)

#define OK(call) EXPECT(TICKWELL_OK, call)

/* Whether a call fails so, with this in its message and this effect. */
#define FAILS(status, effect_, text, call)                                        \
    do {                                                                          \
        TickwellError error;                                                      \
        memset(&error, 0x5A, sizeof error);                                       \
        atomic_fetch_add(&checks, 1);                                             \
        if ((call) != (status) || error.code != (status) ||                       \
            error.effect != (effect_) || strstr(error.message, (text)) == NULL) { \
            error.message[TICKWELL_MESSAGE_BYTES - 1] = 0;                        \
            fail(__LINE__, #call, error.message);                                 \
        }                                                                         \
    } while (0)

/* Whether these are the bytes that are wanted; nothing there is not. */
static int same(const void *got, size_t length, const void *want, size_t wanted) {
    return got != NULL && length == wanted && memcmp(got, want, wanted) == 0;
}

static TickwellDatabase open_in(TickwellRuntime runtime, const char *name, const char *folder) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.db", folder, name);
    const TickwellSetting settings[] = {{"name", name}, {"type", "sqlite"}, {"path", path}};
    TickwellDatabase database = {0};
    OK(tickwell_database_open(runtime, settings, COUNT(settings), &database, &error));
    return database;
}

/* Waits for a request that shall succeed, gives its affected rows, and closes it. */
static int64_t affected(TickwellRequest request) {
    int64_t rows = -2;
    OK(tickwell_request_wait(request, UINT64_MAX, &error));
    OK(tickwell_result_affected(request, &rows, &error));
    OK(tickwell_request_close(request, &error));
    return rows;
}

static int64_t count_of(TickwellDatabase database, const char *table, const TickwellFilter *filter) {
    const TickwellCount count = {.table = table, .filter = filter};
    TickwellRequest request = {0};
    OK(tickwell_count(database, &count, &request, &error));
    return affected(request);
}

static int64_t execute(TickwellDatabase database, const char *text) {
    const TickwellSql sql = {.text = text};
    TickwellRequest request = {0};
    OK(tickwell_execute(database, &sql, &request, &error));
    return affected(request);
}

static void register_numbers(TickwellDatabase database, const char *table) {
    const TickwellColumn columns[] = {
        {.name = "id", .value_type = TICKWELL_TYPE_BIG_INT, .flags = TICKWELL_COLUMN_KEY},
        {.name = "n", .value_type = TICKWELL_TYPE_INT},
        {.name = "word", .value_type = TICKWELL_TYPE_STRING, .max_length = 20,
         .flags = TICKWELL_COLUMN_NULLABLE}};
    const char *by_n[] = {"n"};
    const TickwellIndex index = {.columns = by_n, .column_count = 1};
    const TickwellTable definition = {.name = table, .columns = columns,
        .column_count = COUNT(columns), .indexes = &index, .index_count = 1};
    TickwellRequest request = {0};
    OK(tickwell_register(database, &definition, &request, &error));
    OK(tickwell_request_wait(request, PATIENCE, &error));
    OK(tickwell_request_close(request, &error));
}

static const char *const NUMBERS[] = {"id", "n", "word"};

static TickwellInsert rows_of(const char *table, const TickwellValue *values, size_t rows) {
    return (TickwellInsert){.table = table, .columns = NUMBERS, .column_count = COUNT(NUMBERS),
                            .values = values, .row_count = rows};
}

static TickwellFilter compare(uint32_t kind, const char *column, const TickwellValue *value) {
    return (TickwellFilter){.kind = kind, .column = column, .values = value, .value_count = 1};
}

/* What is missing or has no meaning is refused before anything is done. */
static void arguments(TickwellRuntime runtime, const char *folder) {
    TickwellDatabase database = open_in(runtime, "arguments", folder);
    TickwellRequest request = {0};
    const int32_t invalid = TICKWELL_CODE_INVALID_ARGUMENT;

    FAILS(invalid, 0, "runtime is NULL", tickwell_runtime_open(NULL, 0, NULL, &error));
    CHECK(tickwell_runtime_open(NULL, 0, NULL, NULL) == invalid);
    TickwellRuntime unopened = {0};
    FAILS(invalid, 0, "settings is NULL", tickwell_runtime_open(NULL, 1, &unopened, &error));
    const TickwellSetting nameless = {NULL, "x"};
    FAILS(invalid, 0, "name is NULL", tickwell_runtime_open(&nameless, 1, &unopened, &error));
    FAILS(invalid, 0, "memory", tickwell_runtime_open(&nameless, SIZE_MAX / 2, &unopened, &error));
    const TickwellSetting latin = {"path", "caf\xe9"};
    FAILS(invalid, 0, "UTF-8", tickwell_runtime_open(&latin, 1, &unopened, &error));
    const TickwellSetting unknown = {"colour", "red"};
    FAILS(TICKWELL_CODE_INVALID_CONFIG, 0, "colour",
          tickwell_runtime_open(&unknown, 1, &unopened, &error));
    FAILS(TICKWELL_CODE_INVALID_CONFIG, 0, "name",
          tickwell_database_open(runtime, NULL, 0, &database, &error));
    CHECK(unopened.handle == 0);

    FAILS(invalid, 0, "insert is NULL", tickwell_insert(database, NULL, &request, &error));
    const TickwellSql select = {.text = "SELECT 1"};
    FAILS(invalid, 0, "request is NULL", tickwell_query(database, &select, NULL, &error));
    _Alignas(TickwellSql) char bytes[sizeof(TickwellSql) + 1] = {0};
    const TickwellSql *crooked = (const TickwellSql *)(const void *)(bytes + 1);
    FAILS(invalid, 0, "aligned", tickwell_query(database, crooked, &request, &error));
    FAILS(TICKWELL_CODE_UNKNOWN_TABLE, 0, "numbers", tickwell_count(database,
          &(TickwellCount){.table = "numbers"}, &request, &error));

    register_numbers(database, "numbers");
    const TickwellValue row[] = {tickwell_integer(1), tickwell_integer(1), {.value_type = 99}};
    TickwellInsert insert = rows_of("numbers", row, 1);
    FAILS(invalid, 0, "99", tickwell_insert(database, &insert, &request, &error));
    insert.values = NULL;
    FAILS(invalid, 0, "values is NULL", tickwell_insert(database, &insert, &request, &error));
    insert.row_count = SIZE_MAX;
    FAILS(invalid, 0, "memory", tickwell_insert(database, &insert, &request, &error));
    insert = rows_of("numbers", row, 0);
    insert.mode = 9;
    FAILS(invalid, 0, "mode", tickwell_insert(database, &insert, &request, &error));
    insert = rows_of("numbers", row, 0);
    insert.flags = 8;
    FAILS(invalid, 0, "0x8", tickwell_insert(database, &insert, &request, &error));
    insert = rows_of("numbers", row, 0);
    insert.column_count = 0;
    FAILS(invalid, 0, "column_count", tickwell_insert(database, &insert, &request, &error));
    insert = rows_of("numbers", row, 0);
    insert.overwrite = NUMBERS;
    insert.overwrite_count = 1;
    FAILS(invalid, 0, "upsert", tickwell_insert(database, &insert, &request, &error));
    const char *const strange[] = {"id", "colour"};
    insert = rows_of("numbers", row, 1);
    insert.columns = strange;
    insert.column_count = 2;
    FAILS(TICKWELL_CODE_UNKNOWN_COLUMN, 0, "colour",
          tickwell_insert(database, &insert, &request, &error));

    /* A filter that contains itself nests without end. */
    TickwellFilter endless = {.kind = TICKWELL_FILTER_KIND_NOT, .filter_count = 1};
    endless.filters = &endless;
    TickwellCount count = {.table = "numbers", .filter = &endless};
    FAILS(invalid, 0, "deeper than 64", tickwell_count(database, &count, &request, &error));
    TickwellFilter wrong = {.kind = 77, .column = "n"};
    count.filter = &wrong;
    FAILS(invalid, 0, "kind", tickwell_count(database, &count, &request, &error));
    wrong.kind = TICKWELL_FILTER_KIND_BETWEEN;
    FAILS(invalid, 0, "value_count", tickwell_count(database, &count, &request, &error));
    wrong = (TickwellFilter){.kind = TICKWELL_FILTER_KIND_NOT};
    FAILS(invalid, 0, "filter_count", tickwell_count(database, &count, &request, &error));
    wrong = compare(TICKWELL_FILTER_KIND_EQ, NULL, row);
    FAILS(invalid, 0, "column is NULL", tickwell_count(database, &count, &request, &error));
    wrong = compare(TICKWELL_FILTER_KIND_EQ, "colour", row);
    FAILS(TICKWELL_CODE_UNKNOWN_COLUMN, 0, "colour",
          tickwell_count(database, &count, &request, &error));

    /* All rows are changed only when that is said, and not together with a filter. */
    TickwellDelete deletion = {.table = "numbers"};
    FAILS(TICKWELL_CODE_FILTER_REQUIRED, 0, "all",
          tickwell_delete(database, &deletion, &request, &error));
    const TickwellFilter one = compare(TICKWELL_FILTER_KIND_EQ, "id", row);
    deletion = (TickwellDelete){.table = "numbers", .filter = &one, .all = 1};
    FAILS(invalid, 0, "all", tickwell_delete(database, &deletion, &request, &error));
    const TickwellAssignment change = {.column = "n", .change = 3, .value = tickwell_integer(1)};
    const TickwellUpdate update = {.table = "numbers", .assignments = &change,
                                   .assignment_count = 1, .all = 1};
    FAILS(invalid, 0, "change", tickwell_update(database, &update, &request, &error));

    const TickwellColumn column = {.name = "id", .value_type = TICKWELL_TYPE_INT, .flags = 64};
    TickwellTable table = {.name = "other", .columns = &column, .column_count = 1};
    FAILS(invalid, 0, "0x40", tickwell_register(database, &table, &request, &error));
    table.flags = 4;
    FAILS(invalid, 0, "0x4", tickwell_register(database, &table, &request, &error));
    table.column_count = 0;
    table.flags = 0;
    FAILS(TICKWELL_CODE_INVALID_STATEMENT, 0, "columns",
          tickwell_register(database, &table, &request, &error));
    CHECK(request.handle == 0);
    CHECK(count_of(database, "numbers", NULL) == 0);

    /* Made up numbers, and numbers of another kind. */
    const int64_t numbers[] = {0, 1, -1, INT64_MIN, INT64_MAX, database.handle + 1, runtime.handle};
    for (size_t i = 0; i < COUNT(numbers); i++) {
        const TickwellDatabase foreign = {numbers[i]};
        FAILS(TICKWELL_CODE_INVALID_HANDLE, 0, "not open",
              tickwell_query(foreign, &select, &request, &error));
        const TickwellRequest nothing = {numbers[i]};
        FAILS(TICKWELL_CODE_INVALID_HANDLE, 0, "not open",
              tickwell_request_wait(nothing, 0, &error));
        FAILS(TICKWELL_CODE_INVALID_HANDLE, 0, "not open", tickwell_request_close(nothing, &error));
    }
    FAILS(TICKWELL_CODE_INVALID_HANDLE, 0, "not open",
          tickwell_runtime_close((TickwellRuntime){database.handle}, 0, &error));
    OK(tickwell_database_close(database, PATIENCE, &error));
}

/* Every type keeps the ends of its range, and text keeps every character. */
static void values(TickwellRuntime runtime, const char *folder) {
    TickwellDatabase database = open_in(runtime, "values", folder);
    static const struct { const char *name; uint32_t type; int64_t least, greatest; } integers[] = {
        {"boolean", TICKWELL_TYPE_BOOLEAN, 0, 1},
        {"tiny", TICKWELL_TYPE_TINY_INT, INT8_MIN, INT8_MAX},
        {"small", TICKWELL_TYPE_SMALL_INT, INT16_MIN, INT16_MAX},
        {"int", TICKWELL_TYPE_INT, INT32_MIN, INT32_MAX},
        {"big", TICKWELL_TYPE_BIG_INT, INT64_MIN, INT64_MAX},
        {"date", TICKWELL_TYPE_DATE, INT32_MIN, INT32_MAX},
        {"time", TICKWELL_TYPE_TIME_OF_DAY, 0, INT64_C(86399999999)},
        {"timestamp", TICKWELL_TYPE_TIMESTAMP, INT64_MIN, INT64_MAX},
        {"timespan", TICKWELL_TYPE_TIMESPAN, INT64_MIN, INT64_MAX}};
    enum { INTEGERS = COUNT(integers), FLOAT = INTEGERS, DOUBLE, TEXT, JSON, DECIMAL, BYTES, UUID,
           COLUMNS };
    static const char text[] = "\0nul \xF0\x9F\x98\x80 emoji \xC3\xA9\0";
    static const unsigned char uuid[16] = {0, 255, 1, 254, 2, 253, 3, 252,
                                           4, 251, 5, 250, 6, 249, 7, 248};
    static const unsigned char raw[] = {0, 255, 128, 0};

    TickwellColumn columns[COLUMNS] = {0};
    const char *names[COLUMNS];
    TickwellValue rows[3 * COLUMNS] = {{0}};
    TickwellValue *least = rows, *greatest = rows + COLUMNS;
    for (size_t i = 0; i < INTEGERS; i++) {
        columns[i] = (TickwellColumn){.name = integers[i].name, .value_type = integers[i].type};
        least[i] = (TickwellValue){.value_type = integers[i].type, .integer = integers[i].least};
        greatest[i] = least[i];
        greatest[i].integer = integers[i].greatest;
    }
    columns[FLOAT] = (TickwellColumn){.name = "float", .value_type = TICKWELL_TYPE_FLOAT};
    columns[DOUBLE] = (TickwellColumn){.name = "double", .value_type = TICKWELL_TYPE_DOUBLE};
    columns[TEXT] = (TickwellColumn){.name = "text", .value_type = TICKWELL_TYPE_TEXT};
    columns[JSON] = (TickwellColumn){.name = "json", .value_type = TICKWELL_TYPE_JSON};
    columns[DECIMAL] = (TickwellColumn){.name = "decimal", .value_type = TICKWELL_TYPE_DECIMAL};
    columns[BYTES] = (TickwellColumn){.name = "bytes", .value_type = TICKWELL_TYPE_BYTES};
    columns[UUID] = (TickwellColumn){.name = "uuid", .value_type = TICKWELL_TYPE_UUID};
    least[FLOAT] = tickwell_real(-FLT_MAX);
    greatest[FLOAT] = tickwell_real(FLT_TRUE_MIN);
    least[DOUBLE] = tickwell_real(-DBL_MAX);
    greatest[DOUBLE] = tickwell_real(DBL_TRUE_MIN);
    least[TEXT] = tickwell_text("", 0);
    greatest[TEXT] = tickwell_text(text, sizeof text - 1);
    least[JSON] = greatest[JSON] =
        (TickwellValue){.value_type = TICKWELL_TYPE_JSON, .data = "{\"a\": [1]}", .length = 10};
    least[DECIMAL] = greatest[DECIMAL] =
        (TickwellValue){.value_type = TICKWELL_TYPE_DECIMAL, .data = "-0.1230", .length = 7};
    least[BYTES] = tickwell_bytes(NULL, 0);
    greatest[BYTES] = tickwell_bytes(raw, sizeof raw);
    least[UUID] = greatest[UUID] = tickwell_uuid(uuid);
    for (size_t i = 0; i < COLUMNS; i++) {
        columns[i].flags = TICKWELL_COLUMN_NULLABLE;
        names[i] = columns[i].name;
        rows[2 * COLUMNS + i] = tickwell_null();
    }

    const TickwellTable table = {.name = "everything", .columns = columns, .column_count = COLUMNS,
                                 .owner = "program"};
    TickwellRequest request = {0};
    OK(tickwell_register(database, &table, &request, &error));
    OK(tickwell_request_close(request, &error));
    TickwellInsert insert = {.table = "everything", .columns = names, .column_count = COLUMNS,
                             .values = rows, .row_count = 3};
    OK(tickwell_insert(database, &insert, &request, &error));
    CHECK(affected(request) == 3);

    const TickwellOrder by_big = {.column = "big"};
    const TickwellSelect select = {.table = "everything", .orders = &by_big, .order_count = 1};
    OK(tickwell_select(database, &select, &request, &error));
    OK(tickwell_request_wait(request, PATIENCE, &error));
    size_t row_count = 0, column_count = 0;
    OK(tickwell_result_size(request, &row_count, &column_count, &error));
    CHECK(row_count == 3 && column_count == COLUMNS);
    for (size_t i = 0; i < COLUMNS; i++) {
        uint32_t type = 0;
        const char *name = NULL;
        size_t length = 0;
        OK(tickwell_result_column(request, i, &type, &name, &length, &error));
        CHECK(type == columns[i].value_type);
        CHECK(same(name, length, names[i], strlen(names[i])));
    }

    /* SQLite puts nulls first. */
    TickwellValue read[3][COLUMNS] = {{{0}}};
    for (size_t row = 0; row < 3; row++)
        OK(tickwell_result_row(request, row, read[row], COLUMNS, &error));
    for (size_t i = 0; i < COLUMNS; i++) {
        CHECK(read[0][i].value_type == 0);
        for (size_t row = 1; row < 3; row++) {
            const TickwellValue *want = &rows[(row - 1) * COLUMNS + i], *got = &read[row][i];
            CHECK(got->value_type == columns[i].value_type);
            CHECK(got->length == want->length);
            CHECK(want->length == 0 || same(got->data, got->length, want->data, want->length));
            CHECK(got->integer == want->integer);
            CHECK(memcmp(&got->real, &want->real, sizeof got->real) == 0);
            TickwellValue alone;
            OK(tickwell_result_value(request, row, i, &alone, &error));
            CHECK(alone.value_type == got->value_type && alone.integer == got->integer);
            CHECK(alone.data == got->data && alone.length == got->length);
        }
    }

    /* Each getter reads its types, says null, and refuses the rest. */
    int64_t integer = 5;
    double real = 5;
    const char *chars = NULL;
    const void *bytes = NULL;
    size_t length = 0;
    for (size_t i = 0; i < INTEGERS; i++) {
        OK(tickwell_result_integer(request, 2, i, &integer, &error));
        CHECK(integer == integers[i].greatest);
        EXPECT(TICKWELL_NULL, tickwell_result_integer(request, 0, i, &integer, &error));
        CHECK(integer == integers[i].greatest);
    }
    OK(tickwell_result_real(request, 1, FLOAT, &real, &error));
    CHECK(real == (double)-FLT_MAX);
    OK(tickwell_result_real(request, 2, DOUBLE, &real, &error));
    CHECK(real == DBL_TRUE_MIN);
    EXPECT(TICKWELL_NULL, tickwell_result_real(request, 0, DOUBLE, &real, &error));
    OK(tickwell_result_text(request, 2, TEXT, &chars, &length, &error));
    CHECK(same(chars, length, text, sizeof text - 1));
    EXPECT(TICKWELL_NULL, tickwell_result_text(request, 0, TEXT, &chars, &length, &error));
    OK(tickwell_result_bytes(request, 2, BYTES, &bytes, &length, &error));
    CHECK(same(bytes, length, raw, sizeof raw));
    OK(tickwell_result_bytes(request, 1, UUID, &bytes, &length, &error));
    CHECK(same(bytes, length, uuid, 16));
    EXPECT(TICKWELL_NULL, tickwell_result_bytes(request, 0, UUID, &bytes, &length, &error));
    const int32_t invalid = TICKWELL_CODE_INVALID_ARGUMENT;
    FAILS(invalid, 0, "text", tickwell_result_integer(request, 2, TEXT, &integer, &error));
    FAILS(invalid, 0, "bigint", tickwell_result_bytes(request, 2, 4, &bytes, &length, &error));
    FAILS(invalid, 0, "text", tickwell_result_bytes(request, 2, TEXT, &bytes, &length, &error));
    FAILS(invalid, 0, "uuid", tickwell_result_text(request, 2, UUID, &chars, &length, &error));
    FAILS(invalid, 0, "int", tickwell_result_real(request, 2, 3, &real, &error));
    FAILS(invalid, 0, "3 rows", tickwell_result_integer(request, 3, 0, &integer, &error));
    FAILS(invalid, 0, "column: 16", tickwell_result_integer(request, 0, COLUMNS, &integer, &error));
    FAILS(invalid, 0, "row: 18446744073709551615",
          tickwell_result_value(request, SIZE_MAX, 0, &read[0][0], &error));
    FAILS(invalid, 0, "column: 16", tickwell_result_row(request, 0, read[0], COLUMNS + 1, &error));
    FAILS(invalid, 0, "values is NULL", tickwell_result_row(request, 0, NULL, 1, &error));
    FAILS(invalid, 0, "value is NULL", tickwell_result_integer(request, 0, 0, NULL, &error));
    OK(tickwell_request_close(request, &error));

    /* One bad value, named with its row and column, and nothing is stored. */
    static const struct { size_t column; TickwellValue value; const char *where; } bad[] = {
        {1, {.value_type = TICKWELL_TYPE_INT, .integer = 128}, "row: 1, column: tiny"},
        {1, {.value_type = TICKWELL_TYPE_TEXT, .data = "x", .length = 1}, "row: 1, column: tiny"},
        {6, {.value_type = TICKWELL_TYPE_BIG_INT, .integer = -1}, "row: 1, column: time"},
        {FLOAT, {.value_type = TICKWELL_TYPE_DOUBLE, .real = 1e39}, "row: 1, column: float"},
        {DOUBLE, {.value_type = TICKWELL_TYPE_BIG_INT, .integer = 1}, "row: 1, column: double"},
        {TEXT, {.value_type = TICKWELL_TYPE_TEXT, .data = "ab\xFF", .length = 3}, "byte: 2"},
        {DECIMAL, {.value_type = TICKWELL_TYPE_TEXT, .data = "1e5", .length = 3}, "decimal"},
        {UUID, {.value_type = TICKWELL_TYPE_UUID, .data = uuid, .length = 15}, "16 bytes"}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        TickwellValue *place = &rows[COLUMNS + bad[i].column], kept = *place;
        *place = bad[i].value;
        FAILS(TICKWELL_CODE_INVALID_VALUE, 0, bad[i].where,
              tickwell_insert(database, &insert, &request, &error));
        *place = kept;
    }
    CHECK(count_of(database, "everything", NULL) == 3);

    /* Another owner is refused, and so is another shape of the table. */
    TickwellTable other = table;
    other.owner = "other";
    OK(tickwell_register(database, &other, &request, &error));
    FAILS(TICKWELL_CODE_TABLE_OWNED, 0, "program", tickwell_request_wait(request, PATIENCE, &error));
    OK(tickwell_request_close(request, &error));
    columns[3].value_type = TICKWELL_TYPE_TEXT;
    OK(tickwell_register(database, &table, &request, &error));
    FAILS(TICKWELL_CODE_TABLE_MISMATCH, 0, "int", tickwell_request_wait(request, PATIENCE, &error));
    OK(tickwell_request_close(request, &error));
    OK(tickwell_database_close(database, PATIENCE, &error));
}

/* 10,000 rows: stored at once, read in pages, changed, and a duplicate among them stores nothing. */
static void many_rows(TickwellRuntime runtime, const char *folder) {
    enum { ROWS = 10000, PAGE = 5000 };
    TickwellDatabase database = open_in(runtime, "many", folder);
    register_numbers(database, "numbers");
    TickwellValue *values = calloc(3 * ROWS, sizeof *values);
    if (values == NULL) abort();
    for (size_t i = 0; i < ROWS; i++) {
        values[3 * i] = tickwell_integer((int64_t)i);
        values[3 * i + 1] = tickwell_integer(-(int64_t)(i % 100));
        values[3 * i + 2] = i % 2 == 0 ? tickwell_null() : tickwell_text("odd", 3);
    }
    TickwellInsert insert = rows_of("numbers", values, ROWS);
    TickwellRequest request = {0};
    OK(tickwell_insert(database, &insert, &request, &error));
    CHECK(affected(request) == ROWS);

    TickwellSelect select = {.table = "numbers"};
    OK(tickwell_select(database, &select, &request, &error));
    FAILS(TICKWELL_CODE_RESULT_TOO_LARGE, 0, "5000", tickwell_request_wait(request, PATIENCE, &error));
    size_t rows = 7, columns = 7;
    FAILS(TICKWELL_CODE_RESULT_TOO_LARGE, 0, "5000",
          tickwell_result_size(request, &rows, &columns, &error));
    CHECK(rows == 7 && columns == 7);
    OK(tickwell_request_close(request, &error));

    const TickwellOrder by_id = {.column = "id", .descending = 1};
    int64_t next = ROWS - 1;
    for (uint32_t offset = 0; offset < ROWS; offset += PAGE) {
        select = (TickwellSelect){.table = "numbers", .orders = &by_id, .order_count = 1,
                                  .limit = PAGE, .offset = offset};
        OK(tickwell_select(database, &select, &request, &error));
        OK(tickwell_request_wait(request, PATIENCE, &error));
        OK(tickwell_result_size(request, &rows, &columns, &error));
        CHECK(rows == PAGE && columns == 3);
        for (size_t row = 0; row < rows; row++, next--) {
            TickwellValue read[3];
            OK(tickwell_result_row(request, row, read, 3, &error));
            CHECK(read[0].integer == next && read[1].integer == -(next % 100));
            CHECK(read[2].value_type == (next % 2 == 0 ? 0 : TICKWELL_TYPE_STRING));
        }
        OK(tickwell_request_close(request, &error));
    }
    CHECK(next == -1);

    /* The last of these is there already. */
    for (size_t i = 0; i < ROWS; i++) values[3 * i].integer = (int64_t)(2 * ROWS - 1 - i);
    values[3 * (ROWS - 1)].integer = 17;
    OK(tickwell_insert(database, &insert, &request, &error));
    FAILS(TICKWELL_CODE_UNIQUE_VIOLATION, TICKWELL_EFFECT_NONE, "insert",
          tickwell_request_wait(request, PATIENCE, &error));
    FAILS(TICKWELL_CODE_UNIQUE_VIOLATION, TICKWELL_EFFECT_NONE, "insert",
          tickwell_result_affected(request, &(int64_t){0}, &error));
    OK(tickwell_request_close(request, &error));
    CHECK(count_of(database, "numbers", NULL) == ROWS);
    insert.mode = TICKWELL_INSERT_MODE_IF_ABSENT;
    OK(tickwell_insert(database, &insert, &request, &error));
    CHECK(affected(request) == ROWS - 1);
    const char *const n_alone[] = {"n"};
    const TickwellValue seventeen[] = {tickwell_integer(17), tickwell_integer(7), tickwell_null()};
    insert = rows_of("numbers", seventeen, 1);
    insert.mode = TICKWELL_INSERT_MODE_UPSERT;
    insert.overwrite = n_alone;
    insert.overwrite_count = 1;
    OK(tickwell_insert(database, &insert, &request, &error));
    CHECK(affected(request) == 1);
    const TickwellFilter overwritten[] = {
        compare(TICKWELL_FILTER_KIND_EQ, "id", &seventeen[0]),
        compare(TICKWELL_FILTER_KIND_EQ, "n", &seventeen[1]),
        compare(TICKWELL_FILTER_KIND_EQ, "word", &(TickwellValue){
            .value_type = TICKWELL_TYPE_STRING, .data = "odd", .length = 3})};
    const TickwellFilter all_of = {.kind = TICKWELL_FILTER_KIND_AND, .filters = overwritten,
                                   .filter_count = COUNT(overwritten)};
    CHECK(count_of(database, "numbers", &all_of) == 1);
    free(values);
    OK(tickwell_database_close(database, PATIENCE, &error));
}

/* Filters, changes, keys that the database gives, SQL. */
static void statements(TickwellRuntime runtime, const char *folder) {
    TickwellDatabase database = open_in(runtime, "statements", folder);
    register_numbers(database, "numbers");
    TickwellValue values[30];
    static const char *const words[] = {"apple", "Apple", "pear", "a_b", "axb"};
    for (size_t i = 0; i < 10; i++) {
        values[3 * i] = tickwell_integer((int64_t)i);
        values[3 * i + 1] = tickwell_integer((int64_t)(i * 10));
        values[3 * i + 2] =
            i < 5 ? tickwell_text(words[i], strlen(words[i])) : tickwell_null();
    }
    TickwellRequest request = {0};
    const TickwellInsert insert = rows_of("numbers", values, 10);
    OK(tickwell_insert(database, &insert, &request, &error));
    CHECK(affected(request) == 10);

    const TickwellValue fifty = tickwell_integer(50), huge = tickwell_integer(INT64_MAX);
    const TickwellValue pattern = tickwell_text("a\\_%", 4);
    const TickwellValue range[] = {tickwell_integer(20), tickwell_integer(40)};
    const TickwellValue some[] = {tickwell_integer(10), tickwell_integer(90), tickwell_integer(95)};
    const TickwellFilter between = {.kind = TICKWELL_FILTER_KIND_BETWEEN, .column = "n",
                                    .values = range, .value_count = 2};
    const TickwellFilter in = {.kind = TICKWELL_FILTER_KIND_IN, .column = "n", .values = some,
                               .value_count = 3};
    const TickwellFilter in_none = {.kind = TICKWELL_FILTER_KIND_IN, .column = "n"};
    const TickwellFilter null = {.kind = TICKWELL_FILTER_KIND_IS_NULL, .column = "word"};
    const TickwellFilter not_null = {.kind = TICKWELL_FILTER_KIND_NOT, .filters = &null,
                                     .filter_count = 1};
    const TickwellFilter either[] = {between, in};
    const TickwellFilter or = {.kind = TICKWELL_FILTER_KIND_OR, .filters = either, .filter_count = 2};
    const struct { TickwellFilter filter; int64_t rows; } expected[] = {
        {compare(TICKWELL_FILTER_KIND_EQ, "n", &fifty), 1},
        {compare(TICKWELL_FILTER_KIND_NE, "n", &fifty), 9},
        {compare(TICKWELL_FILTER_KIND_LT, "n", &fifty), 5},
        {compare(TICKWELL_FILTER_KIND_LE, "n", &fifty), 6},
        {compare(TICKWELL_FILTER_KIND_GT, "n", &fifty), 4},
        {compare(TICKWELL_FILTER_KIND_GE, "n", &fifty), 5},
        {compare(TICKWELL_FILTER_KIND_LT, "n", &huge), 10},
        {compare(TICKWELL_FILTER_KIND_LIKE, "word", &pattern), 1},
        {between, 3}, {in, 2}, {in_none, 0}, {null, 5}, {not_null, 5}, {or, 5}};
    for (size_t i = 0; i < COUNT(expected); i++)
        CHECK(count_of(database, "numbers", &expected[i].filter) == expected[i].rows);
    const TickwellCount exists = {.table = "numbers", .filter = &in, .exists = 1};
    OK(tickwell_count(database, &exists, &request, &error));
    CHECK(affected(request) == 1);

    const TickwellAssignment assignments[] = {
        {.column = "n", .change = TICKWELL_CHANGE_ADD, .value = tickwell_integer(-5)},
        {.column = "word", .change = TICKWELL_CHANGE_SET, .value = tickwell_null()}};
    TickwellUpdate update = {.table = "numbers", .assignments = assignments, .assignment_count = 2,
                             .filter = &between, .limit = 2};
    OK(tickwell_update(database, &update, &request, &error));
    CHECK(affected(request) == 2);
    CHECK(count_of(database, "numbers", &null) == 7);
    update = (TickwellUpdate){.table = "numbers", .assignments = assignments,
                              .assignment_count = 1, .all = 1};
    OK(tickwell_update(database, &update, &request, &error));
    CHECK(affected(request) == 10);
    TickwellDelete deletion = {.table = "numbers", .filter = &null, .limit = 3};
    OK(tickwell_delete(database, &deletion, &request, &error));
    CHECK(affected(request) == 3);
    deletion = (TickwellDelete){.table = "numbers", .all = 1};
    OK(tickwell_delete(database, &deletion, &request, &error));
    CHECK(affected(request) == 7);

    /* Keys that the database gives, and a default. */
    const TickwellValue nobody = tickwell_text("nobody", 6);
    const TickwellColumn columns[] = {
        {.name = "id", .value_type = TICKWELL_TYPE_INT,
         .flags = TICKWELL_COLUMN_KEY | TICKWELL_COLUMN_AUTO_INCREMENT},
        {.name = "who", .value_type = TICKWELL_TYPE_TEXT, .default_value = &nobody},
        {.name = "what", .value_type = TICKWELL_TYPE_TEXT}};
    const char *const who_what[] = {"who", "what"};
    const TickwellIndex unique = {.columns = who_what, .column_count = 2,
                                  .flags = TICKWELL_INDEX_UNIQUE};
    TickwellTable table = {.name = "log", .columns = columns, .column_count = 3,
                           .indexes = &unique, .index_count = 1};
    OK(tickwell_register(database, &table, &request, &error));
    OK(tickwell_request_close(request, &error));
    const TickwellValue events[] = {tickwell_text("a", 1), tickwell_text("b", 1)};
    TickwellInsert log = {.table = "log", .columns = &who_what[1], .column_count = 1,
                          .values = events, .row_count = 2, .flags = TICKWELL_INSERT_RETURN_KEYS};
    OK(tickwell_insert(database, &log, &request, &error));
    OK(tickwell_request_wait(request, PATIENCE, &error));
    size_t rows = 0, width = 0;
    int64_t key = 0, told = 0;
    OK(tickwell_result_size(request, &rows, &width, &error));
    CHECK(rows == 2 && width == 1);
    OK(tickwell_result_integer(request, 1, 0, &key, &error));
    CHECK(key == 2);
    OK(tickwell_result_affected(request, &told, &error));
    CHECK(told == -1);
    OK(tickwell_request_close(request, &error));
    OK(tickwell_insert(database, &log, &request, &error));
    FAILS(TICKWELL_CODE_UNIQUE_VIOLATION, TICKWELL_EFFECT_NONE, "",
          tickwell_request_wait(request, PATIENCE, &error));
    OK(tickwell_request_close(request, &error));

    /* SQL, with a ? that is none. */
    const TickwellValue parameters[] = {tickwell_text("nobody", 6), tickwell_null(),
                                        tickwell_boolean(5), tickwell_real(0.5)};
    TickwellSql sql = {.text = "SELECT what, '?', ?2 IS NULL FROM log WHERE who = ?"};
    OK(tickwell_query(database, &(TickwellSql){.text =
        "SELECT what, '?', ? IS NULL, ? + 1, ? FROM log WHERE who = ? ORDER BY id",
        .values = (TickwellValue[]){parameters[1], parameters[2], parameters[3], parameters[0]},
        .value_count = 4}, &request, &error));
    OK(tickwell_request_wait(request, PATIENCE, &error));
    OK(tickwell_result_size(request, &rows, &width, &error));
    CHECK(rows == 2 && width == 5);
    const char *text = NULL;
    size_t length = 0;
    OK(tickwell_result_text(request, 1, 0, &text, &length, &error));
    CHECK(same(text, length, "b", 1));
    OK(tickwell_result_text(request, 1, 1, &text, &length, &error));
    CHECK(same(text, length, "?", 1));
    OK(tickwell_result_integer(request, 1, 2, &key, &error));
    CHECK(key == 1);
    OK(tickwell_result_integer(request, 1, 3, &key, &error));
    CHECK(key == 2);
    double half = 0;
    OK(tickwell_result_real(request, 1, 4, &half, &error));
    CHECK(half == 0.5);
    OK(tickwell_request_close(request, &error));
    CHECK(execute(database, "UPDATE log SET who = 'x' WHERE what = 'a'") == 1);

    sql = (TickwellSql){.text = "SELECT ?", .values = parameters, .value_count = 2};
    FAILS(TICKWELL_CODE_PARAMETER_COUNT, 0, "1 parameters",
          tickwell_query(database, &sql, &request, &error));
    OK(tickwell_query(database, &(TickwellSql){.text = "SELEKT 1"}, &request, &error));
    FAILS(TICKWELL_CODE_SYNTAX, 0, "SELEKT", tickwell_request_wait(request, PATIENCE, &error));
    OK(tickwell_request_close(request, &error));

    /* A table that was there gets a column that it lacks, and says so. */
    TickwellColumn more[4];
    memcpy(more, columns, sizeof columns);
    more[3] = (TickwellColumn){.name = "when", .value_type = TICKWELL_TYPE_TIMESTAMP,
                               .flags = TICKWELL_COLUMN_NULLABLE};
    table.columns = more;
    table.column_count = 4;
    table.flags = TICKWELL_TABLE_ADD_MISSING_COLUMNS | TICKWELL_TABLE_SHARED;
    OK(tickwell_register(database, &table, &request, &error));
    OK(tickwell_request_wait(request, PATIENCE, &error));
    OK(tickwell_result_text(request, 0, 0, &text, &length, &error));
    CHECK(length > 4);
    OK(tickwell_request_close(request, &error));
    OK(tickwell_database_close(database, PATIENCE, &error));
}

static const char ENDLESS[] =
    "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";

/* What a callback has seen; `calls` is counted last. */
typedef struct Seen {
    TickwellRequest request;
    TickwellStatus asked, waited, waited_for_other, closed;
    TickwellRequest other;
    TickwellDatabase database;
    thrd_t thread;
    atomic_int calls;
} Seen;

static void remember(void *context, TickwellRequest request) {
    Seen *seen = context;
    seen->request = request;
    seen->thread = thrd_current();
    seen->asked = tickwell_request_wait(request, 0, NULL);
    seen->waited = tickwell_request_wait(request, PATIENCE, NULL);
    seen->waited_for_other = tickwell_request_wait(seen->other, PATIENCE, NULL);
    seen->closed = tickwell_database_close(seen->database, 0, NULL);
    atomic_fetch_add(&seen->calls, 1);
}

/* Pending, callbacks, cancelling, deadlines. */
static void waiting(TickwellRuntime runtime, const char *folder) {
    TickwellDatabase database = open_in(runtime, "waiting", folder);
    const TickwellSql endless = {.text = ENDLESS};
    TickwellRequest request = {0}, other = {0};
    OK(tickwell_query(database, &endless, &request, &error));
    OK(tickwell_query(database, &endless, &other, &error));
    EXPECT(TICKWELL_PENDING, tickwell_request_wait(request, 0, &error));
    EXPECT(TICKWELL_PENDING, tickwell_request_wait(request, 1, &error));
    int64_t integer = 3;
    size_t rows = 3, columns = 3;
    EXPECT(TICKWELL_PENDING, tickwell_result_affected(request, &integer, &error));
    EXPECT(TICKWELL_PENDING, tickwell_result_size(request, &rows, &columns, &error));
    EXPECT(TICKWELL_PENDING, tickwell_result_integer(request, 0, 0, &integer, &error));
    CHECK(integer == 3 && rows == 3 && columns == 3);

    Seen seen = {.other = other, .database = database};
    OK(tickwell_request_notify(request, remember, &seen, &error));
    FAILS(TICKWELL_CODE_INVALID_ARGUMENT, 0, "callback already",
          tickwell_request_notify(request, remember, &seen, &error));
    FAILS(TICKWELL_CODE_INVALID_ARGUMENT, 0, "callback is NULL",
          tickwell_request_notify(other, NULL, &seen, &error));
    CHECK(atomic_load(&seen.calls) == 0);
    uint32_t cancelled = 9;
    OK(tickwell_request_cancel(request, &cancelled, &error));
    CHECK(cancelled == 1);
    FAILS(TICKWELL_CODE_CANCELLED, 0, "cancelled", tickwell_request_wait(request, PATIENCE, &error));
    OK(tickwell_request_cancel(request, &cancelled, &error));
    CHECK(cancelled == 0);
    while (atomic_load(&seen.calls) == 0) thrd_yield();
    CHECK(seen.request.handle == request.handle);
    CHECK(seen.asked == TICKWELL_CODE_CANCELLED && seen.waited == TICKWELL_CODE_CANCELLED);
    CHECK(seen.waited_for_other == TICKWELL_CODE_WRONG_THREAD);
    CHECK(seen.closed == TICKWELL_CODE_WRONG_THREAD);
    CHECK(!thrd_equal(seen.thread, thrd_current()));

    /* Asked for after the end: at once, here. */
    Seen late = {.other = request, .database = {0}};
    OK(tickwell_request_notify(request, remember, &late, &error));
    CHECK(atomic_load(&late.calls) == 1 && thrd_equal(late.thread, thrd_current()));
    CHECK(atomic_load(&seen.calls) == 1);
    OK(tickwell_request_close(request, &error));

    /* Called although the request was closed, which then is no more. */
    Seen orphan = {.other = {0}, .database = {0}};
    OK(tickwell_request_notify(other, remember, &orphan, &error));
    OK(tickwell_request_cancel(other, &cancelled, &error));
    CHECK(cancelled == 1);
    OK(tickwell_request_close(other, &error));
    while (atomic_load(&orphan.calls) == 0) thrd_yield();
    CHECK(orphan.request.handle == other.handle);

    /* A deadline of its own. */
    const TickwellSql short_lived = {.text = ENDLESS, .deadline_millis = 1};
    OK(tickwell_query(database, &short_lived, &request, &error));
    FAILS(TICKWELL_CODE_TIMEOUT, 0, "deadline", tickwell_request_wait(request, PATIENCE, &error));
    OK(tickwell_request_close(request, &error));
    OK(tickwell_database_close(database, PATIENCE, &error));
}

enum { THREADS = 4, EACH = 250 };

typedef struct Writer {
    TickwellDatabase database;
    atomic_int *ended;
    int64_t first;
} Writer;

static void count_call(void *context, TickwellRequest request) {
    atomic_int *ended = context;
    CHECK(tickwell_request_wait(request, 0, NULL) == TICKWELL_OK);
    CHECK(tickwell_request_close(request, NULL) == TICKWELL_OK);
    atomic_fetch_add(ended, 1);
}

/* Writes and reads back its own row, again and again: a read sees the writes before it. */
static int write_and_read(void *context) {
    const Writer *writer = context;
    for (int64_t i = 0; i < EACH; i++) {
        const TickwellValue row[] = {tickwell_integer(writer->first + i), tickwell_integer((int)i),
                                     tickwell_text("x", 1)};
        const TickwellInsert insert = rows_of("numbers", row, 1);
        TickwellRequest request = {0}, read = {0};
        OK(tickwell_insert(writer->database, &insert, &request, &error));
        const TickwellFilter key = compare(TICKWELL_FILTER_KIND_EQ, "id", row);
        const TickwellSelect select = {.table = "numbers", .columns = &NUMBERS[1],
                                       .column_count = 1, .filter = &key};
        OK(tickwell_select(writer->database, &select, &read, &error));
        OK(tickwell_request_notify(request, count_call, writer->ended, &error));
        int64_t n = -1;
        OK(tickwell_request_wait(read, PATIENCE, &error));
        OK(tickwell_result_integer(read, 0, 0, &n, &error));
        CHECK(n == i);
        OK(tickwell_request_close(read, &error));
    }
    return 0;
}

static int wait_for_end(void *context) {
    return tickwell_request_wait(*(TickwellRequest *)context, PATIENCE, NULL);
}

static void many_threads(TickwellRuntime runtime, const char *folder) {
    TickwellDatabase database = open_in(runtime, "threads", folder);
    register_numbers(database, "numbers");
    atomic_int ended = 0;
    Writer writers[THREADS];
    thrd_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        writers[i] = (Writer){database, &ended, (int64_t)i * EACH};
        CHECK(thrd_create(&threads[i], write_and_read, &writers[i]) == thrd_success);
    }
    for (int i = 0; i < THREADS; i++) CHECK(thrd_join(threads[i], NULL) == thrd_success);
    while (atomic_load(&ended) < THREADS * EACH) thrd_yield();
    CHECK(count_of(database, "numbers", NULL) == THREADS * EACH);

    /* All who wait for one request are woken by its end. */
    TickwellRequest request = {0};
    OK(tickwell_query(database, &(TickwellSql){.text = ENDLESS}, &request, &error));
    for (int i = 0; i < THREADS; i++)
        CHECK(thrd_create(&threads[i], wait_for_end, &request) == thrd_success);
    uint32_t cancelled = 0;
    OK(tickwell_request_cancel(request, &cancelled, &error));
    for (int i = 0; i < THREADS; i++) {
        int status = 0;
        CHECK(thrd_join(threads[i], &status) == thrd_success);
        CHECK(status == TICKWELL_CODE_CANCELLED);
    }
    OK(tickwell_request_close(request, &error));
    OK(tickwell_database_close(database, PATIENCE, &error));
}

/* A transaction sees its own writes, others see them after its end, and an error undoes all of them. */
static void transactions(TickwellRuntime runtime, const char *folder) {
    TickwellDatabase database = open_in(runtime, "transactions", folder), transaction = {0};
    register_numbers(database, "numbers");
    const TickwellValue row[] = {tickwell_integer(1), tickwell_integer(1), tickwell_null()};
    const TickwellInsert insert = rows_of("numbers", row, 1);
    const TickwellCount all = {.table = "numbers"};
    TickwellRequest request = {0};
    int64_t rows = -2;

    const TickwellTransaction options = {.name = "program", .wait_millis = UINT64_MAX,
                                         .limit_millis = UINT64_MAX, .idle_millis = UINT64_MAX};
    OK(tickwell_transaction_begin(database, &options, &transaction, &error));
    OK(tickwell_insert(transaction, &insert, &request, &error));
    OK(tickwell_request_wait(request, 0, &error));
    OK(tickwell_request_close(request, &error));
    CHECK(count_of(database, "numbers", NULL) == 0);
    OK(tickwell_count(transaction, &all, &request, &error));
    OK(tickwell_result_affected(request, &rows, &error));
    CHECK(rows == 1);
    OK(tickwell_request_close(request, &error));
    FAILS(TICKWELL_CODE_INVALID_ARGUMENT, 0, "another one",
          tickwell_transaction_begin(transaction, NULL, &(TickwellDatabase){0}, &error));
    FAILS(TICKWELL_CODE_INVALID_ARGUMENT, 0, "tickwell_transaction_end",
          tickwell_database_close(transaction, 0, &error));
    FAILS(TICKWELL_CODE_INVALID_HANDLE, 0, "transaction",
          tickwell_transaction_end(database, 1, &error));
    OK(tickwell_transaction_end(transaction, 1, &error));
    CHECK(count_of(database, "numbers", NULL) == 1);
    FAILS(TICKWELL_CODE_INVALID_HANDLE, 0, "not open",
          tickwell_transaction_end(transaction, 1, &error));

    OK(tickwell_transaction_begin(database, NULL, &transaction, &error));
    const TickwellValue other_row[] = {tickwell_integer(2), tickwell_integer(1), tickwell_null()};
    const TickwellInsert other = rows_of("numbers", other_row, 1);
    OK(tickwell_insert(transaction, &other, &request, &error));
    CHECK(affected(request) == 1);
    FAILS(TICKWELL_CODE_UNIQUE_VIOLATION, TICKWELL_EFFECT_NONE, "insert",
          tickwell_insert(transaction, &insert, &request, &error));
    FAILS(TICKWELL_CODE_UNIQUE_VIOLATION, TICKWELL_EFFECT_NONE, "insert",
          tickwell_count(transaction, &all, &request, &error));
    FAILS(TICKWELL_CODE_UNIQUE_VIOLATION, TICKWELL_EFFECT_NONE, "insert",
          tickwell_transaction_end(transaction, 1, &error));
    CHECK(count_of(database, "numbers", NULL) == 1);

    OK(tickwell_transaction_begin(database, NULL, &transaction, &error));
    OK(tickwell_insert(transaction, &other, &request, &error));
    OK(tickwell_request_close(request, &error));
    OK(tickwell_transaction_end(transaction, 0, &error));
    CHECK(count_of(database, "numbers", NULL) == 1);

    char path[1024];
    snprintf(path, sizeof path, "%s/copy.db", folder);
    OK(tickwell_database_backup(database, path, &error));
    FAILS(TICKWELL_CODE_INVALID_CONFIG, 0, "copy.db",
          tickwell_database_backup(database, path, &error));
    TickwellDatabase copy = open_in(runtime, "copy", folder);
    register_numbers(copy, "numbers");
    CHECK(count_of(copy, "numbers", NULL) == 1);

    /* Closing waits for a transaction within its limit, then rolls it back and says so. */
    OK(tickwell_transaction_begin(copy, NULL, &transaction, &error));
    OK(tickwell_insert(transaction, &other, &request, &error));
    OK(tickwell_request_close(request, &error));
    FAILS(TICKWELL_CODE_TIMEOUT, TICKWELL_EFFECT_UNKNOWN, "copy/transactions",
          tickwell_database_close(copy, 0, &error));
    FAILS(TICKWELL_CODE_CLOSED, TICKWELL_EFFECT_NONE, "",
          tickwell_transaction_end(transaction, 1, &error));
    OK(tickwell_database_close(database, PATIENCE, &error));
}

/* What was closed is refused; a result that is held stays. */
static void closing(const char *folder) {
    TickwellRuntime runtime = {0}, second = {0};
    OK(tickwell_runtime_open(NULL, 0, &runtime, &error));
    TickwellDatabase database = open_in(runtime, "closing", folder);
    register_numbers(database, "numbers");
    const TickwellSql word = {.text = "SELECT 'kept'"};
    TickwellRequest held = {0}, request = {0};
    OK(tickwell_query(database, &word, &held, &error));
    OK(tickwell_request_wait(held, PATIENCE, &error));
    OK(tickwell_query(database, &word, &request, &error));
    OK(tickwell_request_close(request, &error));
    const int32_t gone = TICKWELL_CODE_INVALID_HANDLE;
    FAILS(gone, 0, "request", tickwell_request_close(request, &error));
    FAILS(gone, 0, "request", tickwell_request_wait(request, 0, &error));
    TickwellValue value;
    FAILS(gone, 0, "request", tickwell_result_value(request, 0, 0, &value, &error));

    /* A write that does not end, and one behind it: closing without patience says what it left. */
    static const char fill[] =
        "INSERT INTO numbers (id, n) "
        "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT i, 0 FROM n";
    TickwellRequest running = {0}, queued = {0};
    OK(tickwell_execute(database, &(TickwellSql){.text = fill}, &running, &error));
    const TickwellValue row[] = {tickwell_integer(1), tickwell_integer(1), tickwell_null()};
    const TickwellInsert insert = rows_of("numbers", row, 1);
    OK(tickwell_insert(database, &insert, &queued, &error));
    FAILS(TICKWELL_CODE_TIMEOUT, TICKWELL_EFFECT_UNKNOWN, "closing/numbers: 1 writes, 1 rows",
          tickwell_runtime_close(runtime, 0, &error));
    FAILS(TICKWELL_CODE_CANCELLED, TICKWELL_EFFECT_NONE, "",
          tickwell_request_wait(queued, 0, &error));
    FAILS(TICKWELL_CODE_CANCELLED, TICKWELL_EFFECT_NONE, "",
          tickwell_request_wait(running, 0, &error));
    OK(tickwell_request_close(queued, &error));
    OK(tickwell_request_close(running, &error));

    const char *text = NULL;
    size_t length = 0;
    OK(tickwell_result_text(held, 0, 0, &text, &length, &error));
    CHECK(same(text, length, "kept", 4));
    uint32_t cancelled = 9;
    OK(tickwell_request_cancel(held, &cancelled, &error));
    CHECK(cancelled == 0);
    FAILS(gone, 0, "runtime", tickwell_runtime_close(runtime, 0, &error));
    FAILS(gone, 0, "database", tickwell_query(database, &word, &request, &error));
    FAILS(gone, 0, "database", tickwell_database_close(database, 0, &error));

    /* The slots are used again, the handles are not. */
    OK(tickwell_runtime_open(NULL, 0, &second, &error));
    CHECK(second.handle != runtime.handle);
    FAILS(gone, 0, "runtime", tickwell_runtime_close(runtime, 0, &error));
    database = open_in(second, "closing", folder);
    CHECK(execute(database, "DELETE FROM numbers") == 0);
    OK(tickwell_database_close(database, PATIENCE, &error));
    FAILS(gone, 0, "database", tickwell_query(database, &word, &request, &error));
    OK(tickwell_runtime_close(second, UINT64_MAX, &error));
    OK(tickwell_request_close(held, &error));
}

typedef struct Gate {
    atomic_int entered, open;
} Gate;

static void wait_at_gate(void *context, TickwellRequest request) {
    Gate *gate = context;
    CHECK(tickwell_request_close(request, NULL) == TICKWELL_OK);
    atomic_store(&gate->entered, 1);
    while (!atomic_load(&gate->open)) thrd_yield();
    atomic_store(&gate->entered, 2);
}

/* A callback that does not return cannot hold up the end for ever. */
static void stuck_callback(const char *folder) {
    TickwellRuntime runtime = {0};
    OK(tickwell_runtime_open(NULL, 0, &runtime, &error));
    TickwellDatabase database = open_in(runtime, "stuck", folder);
    TickwellRequest request = {0};
    static Gate gate;
    OK(tickwell_query(database, &(TickwellSql){.text = ENDLESS}, &request, &error));
    OK(tickwell_request_notify(request, wait_at_gate, &gate, &error));
    uint32_t cancelled = 0;
    OK(tickwell_request_cancel(request, &cancelled, &error));
    while (!atomic_load(&gate.entered)) thrd_yield();
    FAILS(TICKWELL_CODE_TIMEOUT, TICKWELL_EFFECT_UNKNOWN, "callbacks",
          tickwell_runtime_close(runtime, 0, &error));
    atomic_store(&gate.open, 1);
    while (atomic_load(&gate.entered) != 2) thrd_yield();
}

/* A defect of the library becomes an error; the program goes on. */
static void panics(void) {
    const TickwellSetting setting = {"test-panic", "tickwell_request_cancel"};
    TickwellRuntime runtime = {0};
    uint32_t cancelled = 9;
    OK(tickwell_runtime_open(&setting, 1, &runtime, &error));
    FAILS(TICKWELL_CODE_INTERNAL, TICKWELL_EFFECT_UNKNOWN, "panicked",
          tickwell_request_cancel((TickwellRequest){0}, &cancelled, &error));
    CHECK(cancelled == 9);
    OK(tickwell_runtime_close(runtime, PATIENCE, &error));
    FAILS(TICKWELL_CODE_INVALID_HANDLE, 0, "request",
          tickwell_request_cancel((TickwellRequest){0}, &cancelled, &error));
}

int main(int argc, char **argv) {
    if (argc != 2) {
        printf("usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    /* Told even if the program does not come to its end. */
    setvbuf(stdout, NULL, _IOLBF, 1 << 12);
    CHECK(tickwell_abi_version() == TICKWELL_ABI_VERSION);
    CHECK(tickwell_version()[0] >= '0' && tickwell_version()[0] <= '9');
    TickwellRuntime runtime = {0};
    OK(tickwell_runtime_open(NULL, 0, &runtime, &error));
    arguments(runtime, argv[1]);
    values(runtime, argv[1]);
    many_rows(runtime, argv[1]);
    statements(runtime, argv[1]);
    waiting(runtime, argv[1]);
    many_threads(runtime, argv[1]);
    transactions(runtime, argv[1]);
    OK(tickwell_runtime_close(runtime, PATIENCE, &error));
    closing(argv[1]);
    stuck_callback(argv[1]);
    panics();
    printf("%d checks, %d failures\n", atomic_load(&checks), atomic_load(&failures));
    return atomic_load(&failures) == 0 ? 0 : 1;
}
