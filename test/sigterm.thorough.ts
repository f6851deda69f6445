import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isAlive } from '../operations/embedded/server.ts'
import { freePort } from './app.ts'
import { onOlderNode, plainEnv, root } from './service.ts'
import { until } from './until.ts'

const started = [
  ['npm start', 'npm', 'start'],
  ['npx lead-engine serve', 'npx', 'lead-engine', 'serve'],
  ['lead-engine serve on Node 20', process.execPath, ...onOlderNode, 'bin/lead-engine.js', 'serve'],
] as const

for (const [name, program, ...args] of started)
  for (const signal of ['SIGTERM', 'SIGKILL'] as const)
    test(`${signal} to ${name} alone ends the service and its database`, { timeout: 150_000 }, async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'lead-engine-sigterm-'))
      const url = `http://127.0.0.1:${await freePort()}`
      const env = plainEnv({ DATA_DIR: join(folder, 'data'), PORT: new URL(url).port })
      // Detached, so that what it leaves behind can be ended too.
      const visible = spawn(program, args, { cwd: root, env, stdio: 'ignore', detached: true })
      const pidFile = join(folder, 'data/postgres/postmaster.pid')
      t.after(() => {
        try {
          process.kill(-visible.pid!, 'SIGKILL')
        } catch {
          // It has ended, as it should.
        }
        rmSync(folder, { recursive: true, force: true })
      })
      const answers = () =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        )
      await until(answers, 'the service starts')
      const postmaster = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
      visible.kill(signal)
      await until(async () => !(await answers()), 'the service ends')
      await until(() => !isAlive(postmaster) && !existsSync(pidFile), 'the database ends')
    })
