import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../platform/database/connect.ts'
import { parseIpList } from '../../platform/http/ip-list.ts'
import { forbidden, rateLimited, unauthorized } from '../../platform/http/problem.ts'
import type { RateLimit } from '../../platform/http/rate-limit.ts'
import { requireOpen } from '../account/suspension.ts'
import { findAccount, readAccount, visibleAssignees } from '../account/users.ts'
import type { Caller } from '../sign-in/caller.ts'
import type { Permission } from './contract.ts'
import { hashSecret, isPossibleSecret } from './secret.ts'
import { findKey } from './store.ts'
import { recordKeyUses } from './uses.ts'

const permissionFor: Record<string, Permission> = { GET: 'read', HEAD: 'read', POST: 'write', DELETE: 'delete' }

/** Guards everything registered after it, in this order: key, IP address, rate limit, suspension, permission. */
export function requireApiKey(app: FastifyInstance, database: Database, limit: RateLimit) {
  app.decorateRequest('caller')
  const uses = recordKeyUses(database, (error) => app.log.warn({ err: error }, 'the last use of keys was not written'))
  app.addHook('onClose', uses.flush)

  app.addHook('onRequest', async (request, reply) => {
    const caller = await callerOf(database, request)
    request.caller = caller
    request.log = request.log.child({ account: caller.account_id, key: caller.via_id })
    if (caller.whitelist && !caller.whitelist.includes(request.ip)) {
      throw forbidden(
        'IP_NOT_ALLOWED',
        `This API key may not be used from ${request.ip}. Its IP whitelist is in the web settings.`,
      )
    }
    uses.note(caller, request.ip)
    // A request from a disallowed IP is not counted, so a leaked key cannot use up its owner's limit.
    const counted = await limit.count(caller.via_id)
    reply.headers({
      'x-ratelimit-limit': limit.max,
      'x-ratelimit-remaining': counted.remaining,
      'x-ratelimit-reset': Math.ceil(Date.now() / 1000) + counted.wait,
    })
    if (!counted.allowed)
      throw rateLimited(`This API key has used its ${limit.max} requests of this minute`, counted.wait)
    requireOpen(await findAccount(database, caller.account_id))
    const permission = permissionFor[request.method]
    if (!request.is404 && permission && !caller.permissions.includes(permission)) {
      throw forbidden(
        'PERMISSION_DENIED',
        `This API key lacks the ${permission} permission. An Admin can allow it in the web settings.`,
      )
    }
  })
}

async function callerOf(database: Database, request: FastifyRequest): Promise<Caller> {
  const secret = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (!secret) throw unauthorized('Send your API key as "Authorization: Bearer le_live_…".')
  if (isPossibleSecret(secret)) {
    const hash = hashSecret(secret)
    const caller = await database.cache.get(`key:${hash.toString('base64')}`, () => loadCaller(database, hash))
    if (caller) return caller
  }
  throw unauthorized('This API key is not valid. It may have been revoked or regenerated, or its user deactivated.')
}

async function loadCaller(database: Database, hash: Buffer): Promise<{ account_id: string; value: Caller } | null> {
  const key = await findKey(database.lookup, hash)
  if (!key) return null
  // Not from the cache, which may not have a user who was added a moment ago together with the key.
  const { users } = await readAccount(database, key.account_id)
  const user = users.find((one) => one.id === key.user_id && one.active)
  if (!user) return null
  const value: Caller = {
    account_id: key.account_id,
    user_id: user.id,
    sees: visibleAssignees(user, users),
    via: 'api_key',
    via_id: key.id,
    key_name: key.name,
    permissions: key.permissions,
    whitelist: key.ip_whitelist.length > 0 ? parseIpList(key.ip_whitelist) : null,
  }
  return { account_id: key.account_id, value }
}
