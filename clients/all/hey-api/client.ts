import type { Answered, Client } from '../../client.ts'
import { createClient } from './generated/client/index.ts'
import * as api from './generated/sdk.gen.ts'

/** The client of hey-api, which checks each success with zod. */
export function connect(baseUrl: string, key: string): Client {
  const client = createClient({ baseUrl, auth: key })
  return {
    createLead: async (body, idempotencyKey) => {
      const headers = idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}
      return answered(await api.createOrMergeLead({ client, body, headers }))
    },
    listLeads: async (query) => answered(await api.listLeads({ client, query })),
    deleteLead: async (id) => answered(await api.deleteLead({ client, path: { id } })),
    createCall: async (body) => answered(await api.createCallLog({ client, body })),
    listCalls: async (query) => answered(await api.listCallLogs({ client, query })),
    deleteCall: async (id) => answered(await api.deleteCallLog({ client, path: { id } })),
    sendDelivery: async (token, body) => answered(await api.sendDelivery({ client, path: { token }, body })),
  }
}

function answered({ data, error, response }: { data?: unknown; error?: unknown; response?: Response }): Answered {
  if (!response) throw error
  return { status: response.status, body: data ?? error }
}
