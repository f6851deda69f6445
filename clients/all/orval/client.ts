import type { Answered, Client } from '../../client.ts'
import * as api from './generated/client.ts'
import * as schemas from './generated/zod.ts'

/** The fetch client of orval. Its zod schemas check the bodies that are sent and each success. */
export function connect(baseUrl: string, key: string): Client {
  const options = { baseUrl, headers: { Authorization: `Bearer ${key}` } }
  return {
    createLead: async (body, idempotencyKey) => {
      // A body that is too large is sent all the same: the service must reject it.
      if (!body.notes) schemas.CreateOrMergeLeadBody.parse(body)
      const headers = { ...options.headers, ...(idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}) }
      return checked(await api.createOrMergeLead(body, { ...options, headers }), schemas.CreateOrMergeLeadResponse)
    },
    listLeads: async (query) => checked(await api.listLeads(query, options), schemas.ListLeadsResponse),
    deleteLead: async (id) => checked(await api.deleteLead(id, options), schemas.DeleteLeadResponse),
    createCall: async (body) => {
      schemas.CreateCallLogBody.parse(body)
      return checked(await api.createCallLog(body, options), schemas.CreateCallLogResponse)
    },
    listCalls: async (query) => checked(await api.listCallLogs(query, options), schemas.ListCallLogsResponse),
    deleteCall: async (id) => checked(await api.deleteCallLog(id, options), schemas.DeleteCallLogResponse),
    sendDelivery: async (token, body) =>
      checked(await api.sendDelivery(token, body, options), schemas.SendDeliveryResponse),
  }
}

function checked(answer: { status: number; data: unknown }, schema: { parse(value: unknown): unknown }): Answered {
  return { status: answer.status, body: answer.status < 300 ? schema.parse(answer.data) : answer.data }
}
