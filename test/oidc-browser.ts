import { ask } from './people.ts'

/**
 * A browser at the service and at the provider: it keeps the cookies of each, follows redirects, and presses the button of
 * the provider's page.
 */
export function oidcBrowser() {
  const jars = new Map<string, Map<string, string>>()

  async function visit(url: string, method = 'GET', body?: unknown) {
    const { origin, pathname, search } = new URL(url)
    const jar = jars.get(origin) ?? jars.set(origin, new Map()).get(origin)!
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await ask(origin, null, method, pathname + search, body, { cookie, origin })
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name!)
      else jar.set(name!, value!)
    }
    return answer
  }

  return {
    get: (url: string) => visit(url),
    post: (url: string, body: unknown) => visit(url, 'POST', body),
    /** Follows redirects until a page, or until a URL that is not opened. Returns the URLs. */
    async follow(url: string, isEnd: (url: string) => boolean = () => false): Promise<string[]> {
      const seen = [url]
      for (let method = 'GET'; seen.length < 20; ) {
        const { headers, body } = await visit(seen.at(-1)!, method)
        const to = headers.get('location')
        method = !to && String(body).includes('<form method="post">') ? 'POST' : 'GET'
        if (to) seen.push(new URL(to, seen.at(-1)).href)
        else if (method === 'GET') return seen
        if (isEnd(seen.at(-1)!)) return seen
      }
      throw new Error(`too many redirects: ${seen.join(' ')}`)
    },
  }
}
