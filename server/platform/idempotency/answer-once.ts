import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, actorIn, asActor, forWholeAccount } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import type { TransactionSql } from '../database/sql.ts'
import { invalid } from '../http/problem.ts'

interface Asked {
  database: Database
  actor: Actor & { user_id: string }
  request: FastifyRequest
  reply: FastifyReply
  key: string
}

interface Answer {
  status: number
  body: object
  /** The answer contains data of this lead and is deleted with it. */
  lead_id: string
}

const header = 'idempotency-key'
export const hoursKept = 24

export function readIdempotencyKey(request: FastifyRequest): string | null {
  const key = request.headers[header]
  if (key === undefined) return null
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalid('Idempotency-Key must be 1 to 255 visible ASCII characters without spaces.', 'Idempotency-Key')
  }
  return key
}

/**
 * Sends the first answer again, whatever has changed since; its assignee may be deactivated now. Returns false if the
 * key has no answer yet.
 */
export async function answerAgain({ database, actor, request, reply, key }: Asked): Promise<boolean> {
  const oldest = expiredBefore(new Date())
  const [first] = await database.readBriefly(
    actor,
    (sql) => sql<{ request_hash: Buffer; status: number; response: string }[]>`
      with ${actorIn(sql, forWholeAccount(actor))}
      select first.* from actor, lateral (
        select request_hash, status, response from idempotency_keys
        where account_id = ${actor.account_id} and api_key_id = ${ownerOf(actor)} and key = ${key}
          and created_at >= ${oldest} and status is not null
        offset 0
      ) first`,
  )
  if (!first) return false
  checkSameBody(hashOf(request), first.request_hash)
  sendAnswer(reply, { status: first.status, text: first.response, replayed: true })
  return true
}

/**
 * Does the work of a POST once for each Idempotency-Key, and repeats its answer for 24 hours. Of two simultaneous
 * requests the second waits at the key's row for the first, then repeats its answer. The transaction acts for the whole
 * account, which creating or merging a lead needs.
 */
export async function answerOnce(
  { database, actor, request, reply, key }: Asked,
  work: (tx: TransactionSql) => Promise<Answer>,
) {
  const hash = hashOf(request)
  const now = new Date()
  const { account_id, user_id } = actor
  const owner = ownerOf(actor)
  const answer = await asActor(database, forWholeAccount(actor), async (tx) => {
    await tx`delete from idempotency_keys
      where account_id = ${account_id} and api_key_id = ${owner} and key = ${key} and created_at < ${expiredBefore(now)}`
    // If the row exists, this changes nothing but locks and returns it. Reading it later would race with the deletion of
    // its lead.
    const [first] = await tx`
      insert into idempotency_keys (account_id, api_key_id, key, user_id, request_hash, created_at)
      values (${account_id}, ${owner}, ${key}, ${user_id}, ${hash}, ${now})
      on conflict (account_id, api_key_id, key) do update set key = excluded.key
      returning request_hash, status, response`
    if (first!.status !== null) {
      checkSameBody(hash, first!.request_hash)
      return { status: first!.status as number, text: first!.response as string, replayed: true }
    }
    const { status, body, lead_id } = await work(tx)
    const text = reply.code(status).serialize(body) as string
    await tx`update idempotency_keys set status = ${status}, response = ${text}, lead_id = ${lead_id}
      where account_id = ${account_id} and api_key_id = ${owner} and key = ${key}`
    return { status, text, replayed: false }
  })
  return sendAnswer(reply, answer)
}

/** Keys belong to an API key; in the web app, which has none, to the user. */
const ownerOf = ({ via_id, user_id }: Asked['actor']) => via_id ?? user_id

function hashOf(request: FastifyRequest): Buffer {
  return createHash('sha256')
    .update(`${request.routeOptions.url}\n${JSON.stringify(request.body)}`)
    .digest()
}

function checkSameBody(hash: Buffer, first: Buffer) {
  if (hash.equals(first)) return
  throw invalid('This Idempotency-Key was used before with another body. Use a new key.', 'Idempotency-Key')
}

function sendAnswer(reply: FastifyReply, answer: { status: number; text: string; replayed: boolean }) {
  if (answer.replayed) reply.header('idempotent-replayed', 'true')
  return reply.code(answer.status).type('application/json; charset=utf-8').send(answer.text)
}

const expiredBefore = (now: Date) => new Date(now.getTime() - hoursKept * 3_600_000)
