import assert from 'node:assert/strict'
import type { Sql } from '../server/platform/database/sql.ts'
import type { Answer } from './people.ts'

const codes: Record<number, string> = {
  400: 'INVALID_PARAM',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
}

/** Checks that an answer is an error in the shape of the contract, and that nothing has changed since this was called. */
export async function rejections(owner: Sql) {
  const world = async () => {
    const [row] = await owner`select (select json_agg(leads order by id) from leads) as leads,
      (select count(*) from call_logs) as calls, (select count(*) from timeline_entries) as entries,
      (select count(*) from audit_log) as audits`
    return JSON.stringify(row)
  }
  const before = await world()
  return async (answer: Answer, status: number, field?: string) => {
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    const { error, ...rest } = answer.body
    assert.deepEqual(rest, {})
    assert.equal(error.code, codes[status])
    assert.match(error.message, /^.{5,300}\.$/)
    assert.equal(error.field, field, error.message)
    assert.match(answer.headers.get('x-request-id')!, /^[\da-f-]{36}$/)
    assert.match(answer.headers.get('content-type')!, /^application\/json/)
    assert.equal(await world(), before)
  }
}
