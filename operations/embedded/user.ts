import { execFile } from 'node:child_process'
import { existsSync, lchownSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Binaries } from './binaries.ts'
import { type DataFolder, isRoot } from './data-folder.ts'

const run = promisify(execFile)

/** How PostgreSQL's programs are run, and who owns the files that they write. */
export interface RunAs {
  owner: { uid: number; gid: number }
  prefix: string[]
  options: { uid?: number; gid?: number; cwd: string; env: Record<string, string> }
}

/** An empty environment: PGDATA, PGOPTIONS or LC_ALL would change what the programs do. */
const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' }
const asWeAre = { cwd: '/', env }

export async function chooseUser(folder: DataFolder, { postgres }: Binaries): Promise<RunAs> {
  const ourselves = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  const broken = await rejectionOf(as(ourselves), folder, [postgres, '--version'])
  if (broken) {
    throw new Error(
      `The embedded PostgreSQL cannot run here (${broken}): set DATABASE_URL to a PostgreSQL of your own.`,
    )
  }
  // initdb needs the name of its user.
  const isInstalled = existsSync(join(folder.data, 'PG_VERSION'))
  const trial = isInstalled ? [postgres, '--version'] : ['sh', '-c', 'id -un && exec "$0" --version', postgres]
  const candidates = isRoot() ? insteadOfRoot(folder) : candidatesFor(ourselves)
  for await (const runAs of candidates) if (!(await rejectionOf(runAs, folder, trial))) return runAs
  throw new Error(
    isRoot()
      ? `PostgreSQL does not run as root, and no other user can enter its folder and ${folder.dir}: start as an ordinary ` +
          'user, or set DATABASE_URL to a PostgreSQL of your own.'
      : `PostgreSQL needs a user with a name, which user ${ourselves.uid} has not on this machine: start as another ` +
          'user, or set DATABASE_URL to a PostgreSQL of your own.',
  )
}

/**
 * First the owner of existing data. Then a user namespace of root, which needs no other user and can enter all folders
 * of root. If namespaces are forbidden, as in most containers, a user who can enter the folders. Finally `nobody`, with
 * a capability to enter closed folders.
 */
async function* insteadOfRoot({ data, dir }: DataFolder): AsyncGenerator<RunAs> {
  yield* ownersOf([data, dir])
  yield* candidatesFor({ uid: 0, gid: 0 })
  yield* ownersOf([dirname(dir)])
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const user = await idsOf(name)
    if (user) yield as(user)
  }
  const nobody = { uid: 65534, gid: 65534 }
  const become = [`--reuid=${nobody.uid}`, `--regid=${nobody.gid}`, '--clear-groups']
  const enter = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup']
  yield { owner: nobody, prefix: ['setpriv', ...become, ...enter, '--'], options: asWeAre }
}

function* ownersOf(paths: string[]): Generator<RunAs> {
  for (const path of paths) {
    const owner = statSync(path, { throwIfNoEntry: false })
    if (owner && owner.uid !== 0) yield* candidatesFor({ uid: owner.uid, gid: owner.gid })
  }
}

/** In a user namespace the same user has another number: neither root's, nor one without a name. */
function* candidatesFor(owner: RunAs['owner']): Generator<RunAs> {
  if (owner.uid !== 0) yield as(owner)
  const alias = /^[^:]*:[^:]*:([1-9]\d*):/m.exec(existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : '')
  const prefix = ['unshare', '--user', `--map-user=${alias?.[1] ?? 1000}`, '--map-group=1000', '--']
  yield { ...as(owner), prefix }
}

function as(owner: RunAs['owner']): RunAs {
  return { owner, prefix: [], options: isRoot() && owner.uid !== 0 ? { ...owner, ...asWeAre } : asWeAre }
}

/** Changes the owner if the way of running changed. The folder comes last, so that its owner shows that all is done. */
export function giveTo(owner: RunAs['owner'], folder: string): void {
  if (!isRoot() || statSync(folder).uid === owner.uid) return
  giveAll(owner, folder)
}

function giveAll(owner: RunAs['owner'], folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) giveAll(owner, path)
    else give(path, owner)
  }
  give(folder, owner)
}

function give(path: string, { uid, gid }: RunAs['owner']): void {
  const now = lstatSync(path)
  if (now.uid !== uid || now.gid !== gid) lchownSync(path, uid, gid)
}

async function idsOf(name: string): Promise<RunAs['owner'] | undefined> {
  try {
    const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, name], { env })))
    return { uid: Number(uid!.stdout), gid: Number(gid!.stdout) }
  } catch {
    return undefined
  }
}

async function rejectionOf(runAs: RunAs, { dir }: DataFolder, trial: string[]): Promise<string | undefined> {
  const [program, ...args] = [...runAs.prefix, 'sh', '-c', 'cd "$0" && exec "$@"', dir, ...trial]
  try {
    await run(program!, args, runAs.options)
    return undefined
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    return stderr?.trim().split('\n').at(-1) || message
  }
}
