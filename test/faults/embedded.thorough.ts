import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { type EmbeddedDatabase, startEmbedded } from '../../operations/embedded/embedded.ts'
import { isAlive } from '../../operations/embedded/server.ts'
import { openAsOwner } from '../../server/platform/database/connect.ts'
import { until } from '../until.ts'

const root = mkdtempSync(join(tmpdir(), 'embedded-'))
const started: EmbeddedDatabase[] = []
const children: ChildProcess[] = []
after(async () => {
  for (const database of started) await database.stop()
  for (const child of children) child.kill('SIGKILL')
  for (const name of readdirSync(root)) if (existsSync(pidFile(name))) process.kill(serverOf(name), 'SIGKILL')
  rmSync(root, { recursive: true, force: true })
})

test('the first start prepares a durable UTF-8 database that only its password opens', async () => {
  const database = await start('first')
  const [row] = await ask(
    database,
    `select current_database() as database, current_setting('server_encoding') as encoding, lower('Ä') as lower,
       current_setting('data_checksums') as checksums, current_setting('fsync') as fsync,
       current_setting('synchronous_commit') as commit, current_setting('listen_addresses') as addresses`,
  )
  assert.deepEqual(
    { ...row },
    {
      database: 'lead_engine',
      encoding: 'UTF8',
      lower: 'ä',
      checksums: 'on',
      fsync: 'on',
      commit: 'on',
      addresses: '',
    },
  )
  await assert.rejects(ask({ ...database, connection: { ...database.connection, password: 'guess' } }, 'select 1'), {
    code: '28P01',
  })
})

test('a restart keeps what was written', async () => {
  const database = await start('restart')
  await ask(database, 'create table kept as select 7 as n')
  await database.stop()
  assert.equal(existsSync(pidFile('restart')), false)
  const again = await start('restart')
  assert.deepEqual([...(await ask(again, 'select n from kept'))], [{ n: 7 }])
})

test('the server goes on until its last holder stops', async () => {
  const service = await start('shared')
  const command = await start('shared')
  const pid = serverOf('shared')
  await service.stop()
  assert.equal(isAlive(pid), true)
  await ask(command, 'select 1')
  await command.stop()
  assert.equal(isAlive(pid), false)
})

test('a server ends with the process that started it, also if that is killed', async () => {
  const holder = startElsewhere('orphan')
  await holder.started
  const pid = serverOf('orphan')
  holder.child.kill('SIGKILL')
  await until(() => !isAlive(pid) && !existsSync(pidFile('orphan')))
})

test('a server goes on without the process that started it while another uses it', async () => {
  const holder = startElsewhere('handed over')
  await holder.started
  const pid = serverOf('handed over')
  const database = await start('handed over')
  holder.child.stdin!.end()
  await once(holder.child, 'exit')
  await ask(database, 'select 1')
  assert.equal(serverOf('handed over'), pid)
  await database.stop()
  assert.equal(isAlive(pid), false)
})

