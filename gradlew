#!/bin/sh
# The tasks of this project by the command that people expect. It runs a real Gradle when there is
# one (Gradle 8 or newer: GRADLE_HOME, the PATH, or the distribution that GRADLEW_DISTRIBUTION and
# GRADLEW_DISTRIBUTION_SHA256 name); otherwise it runs the xtask that each Gradle task would run.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
cd "$root"

fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# Installs packages with apt where this process may; says so first.
install() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 || return 1
    printf '%s is missing: installing it with apt-get\n' "$*" >&2
    apt-get update -qq >/dev/null 2>&1 || true
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" \
        >/dev/null </dev/null 2>&1
}

# Whether the version in a tool's output is at least MAJOR.MINOR: version_at_least TEXT MAJOR MINOR
version_at_least() {
    number=$(printf '%s\n' "$1" | sed -n 's/^[^0-9]*\([0-9][0-9]*\)\.\([0-9][0-9]*\).*/\1 \2/p' | head -n 1)
    [ -n "$number" ] || return 1
    major=${number% *}
    minor=${number#* }
    [ "$major" -gt "$2" ] || { [ "$major" -eq "$2" ] && [ "$minor" -ge "$3" ]; }
}

# Cargo builds the xtask, and a linker is needed for it.
find_cargo() {
    if ! command -v cargo >/dev/null 2>&1 && [ -x "${CARGO_HOME:-$HOME/.cargo}/bin/cargo" ]; then
        PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
        export PATH
    fi
    if ! command -v cargo >/dev/null 2>&1; then
        install rustup && rustup default stable >/dev/null 2>&1 || fail "cargo is missing: install Rust \
1.90 or newer with rustup (the package rustup, or the installer of the Rust project)"
    fi
    if ! version_at_least "$(rustc --version 2>&1)" 1 90; then
        if command -v rustup >/dev/null 2>&1 && rustup toolchain install stable --profile default >/dev/null 2>&1; then
            RUSTUP_TOOLCHAIN=stable
            export RUSTUP_TOOLCHAIN
        fi
        version_at_least "$(rustc --version 2>&1)" 1 90 ||
            fail "Rust 1.90 or newer is needed, and this is '$(rustc --version 2>&1)': run 'rustup update'"
    fi
    command -v cc >/dev/null 2>&1 || install build-essential ||
        fail "no C compiler was found: install the package build-essential"
}

# Prints the launcher of a Gradle that can run build.gradle.kts; ends with 3 when there is none.
find_gradle() {
    for launcher in "${GRADLE_HOME:+$GRADLE_HOME/bin/gradle}" "$(command -v gradle 2>/dev/null || true)"; do
        if [ -n "$launcher" ] && [ -x "$launcher" ]; then
            version=$("$launcher" --version 2>/dev/null | grep '^Gradle ' || true)
            if version_at_least "$version" 8 0; then
                printf '%s\n' "$launcher"
                return 0
            fi
        fi
    done
    [ -n "${GRADLEW_DISTRIBUTION:-}" ] || return 3
    download_gradle
}

# Fetches the distribution that the environment names, once, and checks it before it is unpacked.
download_gradle() {
    wanted=${GRADLEW_DISTRIBUTION_SHA256:-}
    [ -n "$wanted" ] || fail "GRADLEW_DISTRIBUTION needs GRADLEW_DISTRIBUTION_SHA256 beside it"
    folder="${GRADLE_USER_HOME:-$HOME/.gradle}/tickwell/$wanted"
    if [ ! -d "$folder" ]; then
        for tool in curl sha256sum unzip; do
            command -v "$tool" >/dev/null 2>&1 || install "$tool" ||
                fail "'$tool' is needed to fetch Gradle: install the package $tool"
        done
        fresh="$folder.$$"
        mkdir -p "$fresh"
        if ! curl -fsSL -o "$fresh/gradle.zip" "$GRADLEW_DISTRIBUTION"; then
            rm -rf "$fresh"
            fail "GRADLEW_DISTRIBUTION=$GRADLEW_DISTRIBUTION cannot be fetched"
        fi
        found=$(sha256sum "$fresh/gradle.zip" | cut -d ' ' -f 1)
        if [ "$found" != "$wanted" ]; then
            rm -rf "$fresh"
            fail "Gradle's distribution has the SHA-256 $found, and GRADLEW_DISTRIBUTION_SHA256 is $wanted"
        fi
        unzip -q "$fresh/gradle.zip" -d "$fresh"
        rm "$fresh/gradle.zip"
        mv "$fresh" "$folder"
    fi
    for launcher in "$folder"/*/bin/gradle; do
        [ -x "$launcher" ] && printf '%s\n' "$launcher" && return 0
    done
    fail "the distribution in $folder has no bin/gradle"
}

find_cargo
status=0
gradle=$(find_gradle) || status=$?
case $status in
    0) exec "$gradle" "$@" ;;
    3) ;;
    # A distribution that was asked for and cannot be had; what is wrong has been said.
    *) exit "$status" ;;
esac
case ${1:-} in
    # Words for a reader of a single text need no note.
    '' | help | tasks | -h | --help | -v | --version) ;;
    *) printf 'No Gradle 8 or newer here: running the xtask itself.\n' ;;
esac
# Advice names the command that was typed.
TICKWELL_LAUNCHER=$0
export TICKWELL_LAUNCHER
exec cargo run --quiet --release --package xtask -- gradle "$@"
