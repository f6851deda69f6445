import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { placeOf } from '../../server/platform/http/connections.ts'

interface Options {
  host: string
  port: number
  /** Where the service answers by HTTPS. */
  baseUrl: string
  /** Answers of HTTP-01 challenges, by token. */
  challenges: ReadonlyMap<string, string>
  /** Answers whether the service is ready: also while HTTPS has no certificate yet. */
  answerHealth: (request: IncomingMessage, response: ServerResponse) => void
}

const challengePath = '/.well-known/acme-challenge/'
const maxConnections = 1000
/** In milliseconds. */
const timeouts = { headers: 10_000, request: 20_000, idle: 15_000 }

/** Listens for HTTP: answers the authority, and redirects all others to HTTPS. */
export async function listenForHttp({ host, port, baseUrl, challenges, answerHealth }: Options) {
  const server = createServer(
    { headersTimeout: timeouts.headers, requestTimeout: timeouts.request, connectionsCheckingInterval: 2000 },
    (request, response) => {
      response.shouldKeepAlive = false
      const { url = '/' } = request
      if (/^\/(healthz|readyz)(\?|$)/.test(url)) return answerHealth(request, response)
      // A client that still sends would get a reset instead of the answer.
      request.resume().once('end', () => {
        if (url.startsWith(challengePath)) answerChallenge(response, challenges.get(url.slice(challengePath.length)))
        else redirect(response, secureUrl(baseUrl, url))
      })
    },
  )
  server.maxConnections = maxConnections
  server.setTimeout(timeouts.idle)
  await once(server.listen(await placeOf({ host, port })), 'listening')
  return {
    async close(): Promise<void> {
      server.close()
      server.closeIdleConnections()
    },
  }
}

function answerChallenge(response: ServerResponse, answer: string | undefined): void {
  response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/octet-stream' })
  response.end(answer ?? 'This challenge is not known.')
}

/** 308 keeps the method and the body, so that deliveries arrive, and the sender can see that its URL is to be corrected. */
function redirect(response: ServerResponse, location: string): void {
  const { origin } = new URL(location)
  const message = `Send requests to ${origin}: this URL begins with http://. Nothing was done; clients that follow redirects send it again there.`
  response.writeHead(308, { location, 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  response.end(JSON.stringify({ error: { code: 'HTTPS_REQUIRED', message } }))
}

/** The host of the request does not count: no link leads elsewhere. */
function secureUrl(baseUrl: string, requested: string): string {
  const absolute = !requested.startsWith('/') && URL.canParse(requested) ? new URL(requested) : null
  const path = absolute ? `${absolute.pathname}${absolute.search}` : requested
  const whole = `${baseUrl}${path.startsWith('/') ? path : '/'}`
  return URL.canParse(whole) ? new URL(whole).href : `${baseUrl}/`
}
