import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { testDatabase } from '#test/database.ts'
import { copyInto, copyLine, readCopy } from './copy.ts'

const { owner, close } = await testDatabase()
after(close)

const columns = ['id', 'name', 'created_at']
const now = '2026-11-21T05:00:00Z'

test('any text is copied unchanged', async () => {
  const names = ['plain', '', '\\N', '\\.', 'tab\tline\nreturn\rback\\slash', 'नमस्ते “Ravi”', '"quoted", {x}']
  const lines = names.map((name) => copyLine([randomUUID(), `${names.indexOf(name)} ${name}`, now]))
  await owner.begin((tx) => copyInto(tx, 'accounts', columns, lines))
  const rows = await owner`select name from accounts order by name`
  assert.deepEqual(
    rows.map(({ name }) => name),
    names.map((name, index) => `${index} ${name}`),
  )
})

test('rows longer than one piece are copied completely', async () => {
  const long = 'x'.repeat(300_000)
  const lines = Array.from({ length: 20 }, (_, index) => copyLine([`key ${index}`, long]))
  await owner.begin((tx) => copyInto(tx, 'installation_secrets', ['name', 'value'], lines))
  const [row] = await owner`select count(*)::int as n, min(length(value)) as shortest from installation_secrets`
  assert.deepEqual({ ...row }, { n: 20, shortest: 300_000 })
})

test('an error in the middle or after the last row rejects, and nothing is written', {
  timeout: 10_000,
}, async () => {
  const id = randomUUID()
  const twice = ['one', 'two'].map((name) => copyLine([id, name, now]))
  await assert.rejects(
    owner.begin((tx) => copyInto(tx, 'accounts', columns, twice)),
    { code: '23505' },
  )
  const orphan = [copyLine([randomUUID(), randomUUID(), 'a@mail.example.com', 'A', 'Admin'])]
  const userColumns = ['id', 'account_id', 'email', 'name', 'role']
  await assert.rejects(
    owner.begin((tx) => copyInto(tx, 'users', userColumns, orphan)),
    { code: '23503' },
  )
  const many = Array.from({ length: 50_000 }, (_, index) =>
    copyLine([randomUUID(), `n ${index}`, index === 0 ? 'never' : now]),
  )
  await assert.rejects(
    owner.begin((tx) => copyInto(tx, 'accounts', columns, many)),
    { code: '22007' },
  )
  assert.equal((await owner`select from accounts where id = ${id} or name like 'n %'`).length, 0)
})

test('rows are read completely, and the connection continues after long ones', { timeout: 20_000 }, async () => {
  const lengths = [10, 3_000_000, 1, 70_000, 3_000_000]
  for (const [index, length] of lengths.entries()) {
    await owner`insert into installation_secrets (name, value) values (${`read ${index}`}, ${'x'.repeat(length)})`
  }
  const read = await owner.begin(async (tx) => {
    let text = ''
    for (const index of lengths.keys()) {
      const row = tx`copy (select value from installation_secrets where name = ${tx.unsafe(`'read ${index}'`)}) to stdout`
      for await (const piece of readCopy(tx, row)) text += piece
      await tx`select 1`
    }
    return text.split('\n').map(({ length }) => length)
  })
  assert.deepEqual(read, [...lengths, 0])
})

test('a read that fails in the middle rejects', { timeout: 10_000 }, async () => {
  const read = owner.begin(async (tx) => {
    const rows = readCopy(tx, tx`copy (select 1 / (50000 - n) from generate_series(1, 60000) n) to stdout`)
    for await (const _piece of rows);
  })
  await assert.rejects(read, { code: '22012' })
})
