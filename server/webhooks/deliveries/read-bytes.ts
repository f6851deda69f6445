import { randomInt } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { HttpProblem, invalid } from '../../http/problem.ts'

export interface Body {
  /** Decompressed; as it came where it is refused. */
  bytes: Buffer
  refusal: HttpProblem | null
}

/** 3 MB, as Meta may send; also after decompression. */
const mostBytes = 3 * 1024 * 1024
/** Of all bodies that are being read or worked on in this process. */
const mostAtOnce = 64 * 1024 * 1024
let atOnce = 0

/**
 * The bytes of a body, decompressed. Reads on to the end of one that is too large, within reason, so that its sender
 * hears the answer. `whenDone` is called with what gives its room back.
 */
export async function readBytes(payload: IncomingMessage, whenDone: (free: () => void) => void): Promise<Body> {
  const chunks: Buffer[] = []
  let [size, held, isDone] = [0, 0, false]
  whenDone(() => {
    atOnce -= held
    held = 0
    isDone = true
  })
  // Not destroyed where reading ends early: the answer goes out on the same connection.
  for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
    if (size < mostBytes && !isDone) {
      if (atOnce + chunk.length > mostAtOnce) throw tooMany()
      held += chunk.length
      atOnce += chunk.length
      chunks.push(chunk)
    }
    size += chunk.length
    if (size > 8 * 1024 * 1024) break
  }
  const bytes = Buffer.concat(chunks)
  if (size > mostBytes) return { bytes: bytes.subarray(0, mostBytes), refusal: tooLarge() }
  return decompressed(bytes, payload.headers)
}

const unpackers = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  // Some senders leave the header out, though the standard has it.
  deflate: async (bytes: Buffer, options: { maxOutputLength: number }) =>
    promisify((bytes[0]! & 0x0f) === 8 ? inflate : inflateRaw)(bytes, options),
  br: promisify(brotliDecompress),
}

async function decompressed(bytes: Buffer, headers: IncomingHttpHeaders): Promise<Body> {
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity' || bytes.length === 0) return { bytes, refusal: null }
  if (!Object.hasOwn(unpackers, encoding)) return { bytes, refusal: notTaken() }
  try {
    const unpack = unpackers[encoding as keyof typeof unpackers]
    return { bytes: await unpack(bytes, { maxOutputLength: mostBytes }), refusal: null }
  } catch (error) {
    const large = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
    return { bytes, refusal: large ? tooLarge() : invalid(`The body is not valid ${encoding}.`) }
  }
}

const tooLarge = () =>
  new HttpProblem(413, 'PAYLOAD_TOO_LARGE', 'The body is larger than 3 MB, or is when decompressed.')

const tooMany = () =>
  new HttpProblem(503, 'UNAVAILABLE', 'Too many bodies are arriving at once. Try again in a moment.', undefined, {
    'retry-after': String(randomInt(5, 11)),
  })

const notTaken = () =>
  new HttpProblem(
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the body uncompressed, or with Content-Encoding gzip, deflate or br.',
  )
