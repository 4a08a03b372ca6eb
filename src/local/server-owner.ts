import { chownSync, readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { LocalServerError } from './local-error.ts'
import { runProgram } from './run-program.ts'

type Identity = { readonly uid: number; readonly gid: number }

/** Whom PostgreSQL runs as. */
export type ServerOwner = {
  /** Whom its files belong to; absent: the user that we are. */
  readonly files?: Identity
  /** Whom to start its programs as; absent: the user that we are. */
  readonly process?: Identity
  /** What stands before its commands, where that decides whom they run as. */
  readonly wrapper: readonly string[]
}

/**
 * Finds whom to run as. PostgreSQL refuses to run as root, so root starts it as a user who may do little else; that
 * user must be able to execute `program` and to pass to `directory`. A checkout below root's own home is closed to
 * all others: there PostgreSQL keeps root's right to pass, and only that one, as an ambient capability.
 * https://man7.org/linux/man-pages/man7/capabilities.7.html
 */
export async function findServerOwner(
  program: string,
  directory: string,
  users = readUsers('/etc/passwd'),
): Promise<ServerOwner> {
  if (userInfo().uid !== 0) return { wrapper: [] }
  const user = userFor(directory, users)
  if (user === undefined) {
    throw new LocalServerError(
      'starting PostgreSQL: it refuses to run as root, and there is no user postgres or nobody to run it as. ' +
        'Add one, run daymark as an ordinary user, or set DATABASE_URL.',
    )
  }
  const files = { uid: user.uid, gid: user.gid }
  const plain = await runProgram(use(program, directory), files)
  if (plain.outcome === 'done') return { files, process: files, wrapper: [] }
  const wrapper = passingEverywhere(files)
  const passing = await runProgram([...wrapper, ...use(program, directory)])
  if (passing.outcome === 'done') return { files, wrapper }
  throw new LocalServerError(
    `starting PostgreSQL as the user ${user.name}, since it refuses to run as root: that user cannot use ${directory} ` +
      `and ${program} ("${plain.stderr.trim().split('\n').at(-1) || plain.outcome}"). ` +
      'Make the checkout readable for that user, run daymark as an ordinary user, or set DATABASE_URL.',
  )
}

/** Data that is kept belongs to whom it was made for, also where a user postgres has come since. */
function userFor(directory: string, users: readonly User[]): User | undefined {
  const data = statSync(join(directory, 'data'), { throwIfNoEntry: false })
  return (
    users.find(({ uid }) => uid === data?.uid) ??
    users.find(({ name }) => name === 'postgres') ??
    users.find(({ name }) => name === 'nobody')
  )
}

/** A try of what PostgreSQL will do. A working directory proves nothing: it is entered before the user changes. */
function use(program: string, directory: string): readonly string[] {
  return ['/bin/sh', '-c', '"$0" --version && test -x "$1"', program, directory]
}

/** Gives a file or a folder to whom the server's files belong to. */
export function giveTo(owner: ServerOwner, path: string): void {
  if (owner.files !== undefined) chownSync(path, owner.files.uid, owner.files.gid)
}

function passingEverywhere({ uid, gid }: Identity): readonly string[] {
  return [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    // Without it access(2), by which PostgreSQL looks for its own binary, leaves the capability out.
    '--securebits=+no_setuid_fixup',
  ]
}

type User = Identity & { readonly name: string }

/** The users of a passwd file, `name:password:uid:gid:…` on each line. */
export function readUsers(file: string): readonly User[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}
