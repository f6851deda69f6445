import { queryOptions } from '@tanstack/react-query'
import { get } from '../../platform/api/api.ts'

interface Session {
  id: string
  token: string
  createdAt: string
  updatedAt: string
  ipAddress: string | null
  userAgent: string | null
}

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => {
    const [sessions, own] = await Promise.all([
      get<Session[]>('/auth/list-sessions'),
      get<{ session: Session } | null>('/auth/get-session'),
    ])
    const isThis = ({ id }: Session) => id === own?.session.id
    return sessions
      .map((session) => ({ ...session, isThis: isThis(session) }))
      .sort((a, b) => Number(b.isThis) - Number(a.isThis) || b.updatedAt.localeCompare(a.updatedAt))
  },
})
