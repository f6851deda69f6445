import { type IncomingMessage, request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { proofHeader, type ServiceView } from '../health/proof.ts'

export interface Answered {
  status: number
  /** Whether /healthz of a Lead Engine answered. */
  isLeadEngine: boolean
  /** Of this installation only: another one does not know the proof. */
  seen: ServiceView | null
  location: string | null
}

interface Options {
  proof: string | null
  signal: AbortSignal
  /** Over the loopback interface, where the name in the certificate does not match. */
  anyCertificate?: boolean
}

const maxBytes = 65_536

/** Asks the service at this URL who it is. Throws if nothing answers. */
export async function askService(
  baseUrl: string,
  { proof, signal, anyCertificate = false }: Options,
): Promise<Answered> {
  const url = new URL(`${baseUrl}/healthz`)
  const send = url.protocol === 'https:' ? secureRequest : request
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(5000)])
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = send(url, {
      headers: proof ? { [proofHeader]: proof } : {},
      agent: false,
      signal: timeout,
      ...(anyCertificate ? { rejectUnauthorized: false } : {}),
    })
    asked.once('response', resolve).once('error', reject).end()
  })
  const body = healthOf(await textOf(answer))
  return {
    status: answer.statusCode ?? 0,
    isLeadEngine: body?.status === 'alive',
    seen: body?.seen ?? null,
    location: answer.headers.location ?? null,
  }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) {
    text += chunk
    if (text.length > maxBytes) break
  }
  return text
}

function healthOf(text: string): { status?: string; seen?: ServiceView } | null {
  try {
    const body = JSON.parse(text)
    return typeof body === 'object' ? body : null
  } catch {
    return null
  }
}
