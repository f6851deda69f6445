import createClient from 'openapi-fetch'
import type { Answered, Client } from '../client.ts'
import type { components, paths } from './schema.ts'

type NewLead = components['schemas']['NewLead']

/** A client of openapi-fetch, with the types of openapi-typescript. */
export function connect(baseUrl: string, key: string): Client {
  const { GET, POST, DELETE } = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })
  return {
    async createLead(body: NewLead, idempotencyKey) {
      const header = idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}
      const answer = await POST('/api/v1/leads', { body, params: { header } })
      // The types know both results.
      const id: string | undefined = answer.data?.data.id
      return { ...answered(answer), id }
    },
    listLeads: async (query) => answered(await GET('/api/v1/leads', { params: { query } })),
    deleteLead: async (id) => answered(await DELETE('/api/v1/leads/{id}', { params: { path: { id } } })),
    createCall: async (body) => answered(await POST('/api/v1/call-logs', { body })),
    listCalls: async (query) => answered(await GET('/api/v1/call-logs', { params: { query } })),
    deleteCall: async (id) => answered(await DELETE('/api/v1/call-logs/{id}', { params: { path: { id } } })),
    sendDelivery: async (token, body) =>
      answered(await POST('/webhook/{token}', { params: { path: { token } }, body })),
  }
}

const answered = ({ data, error, response }: { data?: unknown; error?: unknown; response: Response }): Answered => ({
  status: response.status,
  body: data ?? error,
})
