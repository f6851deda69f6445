import { type Answer, ask } from './people.ts'

let visitors = 0

/**
 * Somebody at a page of ours, as the service hears them, without a browser: cookies are kept and the page's origin is
 * sent. Each comes from an IP address of its own, which a service that trusts this machine as its proxy believes.
 */
export function visitor(url: string) {
  const address = `10.1.0.${++visitors}`
  const jar = new Map<string, string>()
  return {
    jar,
    async send(method: string, path: string, body?: unknown): Promise<Answer> {
      const answer = await ask(url, null, method, path, body, {
        origin: url,
        'x-forwarded-for': address,
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
      })
      for (const line of answer.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
        if (/Max-Age=0\b/i.test(line)) jar.delete(name!)
        else jar.set(name!, value!)
      }
      return answer
    },
  }
}
