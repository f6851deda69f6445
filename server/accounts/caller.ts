import type { Actor } from '../database/actor.ts'
import type { AddressList } from '../http/address-list.ts'

/** Who is asking through an API key: the linked user, who sees what they see (spec 5.1 rule 6). */
export interface Caller extends Actor {
  user_id: string
  via: 'api_key'
  via_id: string
  key_name: string
  permissions: ('read' | 'write' | 'delete')[]
  /** Null when every address is allowed. */
  whitelist: AddressList | null
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}
