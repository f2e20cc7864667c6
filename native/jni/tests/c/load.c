/* A program that loads the library while it runs and unloads it again, as a plugin that is reloaded does.
 * Takes the library and a folder. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include "tickwell.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A function of the library, in the way that POSIX gives for it. */
#define FIND(function)                                       \
    do {                                                     \
        *(void **)(&function) = dlsym(library, "tickwell_" #function); \
        if (function == NULL) return __LINE__;               \
    } while (0)

static int threads(void) {
    DIR *folder = opendir("/proc/self/task");
    int count = 0;
    if (folder == NULL) return -1;
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
        if (entry->d_name[0] != '.') count++;
    closedir(folder);
    return count;
}

static int use(void *library, const char *path) {
    TickwellStatus (*runtime_open)(const TickwellSetting *, size_t, TickwellRuntime *, TickwellError *);
    TickwellStatus (*runtime_close)(TickwellRuntime, uint64_t, TickwellError *);
    TickwellStatus (*database_open)(TickwellRuntime, const TickwellSetting *, size_t,
                                    TickwellDatabase *, TickwellError *);
    TickwellStatus (*query)(TickwellDatabase, const TickwellSql *, TickwellRequest *,
                            TickwellError *);
    TickwellStatus (*request_wait)(TickwellRequest, uint64_t, TickwellError *);
    TickwellStatus (*request_close)(TickwellRequest, TickwellError *);
    uint32_t (*abi_version)(void);
    FIND(runtime_open);
    FIND(runtime_close);
    FIND(database_open);
    FIND(query);
    FIND(request_wait);
    FIND(request_close);
    FIND(abi_version);
    if (abi_version() != TICKWELL_ABI_VERSION) return __LINE__;

    TickwellRuntime runtime;
    TickwellDatabase database;
    TickwellRequest request;
    const TickwellSetting settings[] = {{"name", "main"}, {"type", "sqlite"}, {"path", path}};
    const TickwellSql one = {.text = "SELECT 1"};
    if (runtime_open(NULL, 0, &runtime, NULL) != TICKWELL_OK) return __LINE__;
    if (database_open(runtime, settings, COUNT(settings), &database, NULL) != TICKWELL_OK)
        return __LINE__;
    if (query(database, &one, &request, NULL) != TICKWELL_OK) return __LINE__;
    if (request_wait(request, UINT64_MAX, NULL) != TICKWELL_OK) return __LINE__;
    if (threads() == 1) return __LINE__;
    if (runtime_close(runtime, UINT64_MAX, NULL) != TICKWELL_OK) return __LINE__;
    if (request_close(request, NULL) != TICKWELL_OK) return __LINE__;
    /* A thread that was joined may be listed for a moment. */
    for (int looks = 0; threads() != 1; looks++)
        if (looks == 1000000) return __LINE__;
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 3) return 1;
    for (int i = 0; i < 20; i++) {
        void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (library == NULL) {
            printf("%s\n", dlerror());
            return 1;
        }
        int line = use(library, argv[2]);
        if (line != 0) {
            printf("line %d in round %d\n", line, i);
            return 1;
        }
        if (dlclose(library) != 0) return 1;
    }
    return 0;
}
