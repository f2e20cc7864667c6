@echo off
rem The tasks of this project on Windows: the xtask that each Gradle task would run.
setlocal
cd /d "%~dp0"
where cargo >nul 2>nul
if errorlevel 1 (
  echo error: cargo is missing: install Rust 1.90 or newer with rustup 1>&2
  exit /b 1
)
set TICKWELL_LAUNCHER=gradlew
cargo run --quiet --release --package xtask -- gradle %*
exit /b %errorlevel%
