const key = 'push-sent'

/** The endpoint that was sent in the current session. A subscription ends with the session: a new one sends it again. */
export const sentEndpoint = {
  get: () => localStorage.getItem(key),
  keep: (endpoint: string) => localStorage.setItem(key, endpoint),
  forget: () => localStorage.removeItem(key),
}
