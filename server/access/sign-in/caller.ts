import type { Actor } from '../../platform/database/actor.ts'
import type { IpList } from '../../platform/http/ip-list.ts'

/** The caller of the API: the user of the API key, with what that user sees. */
export interface Caller extends Actor {
  user_id: string
  via: 'api_key'
  via_id: string
  key_name: string
  permissions: ('read' | 'write' | 'delete')[]
  /** Null if every IP address is allowed. */
  whitelist: IpList | null
}

/** Names the sender in timelines: “through …”. */
export const callerId = (caller: Pick<Caller, 'via' | 'key_name'> | { via: 'web'; user: { name: string } }) =>
  caller.via === 'web' ? `the web app by ${caller.user.name}` : `the API key “${caller.key_name}”`

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}
