import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import aws4 from 'aws4'

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
const bucket = 'backups'
const pageSize = 100

/** What the service answers instead: the status and code of an error. */
type Fault = [status: number, code: string] | null

/** An S3 service in memory. It checks each signature with the signer aws4, which is not that of the service under test. */
export async function startS3Server() {
  const objects = new Map<string, { content: Buffer; at: Date }>()
  const control = { fault: null as Fault, requests: 0, bytes: 0 }
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    control.requests++
    control.bytes += body.length
    const answer = (status: number, text: string | Buffer = '') =>
      response.writeHead(status, { 'content-type': 'application/xml' }).end(text)
    const fail = ([status, code]: NonNullable<Fault>) => answer(status, `<Error><Code>${code}</Code></Error>`)
    const problem = control.fault ?? problemOf(request, body)
    if (problem) return fail(problem)
    const url = new URL(request.url!, 'http://localhost')
    const [, named, ...rest] = url.pathname.split('/')
    if (named !== bucket) return fail([404, 'NoSuchBucket'])
    const key = decodeURIComponent(rest.join('/'))
    if (key === '') return answer(200, listing(url.searchParams))
    const found = objects.get(key)
    if (request.method === 'PUT') {
      if (found && request.headers['if-none-match'] === '*') return fail([412, 'PreconditionFailed'])
      objects.set(key, { content: body, at: new Date() })
      return answer(200)
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return answer(204)
    }
    return found ? answer(200, found.content) : fail([404, 'NoSuchKey'])
  })

  function listing(query: URLSearchParams): string {
    const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).sort()
    const after = query.get('continuation-token')
    const rest = after ? keys.filter((key) => key > after) : keys
    const page = rest.slice(0, pageSize)
    const contents = page.map(
      (key) =>
        `<Contents><Key>${key}</Key><LastModified>${objects.get(key)!.at.toISOString()}</LastModified></Contents>`,
    )
    const next = rest.length > pageSize ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    return `<?xml version="1.0"?><ListBucketResult>${contents.join('')}${next}</ListBucketResult>`
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    objects,
    control,
    /** The variables of the service. */
    env: {
      CONTINUOUS_BACKUP: `s3://${bucket}/lead-engine`,
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function problemOf(request: IncomingMessage, body: Buffer): Fault {
  const { authorization = '', ...given } = request.headers
  const [, id, signed] = /Credential=([^/]+)\/.*SignedHeaders=([^,]+),/.exec(authorization) ?? []
  if (id !== credentials.accessKeyId) return [403, 'InvalidAccessKeyId']
  const sha256 = createHash('sha256').update(body).digest('hex')
  if (given['x-amz-content-sha256'] !== sha256) return [400, 'XAmzContentSHA256Mismatch']
  const headers = Object.fromEntries(signed!.split(';').map((name) => [name, String(given[name])]))
  const { method, url: path } = request
  // Without the body, for which a type would be added; its hash is among the headers.
  const expected = aws4.sign({ service: 's3', region: 'us-east-1', method, path, headers }, credentials)
  const isSame = expected.headers!.Authorization === authorization
  return isSame ? null : [403, 'SignatureDoesNotMatch']
}
