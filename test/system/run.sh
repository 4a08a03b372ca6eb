#!/usr/bin/env bash
# Runs the tests that need more than Node, Java and Maven bring, after installing those Debian packages where they are
# missing. Arguments are test files; without them, all run.
set -euo pipefail
cd "$(dirname "$0")/../.."
PATH=$PWD/node_modules/.bin:$PATH:/usr/sbin

# A program or a directory, and the package that brings it.
missing=()
for pair in pgbouncer:pgbouncer faketime:faketime promtool:prometheus chromium:chromium systemd-analyze:systemd \
  /usr/lib/postgresql/15/bin/postgres:postgresql-15 \
  /usr/share/postgresql/15/extension/pg_partman.control:postgresql-15-partman \
  /usr/lib/python3/dist-packages/psycopg:python3-psycopg \
  /usr/lib/python3/dist-packages/confluent_kafka:python3-confluent-kafka; do
  [[ -e ${pair%:*} ]] || command -v "${pair%:*}" >/dev/null || missing+=("${pair#*:}")
done

if ((${#missing[@]} > 0)); then
  as_root=()
  if ((EUID != 0)); then as_root=(sudo -n); fi
  if ! command -v apt-get >/dev/null || ! "${as_root[@]}" true 2>/dev/null; then
    echo "running the system tests: ${missing[*]} not found, and they cannot be installed from here." \
      "Install them, then run this again." >&2
    exit 2
  fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}"
  # Debian starts a service with its package. The tests start their own, on free ports.
  for pair in pgbouncer:pgbouncer prometheus:prometheus postgresql-15:postgresql; do
    if [[ " ${missing[*]} " == *" ${pair%:*} "* ]]; then "${as_root[@]}" service "${pair#*:}" stop || true; fi
  done
fi

if (($# == 0)); then set -- 'test/system/**/*.test.ts'; fi
exec node --disable-warning=TimeoutNegativeWarning --test --test-global-setup=test/support/servers.ts "$@"
