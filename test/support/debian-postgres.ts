/** Where Debian's package `postgresql-15` puts its binaries, which speak the languages that ours do not bring. */
export const postgres = '/usr/lib/postgresql/15/bin/postgres'
export const initdb = '/usr/lib/postgresql/15/bin/initdb'
