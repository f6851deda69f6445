import { type IncomingMessage, request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { TLSSocket } from 'node:tls'
import type { Config } from '../../server/config.ts'
import { proofHeader, type ServiceView } from '../../server/platform/health/proof.ts'

export interface Answered {
  status: number
  /** Whether /healthz of a Lead Engine answered. */
  isLeadEngine: boolean
  /** Set for this installation only: another one does not know the proof. */
  seen: ServiceView | null
  location: string | null
  /** When the certificate of the answer expires, in milliseconds; null without HTTPS. */
  certificateUntil: number | null
  /** Whether a service that starts has the port. */
  isStarting: boolean
}

interface AskOptions {
  headers?: Record<string, string>
  signal?: AbortSignal
  /** Over the loopback interface, where the name in the certificate does not match. */
  anyCertificate?: boolean
}

interface Options extends AskOptions {
  proof: string | null
}

const maxBytes = 65_536
/** In milliseconds. */
const timeoutMs = 5000

/** Asks the service at this URL who it is. Throws if nothing answers. */
export async function askService(baseUrl: string, { proof, ...options }: Options): Promise<Answered> {
  const headers: Record<string, string> = proof ? { [proofHeader]: proof } : {}
  const { answer, body, certificateUntil } = await ask(`${baseUrl}/healthz`, { headers, ...options })
  const health = body as { status?: string; seen?: ServiceView } | null
  return {
    status: answer.statusCode ?? 0,
    isLeadEngine: health?.status === 'alive',
    seen: health?.seen ?? null,
    location: answer.headers.location ?? null,
    certificateUntil: certificateUntil ? Date.parse(certificateUntil) : null,
    isStarting: health?.status === 'starting',
  }
}

/**
 * Where a service on this machine answers. One that listens on all IP addresses is asked on the loopback interface; with DOMAIN by HTTP,
 * because HTTPS waits for its certificate.
 */
export function localUrl({
  host,
  port,
  tls,
  automaticHttps,
}: Pick<Config, 'host' | 'port' | 'tls' | 'automaticHttps'>): string {
  const ip = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const there = ip.includes(':') ? `[${ip}]` : ip
  if (automaticHttps) return `http://${there}:${automaticHttps.httpPort}`
  return `${tls ? 'https' : 'http'}://${there}:${port}`
}

/** Throws if nothing answers. `body` is null if it is no JSON object. */
export async function ask(
  from: string,
  { headers = {}, signal, anyCertificate = false }: AskOptions,
): Promise<{ answer: IncomingMessage; body: object | null; certificateUntil: string | null }> {
  const url = new URL(from)
  const send = url.protocol === 'https:' ? secureRequest : request
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = send(url, {
      headers,
      agent: false,
      signal: AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(timeoutMs)]),
      ...(anyCertificate ? { rejectUnauthorized: false } : {}),
    })
    asked.once('response', resolve).once('error', reject).end()
  })
  const certificateUntil = answer.socket instanceof TLSSocket ? answer.socket.getPeerCertificate().valid_to : null
  return { answer, body: parsed(await textOf(answer)), certificateUntil }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) {
    text += chunk
    if (text.length > maxBytes) break
  }
  return text
}

function parsed(text: string): object | null {
  try {
    const body = JSON.parse(text)
    return typeof body === 'object' ? body : null
  } catch {
    return null
  }
}
