/** Returns the origins that the pages of the web app may have. Locally, localhost and 127.0.0.1 are the same. */
export function allowedOrigins(baseUrl: string): string[] {
  const { origin, protocol, hostname, port } = new URL(baseUrl)
  const own = ['localhost', '127.0.0.1']
  return own.includes(hostname) ? own.map((name) => `${protocol}//${name}${port && `:${port}`}`) : [origin]
}
