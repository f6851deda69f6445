import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { PushMessage } from '../server/selling/notifications/contract.ts'
import type { PushOptions } from '../server/selling/notifications/push-service.ts'

const pem = (name: string) => readFileSync(join(import.meta.dirname, 'tls', name), 'utf8')

interface ReceivedPush {
  path: string
  message: PushMessage
  /** As it came, encrypted. */
  body: Buffer
  headers: Record<string, string | string[] | undefined>
}

/** A push service over HTTPS. It decrypts messages as the browser would, and checks who signed them. A silent one never answers. */
export async function pushServer({ isSilent = false } = {}) {
  const browsers = new Map<string, ReturnType<typeof newBrowser>>()
  const received: ReceivedPush[] = []
  const asked: string[] = []
  const answers: (number | 'none')[] = []
  const callbacks: ((push: ReceivedPush) => void)[] = []
  const server = createServer({ cert: pem('certificate.pem'), key: pem('key.pem') }, async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const path = request.url!
    // A message to an earlier subscription may still be on its way.
    const status = [path, null].includes(service.answersGoTo) ? (answers.shift() ?? 201) : 201
    asked.push(path)
    if (isSilent || status === 'none') return
    if (status === 201) {
      const push = { path, message: browsers.get(path)!.decrypt(body), body, headers: request.headers }
      received.push(push)
      for (const callback of callbacks) callback(push)
    }
    response.writeHead(status, status === 307 ? { location: 'https://localhost/elsewhere' } : {}).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `https://localhost:${port}`
  const service = {
    url,
    received,
    /** The paths of all requests, also of those that got no message. */
    asked,
    /** The statuses of the next answers; `none` never comes. */
    answers,
    /** The path of the only subscription that gets them; null: all do. */
    answersGoTo: null as string | null,
    options: pushOptionsTo(url),
    /** Calls back with each message that comes. */
    onReceived: (callback: (push: ReceivedPush) => void) => callbacks.push(callback),
    /** What a browser sends to subscribe. */
    subscribe: () => {
      const path = `/push/${randomBytes(8).toString('hex')}`
      const browser = newBrowser()
      browsers.set(path, browser)
      return { endpoint: url + path, keys: browser.keys }
    },
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
  return service
}

/** Reaches a server at this URL, which has no public IP address. */
export const pushOptionsTo = (url: string): PushOptions => ({
  accepts: (endpoint) => endpoint.startsWith(`${url}/`),
  lookup: (_name, { all }, callback) =>
    all ? callback(null, [{ address: '127.0.0.1', family: 4 }] as never) : callback(null, '127.0.0.1', 4),
  ca: pem('certificate.pem'),
})

/** RFC 8291: the keys of a browser, and how it decrypts. */
function newBrowser() {
  const own = createECDH('prime256v1')
  own.generateKeys()
  const auth = randomBytes(16)
  return {
    keys: { p256dh: own.getPublicKey('base64url'), auth: auth.toString('base64url') },
    decrypt(body: Buffer): PushMessage {
      const salt = body.subarray(0, 16)
      const idEnd = 21 + body[20]!
      const sender = body.subarray(21, idEnd)
      const derive = (key: Uint8Array, salt: Uint8Array, info: string | Buffer, length: number) =>
        Buffer.from(hkdfSync('sha256', key, salt, info, length))
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), sender])
      const key = derive(own.computeSecret(sender), auth, info, 32)
      const decipher = createDecipheriv(
        'aes-128-gcm',
        derive(key, salt, 'Content-Encoding: aes128gcm\0', 16),
        derive(key, salt, 'Content-Encoding: nonce\0', 12),
      )
      decipher.setAuthTag(body.subarray(-16))
      const padded = Buffer.concat([decipher.update(body.subarray(idEnd, -16)), decipher.final()])
      return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString())
    },
  }
}

/** RFC 8292: whether the header was signed with this key, and what it says. */
export function signedClaims(authorization: string, publicKey: string): Record<string, unknown> | null {
  const [, token = '', key] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? []
  const [header, claims, signature] = token.split('.')
  const point = Buffer.from(publicKey, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const signed = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature ?? '', 'base64url'),
  )
  return signed && key === publicKey ? JSON.parse(Buffer.from(claims!, 'base64url').toString()) : null
}