test('a server that was left behind nevertheless is ended by the next start', async () => {
  const holder = startElsewhere('left')
  await holder.started
  const pid = serverOf('left')
  // The process that would end it, which is no child of any other.
  const watching = execFileSync('ps', ['-ww', '-eo', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('read -r line') && line.includes(` ${folder('left')}/postgres `))
  for (const line of watching) process.kill(Number.parseInt(line, 10), 'SIGKILL')
  holder.child.kill('SIGKILL')
  await once(holder.child, 'exit')
  assert.deepEqual([watching.length, isAlive(pid)], [1, true])
  const database = await start('left')
  assert.equal(isAlive(pid), false)
  await ask(database, 'select 1')
})

test('a server that is killed comes back by itself, also for those who took it over', async () => {
  const first = await start('killed')
  const second = startElsewhere('killed')
  await second.started
  await ask(first, 'create table kept as select 7 as n')
  const pid = serverOf('killed')
  process.kill(pid, 'SIGKILL')
  await until(() => existsSync(pidFile('killed')) && serverOf('killed') !== pid)
  await until(() =>
    ask(first, 'select 1').then(
      () => true,
      () => false,
    ),
  )
  assert.deepEqual([...(await ask(first, 'select n from kept'))], [{ n: 7 }])

  const next = serverOf('killed')
  await first.stop()
  process.kill(next, 'SIGKILL')
  await until(() => existsSync(pidFile('killed')) && serverOf('killed') !== next)
  second.child.stdin!.end()
  await once(second.child, 'exit')
})

test('after a crash of everything a pid that now belongs to another program does not block the start', async () => {
  const holder = startElsewhere('stale')
  await holder.started
  holder.child.kill('SIGKILL')
  process.kill(serverOf('stale'), 'SIGKILL')
  const other = spawn('sleep', ['60'])
  children.push(other)
  const [, ...rest] = readFileSync(pidFile('stale'), 'utf8').split('\n')
  writeFileSync(pidFile('stale'), [other.pid, ...rest].join('\n'))
  const database = await start('stale')
  await ask(database, 'select 1')
  await database.stop()
  assert.equal(isAlive(other.pid!), true)
})

test('processes that start at the same moment share one server', async () => {
  const holders = [startElsewhere('together'), startElsewhere('together'), startElsewhere('together')]
  const pids = await Promise.all(holders.map(({ started }) => started))
  assert.equal(new Set(pids).size, 1)
  for (const { child } of holders) {
    assert.equal(isAlive(Number(pids[0])), true)
    child.stdin!.end()
    await once(child, 'exit')
  }
  assert.equal(isAlive(Number(pids[0])), false)
})

test('a process that starts while another stops has a running server', async () => {
  let holder = await start('changing')
  for (let round = 0; round < 5; round++) {
    const [next] = await Promise.all([start('changing'), holder.stop()])
    await ask(next, 'select 1')
    holder = next
  }
})

test('a log that grows while the server runs is limited, and its end is kept', async () => {
  const database = await start('log')
  const log = join(folder('log'), 'postgres.log')
  const line = 'a line of the server that is long enough\n'
  appendFileSync(log, line.repeat(300_000))
  appendFileSync(log, 'the last line\n')
  await until(() => statSync(log).size < 1000)
  const previous = readFileSync(`${log}.1`, 'utf8')
  assert.equal(previous.length, 10 * 1024 * 1024)
  assert.ok(previous.endsWith(`${line}the last line\n`))
  // The server still writes to it, at its start.
  process.kill(serverOf('log'), 'SIGHUP')
  await until(() => /received SIGHUP/.test(readFileSync(log, 'utf8')))
  assert.doesNotMatch(readFileSync(log, 'utf8'), /\0/)
  await database.stop()
})

test('a path too long for a socket, with spaces, quotes and commas in it', async () => {
  const name = `it's a "long", ${'long '.repeat(20)}name`
  const database = await start(name)
  await ask(database, 'select 1')
  assert.equal(existsSync(join(database.connection.host, '.s.PGSQL.5432')), true)
  await database.stop()
  rmSync(database.connection.host, { recursive: true, force: true })
})

test('what an interrupted preparation left behind is removed', async () => {
  mkdirSync(join(folder('cut'), 'postgres.unfinished-1', 'base'), { recursive: true })
  const database = await start('cut')
  await ask(database, 'select 1')
  assert.equal(
    readdirSync(folder('cut')).some((name) => name.includes('unfinished')),
    false,
  )
})

test('data of another version is rejected with the reason', async () => {
  const database = await start('older')
  await database.stop()
  chmodSync(join(folder('older'), 'postgres', 'PG_VERSION'), 0o600)
  writeFileSync(join(folder('older'), 'postgres', 'PG_VERSION'), '17\n')
  await assert.rejects(
    start('older'),
    /is a database of PostgreSQL 17, .* has PostgreSQL 18\. Nothing was changed\. .* run lead-engine backup FILE\./,
  )
})

test('a folder with other content is not changed', async () => {
  mkdirSync(join(folder('else'), 'postgres'), { recursive: true })
  writeFileSync(join(folder('else'), 'postgres', 'holiday.txt'), '')
  await assert.rejects(start('else'), /holds something else/)
  assert.deepEqual(readdirSync(join(folder('else'), 'postgres')), ['holiday.txt'])
})

function folder(name: string): string {
  return join(root, name)
}

async function start(name: string): Promise<EmbeddedDatabase> {
  const database = await startEmbedded(folder(name), () => {})
  started.push(database)
  return database
}

/** In a process of its own, which says its server's pid and stops when its input ends. */
function startElsewhere(name: string) {
  const script = `
    import { readFileSync } from 'node:fs'
    import { startEmbedded } from ${JSON.stringify(new URL('../../operations/embedded/embedded.ts', import.meta.url).href)}
    const database = await startEmbedded(${JSON.stringify(folder(name))}, () => {})
    console.log(readFileSync(${JSON.stringify(pidFile(name))}, 'utf8').split('\\n')[0])
    process.stdin.on('end', () => database.stop()).resume()`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  const lines = createInterface({ input: child.stdout! })
  return { child, started: once(lines, 'line').then(([pid]) => pid as string) }
}

async function ask({ connection }: Pick<EmbeddedDatabase, 'connection'>, statement: string) {
  const sql = openAsOwner(connection, { max: 1, connect_timeout: 5 })
  try {
    return await sql.unsafe(statement)
  } finally {
    await sql.end()
  }
}

function pidFile(name: string): string {
  return join(folder(name), 'postgres', 'postmaster.pid')
}

function serverOf(name: string): number {
  return Number(readFileSync(pidFile(name), 'utf8').split('\n')[0])
}
