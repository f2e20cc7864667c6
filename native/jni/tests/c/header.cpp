// The header in C++: twice, with every warning, linked and called.
#include "tickwell.h"
#include "tickwell.h"

int main() {
    TickwellError error;
    TickwellRuntime runtime{};
    if (tickwell_runtime_close(runtime, 0, &error) != TICKWELL_CODE_INVALID_HANDLE) return 1;
    if (error.code != TICKWELL_CODE_INVALID_HANDLE || error.effect != TICKWELL_EFFECT_NONE) return 2;
    TickwellType type = TICKWELL_TYPE_BIG_INT;
    if (tickwell_integer(7).value_type != type) return 3;
    return tickwell_abi_version() == TICKWELL_ABI_VERSION ? 0 : 4;
}
