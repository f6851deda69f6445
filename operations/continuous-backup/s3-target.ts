import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { SaxesParser } from 'saxes'
import type { Bucket } from './settings.ts'
import { type StoredObject, type Target, TargetProblem } from './target.ts'

/** Longer for larger objects. */
const timeout = ({ length }: Buffer) => 20_000 + Math.ceil(length / 100)

/** So many take about 260 MB of memory. The parts of all base backups may have 8 TB, and a history rarely has other objects. */
const maxListed = 1_000_000

/** Objects of a bucket, by the four requests that all S3-compatible services have. */
export function s3Target(
  { bucket, prefix, endpoint, region, accessKeyId, secretAccessKey }: Bucket,
  maxObjects = maxListed,
): Target {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 })
  const host = endpoint ?? `https://s3.${region}.amazonaws.com`
  const name = `s3://${bucket}${prefix && `/${prefix}`}`
  const keyOf = (object: string) => `${prefix && `${prefix}/`}${object}`
  const urlOf = (object: string) => `${host}/${bucket}/${keyOf(object).split('/').map(encodeURIComponent).join('/')}`

  async function send(
    method: string,
    url: string,
    content: Buffer = Buffer.alloc(0),
    headers: Record<string, string> = {},
  ) {
    // Some services require the hash, and all check it.
    const sha256 = createHash('sha256').update(content).digest('hex')
    try {
      const response = await client.fetch(url, {
        method,
        headers: { ...headers, 'x-amz-content-sha256': sha256 },
        signal: AbortSignal.timeout(timeout(content)),
        ...(method === 'PUT' ? { body: new Uint8Array(content) } : {}),
      })
      return { status: response.status, body: Buffer.from(await response.arrayBuffer()) }
    } catch (error) {
      throw unreachable(error as Error, host)
    }
  }

  /** Reads again what a busy service rejects. What is written is tried again by those who write. */
  async function read(url: string) {
    for (let wait = 250; ; wait *= 2) {
      const answer = await send('GET', url)
      if ((answer.status < 500 && answer.status !== 429) || wait > 2000) return answer
      await sleep(wait)
    }
  }

  const rejected = ({ status, body }: { status: number; body: Buffer }) => explain(name, status, body.toString())

  return {
    name,
    async put(object, content) {
      const answer = await send('PUT', urlOf(object), content)
      if (answer.status !== 200) throw rejected(answer)
    },
    async putNew(object, content) {
      const answer = await send('PUT', urlOf(object), content, { 'if-none-match': '*' })
      if (answer.status === 412) return false
      // Services that do not know the condition may reject it: then nothing is compared.
      if (answer.status === 501) await this.put(object, content)
      else if (answer.status !== 200) throw rejected(answer)
      return true
    },
    async get(object) {
      const answer = await read(urlOf(object))
      if (answer.status === 404 && codeIn(answer.body.toString()) !== 'NoSuchBucket') return null
      if (answer.status !== 200) throw rejected(answer)
      return answer.body
    },
    async list(start) {
      const found: StoredObject[] = []
      let token: string | null = null
      do {
        const query = new URLSearchParams({ 'list-type': '2', prefix: keyOf(start) })
        if (token) query.set('continuation-token', token)
        const answer = await read(`${host}/${bucket}?${query.toString().replaceAll('+', '%20')}`)
        if (answer.status !== 200) throw rejected(answer)
        const page = readListing(answer.body.toString())
        for (const { key, written_at } of page.objects) found.push({ name: key.slice(keyOf('').length), written_at })
        if (found.length > maxObjects)
          throw new TargetProblem(
            `There are more than ${maxObjects} objects below ${keyOf(start)} in ${bucket}. Remove those that are not of Lead Engine, or name another ` +
              'prefix in CONTINUOUS_BACKUP.',
          )
        token = page.next
      } while (token)
      return found
    },
    async remove(objects) {
      for (const object of objects) {
        const answer = await send('DELETE', urlOf(object))
        if (![200, 204, 404].includes(answer.status)) throw rejected(answer)
      }
    },
  }
}

/** Reads a page of ListObjectsV2. */
function readListing(xml: string): { objects: { key: string; written_at: Date }[]; next: string | null } {
  const objects: { key: string; written_at: Date }[] = []
  let next: string | null = null
  let object = { key: '', written_at: new Date(0) }
  let text = ''
  const parser = new SaxesParser()
  parser.on('opentag', ({ name }) => {
    text = ''
    if (name === 'Contents') object = { key: '', written_at: new Date(0) }
  })
  parser.on('text', (more) => {
    text += more
  })
  parser.on('closetag', ({ name }) => {
    if (name === 'Key') object.key = text
    if (name === 'LastModified') object.written_at = new Date(text)
    if (name === 'Contents') objects.push(object)
    if (name === 'NextContinuationToken') next = text
    text = ''
  })
  parser.write(xml).close()
  return { objects, next }
}

const codeIn = (xml: string) => /<Code>([^<]{1,100})<\/Code>/.exec(xml)?.[1] ?? null

const advice: Record<string, string> = {
  InvalidAccessKeyId: 'The service does not know AWS_ACCESS_KEY_ID: check it.',
  SignatureDoesNotMatch: 'AWS_SECRET_ACCESS_KEY does not belong to AWS_ACCESS_KEY_ID: check both.',
  AccessDenied: 'Allow this key to list the bucket, and to read, write and delete objects in it.',
  AllAccessDisabled: 'Allow this key to list the bucket, and to read, write and delete objects in it.',
  NoSuchBucket: 'There is no such bucket: create it, or change CONTINUOUS_BACKUP.',
  PermanentRedirect: 'The bucket is in another region: set AWS_REGION and AWS_ENDPOINT_URL.',
  AuthorizationHeaderMalformed: 'The bucket is in another region: set AWS_REGION.',
  RequestTimeTooSkewed: 'The clock of this machine is wrong: set it.',
  QuotaExceeded: 'The bucket is full: raise its quota, or lower CONTINUOUS_BACKUP_DAYS.',
  XMinioStorageFull: 'The service is full: give it more disk, or lower CONTINUOUS_BACKUP_DAYS.',
}

function explain(target: string, status: number, body: string): TargetProblem {
  const code = codeIn(body)
  const what = advice[code ?? ''] ?? byStatus(status)
  return new TargetProblem(`${target} answered ${status}${code ? ` ${code}` : ''}. ${what}`)
}

function byStatus(status: number): string {
  if (status === 403) return advice.AccessDenied!
  if (status === 507) return advice.QuotaExceeded!
  return status >= 500 || status === 429 ? 'It is tried again.' : 'Check CONTINUOUS_BACKUP and AWS_ENDPOINT_URL.'
}

function unreachable(error: Error, host: string): TargetProblem {
  const { message, code } = (error.cause ?? error) as NodeJS.ErrnoException
  const reason = error.name === 'TimeoutError' ? 'no answer in time' : message || code
  return new TargetProblem(`${host} cannot be reached (${reason}). Check the network and AWS_ENDPOINT_URL.`, {
    cause: error,
  })
}
