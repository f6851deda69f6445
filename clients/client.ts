export interface Answered {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the service says
  body: any
}

interface Lead {
  name: string
  phone?: string
  email?: string
  status?: 'New' | 'Contacted'
  tags?: string[]
  notes?: string
}

interface Call {
  lead_id: string
  call_type: 'Inbound' | 'Outbound'
  duration_seconds: number
  outcome?: 'Completed' | 'Missed'
}

/** What a generated client must be able to do, in terms that all of them share. */
export interface Client {
  createLead(lead: Lead, idempotencyKey?: string): Promise<Answered>
  listLeads(query: { limit?: number; offset?: number; status?: 'New' | 'Contacted' }): Promise<Answered>
  deleteLead(id: string): Promise<Answered>
  createCall(call: Call): Promise<Answered>
  listCalls(query: { lead_id?: string }): Promise<Answered>
  deleteCall(id: string): Promise<Answered>
  sendDelivery(token: string, payload: { name?: string; phone?: string; city?: string }): Promise<Answered>
}

/** Returns a client of a service and an API key. */
export type Connect = (baseUrl: string, key: string) => Client
