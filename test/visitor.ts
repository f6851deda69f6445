import { type Answer, ask } from './people.ts'

let visitors = 0

/**
 * A user of the web app without a browser: it keeps cookies and sends the origin of the page. Each has an IP address of its
 * own, for services that trust this machine as their proxy.
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
