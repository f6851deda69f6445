import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Returns what a server sends on one connection until it closes it or `wait` ms have passed. If it has sent nothing by then,
 * as on a busy machine, it has ten times as long.
 */
export interface Said {
  text: string
  closed: boolean
  /** The answers in order, each with its body parsed if it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the service says
  answers: { status: number; headers: Record<string, string>; body: any }[]
}

/** Sends raw bytes to a server. */
export async function speak(
  url: string,
  talk: string | Uint8Array | ((socket: Socket) => void | Promise<void>),
  wait = 1000,
): Promise<Said> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => {})
  const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)))
  await new Promise((resolve) => socket.once('connect', resolve))
  if (typeof talk === 'function') await talk(socket)
  else socket.write(talk)
  const end = new AbortController()
  const late = async () => {
    await sleep(wait, undefined, end)
    for (let more = 0; more < 9 && chunks.length === 0; more++) await sleep(wait, undefined, end)
    return false
  }
  const isClosed = await Promise.race([closed, late().catch(() => false)])
  end.abort()
  socket.destroy()
  const text = Buffer.concat(chunks).toString('utf8')
  return { text, closed: isClosed, answers: answersIn(text) }
}

function answersIn(text: string): Said['answers'] {
  const answers: Said['answers'] = []
  for (let rest = text; rest.startsWith('HTTP/1.1 '); ) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) break
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(':')[0]!.toLowerCase(), line.replace(/^[^:]*: ?/, '')]),
    )
    const length = Number(headers['content-length'] ?? 0)
    const bytes = Buffer.from(rest.slice(end + 4))
    const body = bytes.subarray(0, length).toString()
    rest = bytes.subarray(length).toString()
    const status = Number(first.split(' ')[1])
    if (status >= 200) answers.push({ status, headers, body: body.startsWith('{') ? JSON.parse(body) : body })
  }
  return answers
}
