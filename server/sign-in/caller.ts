import type { Actor } from '../database/actor.ts'
import type { IpList } from '../http/ip-list.ts'
import type { WebCaller } from './require-session.ts'

/** Who is asking through an API key: the linked user, who sees what they see. */
export interface Caller extends Actor {
  user_id: string
  via: 'api_key'
  via_id: string
  key_name: string
  permissions: ('read' | 'write' | 'delete')[]
  /** Null when every address is allowed. */
  whitelist: IpList | null
}

/** How a timeline says where something came from: “through …”. */
export const senderOf = (caller: Caller | WebCaller) =>
  caller.via === 'web' ? `the web app by ${caller.person.name}` : `the API key “${caller.key_name}”`

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}
