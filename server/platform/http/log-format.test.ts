import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logText } from './log-format.ts'

const time = '2026-11-28T08:51:55.123Z'
const base = { level: 30, time, pid: 7, hostname: 'server' }

for (const [what, line, text] of [
  ['a message', { ...base, msg: 'Server listening' }, `${time} INFO  Server listening\n`],
  [
    'a request',
    { ...base, reqId: 'r', method: 'GET', route: '/api/v1/leads', status: 200, ms: 3.1, address: '127.0.0.1' },
    `${time} INFO  GET /api/v1/leads 200 3.1 ms 127.0.0.1\n`,
  ],
  [
    'values',
    { ...base, level: 40, file: 'a.backup', bytes: 12, msg: 'daily backup' },
    `${time} WARN  daily backup file=a.backup bytes=12\n`,
  ],
  [
    'an error with its cause',
    {
      ...base,
      level: 50,
      err: {
        type: 'Error',
        message: 'one',
        stack: '    at a\n    at b',
        cause: { type: 'X', message: 'two', stack: '' },
      },
      msg: 'cleanup',
    },
    `${time} ERROR cleanup\n  Error: one\n    at a\n    at b\n  X: two\n`,
  ],
  [
    'control characters',
    { ...base, msg: 'a\n2026 \u001b[31mred\u009b', list: ['x\u2028'] },
    `${time} INFO  a\\n2026 \\u001b[31mred? list=["x?"]\n`,
  ],
] as const) {
  test(`${what} as text`, () => assert.equal(logText(JSON.stringify(line)), text))
}
