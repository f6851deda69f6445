import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { findBinaries } from './binaries.ts'
import { openDataFolder } from './data-folder.ts'
import { makePassword, superuser } from './install.ts'
import { whileLocked } from './lock.ts'
import { findServer } from './server.ts'
import { chooseUser } from './user.ts'

/**
 * Gives the owner of the embedded database a new password, and writes the file with it again. Needs no password: PostgreSQL runs
 * without a network or a socket for it, which only the user of the data folder can make it do, and only while its server is stopped.
 */
export async function setNewPassword(dataDir: string): Promise<void> {
  const folder = openDataFolder(dataDir, { durable: true, connections: 0 })
  await whileLocked(
    folder.startLock,
    () => {},
    async () => {
      if (await findServer(folder, () => {})) throw new Error('The database runs: stop the service first.')
      const binaries = await findBinaries()
      const runAs = await chooseUser(folder, binaries)
      rmSync(folder.password, { force: true })
      const password = await makePassword(folder)
      const [program, ...args] = [...runAs.prefix, binaries.postgres, '--single', '-D', folder.data, 'postgres']
      const single = spawn(program!, args, { ...runAs.options, stdio: ['pipe', 'ignore', 'pipe'] })
      const ended = new Promise<number | null>((resolve, reject) => single.once('error', reject).once('close', resolve))
      single.stdin.on('error', () => {})
      single.stdin.end(`alter role ${superuser} password '${password}'\n`)
      const [errors, status] = await Promise.all([text(single.stderr), ended])
      const reason = /(?:ERROR|FATAL|PANIC): +(.*)/.exec(errors)?.[1]
      if (status === 0 && !reason) return
      rmSync(folder.password, { force: true })
      throw new Error(`The password could not be set (${reason ?? errors.trim().split('\n').at(-1)}).`)
    },
  )
}
