/* The example of docs/c-api.md: stores homes, and lists those of a player. */
// docs/c-api.md: begin
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "tickwell.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static TickwellError error;

static void check(TickwellStatus status) {
    if (status != TICKWELL_OK) {
        fprintf(stderr, "%" PRId32 ": %s\n", status, error.message);
        exit(1);
    }
}

int main(int argc, char **argv) {
    if (tickwell_abi_version() != TICKWELL_ABI_VERSION) return 1;

    TickwellRuntime runtime;
    check(tickwell_runtime_open(NULL, 0, &runtime, &error));
    const TickwellSetting settings[] = {
        {"name", "main"}, {"type", "sqlite"}, {"path", argc > 1 ? argv[1] : "homes.db"}};
    TickwellDatabase database;
    check(tickwell_database_open(runtime, settings, COUNT(settings), &database, &error));

    const TickwellColumn columns[] = {
        {.name = "player", .value_type = TICKWELL_TYPE_UUID, .flags = TICKWELL_COLUMN_KEY},
        {.name = "name", .value_type = TICKWELL_TYPE_STRING, .max_length = 32,
         .flags = TICKWELL_COLUMN_KEY},
        {.name = "x", .value_type = TICKWELL_TYPE_INT},
        {.name = "z", .value_type = TICKWELL_TYPE_INT}};
    const TickwellTable table = {
        .name = "homes", .columns = columns, .column_count = COUNT(columns)};
    TickwellRequest request;
    check(tickwell_register(database, &table, &request, &error));
    check(tickwell_request_wait(request, 10000, &error));
    check(tickwell_request_close(request, &error));

    const unsigned char player[16] = {0x06, 0x9a, 0x79, 0xf4, 0x44, 0xe9, 0x47, 0x26,
                                      0xa5, 0xbe, 0xfc, 0xa9, 0x0e, 0x38, 0xaa, 0xf5};
    const char *names[] = {"player", "name", "x", "z"};
    const TickwellValue rows[] = {
        tickwell_uuid(player), tickwell_text("base", 4), tickwell_integer(-120), tickwell_integer(40),
        tickwell_uuid(player), tickwell_text("farm", 4), tickwell_integer(310), tickwell_integer(-7)};
    const TickwellInsert insert = {
        .table = "homes", .columns = names, .column_count = COUNT(names),
        .values = rows, .row_count = 2, .mode = TICKWELL_INSERT_MODE_UPSERT};
    check(tickwell_insert(database, &insert, &request, &error));
    check(tickwell_request_wait(request, 10000, &error));
    check(tickwell_request_close(request, &error));

    const TickwellFilter mine = {.kind = TICKWELL_FILTER_KIND_EQ, .column = "player",
                                 .values = &rows[0], .value_count = 1};
    const TickwellOrder by_name = {.column = "name"};
    const TickwellSelect select = {.table = "homes", .columns = &names[1], .column_count = 3,
                                   .filter = &mine, .orders = &by_name, .order_count = 1};
    check(tickwell_select(database, &select, &request, &error));
    check(tickwell_request_wait(request, 10000, &error));
    size_t found, width;
    check(tickwell_result_size(request, &found, &width, &error));
    for (size_t row = 0; row < found; row++) {
        TickwellValue home[3];
        check(tickwell_result_row(request, row, home, 3, &error));
        printf("%.*s at %" PRId64 ", %" PRId64 "\n", (int)home[0].length,
               (const char *)home[0].data, home[1].integer, home[2].integer);
    }
    check(tickwell_request_close(request, &error));

    check(tickwell_runtime_close(runtime, 8000, &error));
    return 0;
}
// docs/c-api.md: end
