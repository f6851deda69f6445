import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign, verify } from 'node:crypto'
import { bits, inContext, integer, objectId, octets, sequence, set } from '../operations/https/der.ts'

const ids = { commonName: '2.5.4.3', alternativeName: '2.5.29.17', basicConstraints: '2.5.29.19' }
const ecdsaSha256 = sequence(objectId('1.2.840.10045.4.3.2'))
const isTrue = Buffer.from([0x01, 0x01, 0xff])

interface Content {
  subject: Buffer
  publicKey: Buffer
  from: Date
  to: Date
  extensions: Buffer[]
}

/** An authority for tests, which issues certificates for the requests that it reads. */
export function certificateAuthority() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuer = nameOf('Authority of the tests')
  const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'der' })

  function issue({ subject, publicKey, from, to, extensions }: Content): string {
    const content = sequence(
      inContext(0, integer(Buffer.from([2])), { isConstructed: true }),
      integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
      ecdsaSha256,
      issuer,
      sequence(utcTime(from), utcTime(to)),
      subject,
      publicKey,
      inContext(3, sequence(...extensions), { isConstructed: true }),
    )
    return pem(sequence(content, ecdsaSha256, bits(sign('sha256', content, privateKey))))
  }

  const isAuthority = sequence(objectId(ids.basicConstraints), isTrue, octets(sequence(isTrue)))
  return {
    certificate: issue({
      subject: issuer,
      publicKey: spki(publicKey),
      from: new Date('2020-01-01'),
      to: new Date('2049-01-01'),
      extensions: [isAuthority],
    }),
    issueFor({ names, publicKey }: ReturnType<typeof readRequest>, from: Date, to: Date): string {
      const alternative = sequence(
        ...names.map((name) => inContext(2, Buffer.from(name, 'ascii'), { isConstructed: false })),
      )
      const extension = sequence(objectId(ids.alternativeName), isTrue, octets(alternative))
      return issue({ subject: sequence(), publicKey: spki(publicKey), from, to, extensions: [extension] })
    },
  }
}

function nameOf(text: string): Buffer {
  const utf8 = Buffer.concat([Buffer.from([0x0c, text.length]), Buffer.from(text)])
  return sequence(set(sequence(objectId(ids.commonName), utf8)))
}

/** For years before 2050. */
function utcTime(time: Date): Buffer {
  const digits = `${time.toISOString().replace(/\D/g, '').slice(2, 14)}Z`
  return Buffer.concat([Buffer.from([0x17, digits.length]), Buffer.from(digits)])
}

const pem = (der: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`

interface Node {
  tag: number
  content: Buffer
  /** With its tag and length. */
  whole: Buffer
}

/** Returns the elements that follow each other in DER. */
function elements(der: Buffer): Node[] {
  const found: Node[] = []
  for (let at = 0; at < der.length; ) {
    const [tag = 0, short = 0] = der.subarray(at)
    const more = short < 0x80 ? 0 : short & 0x7f
    const length = more === 0 ? short : der.readUIntBE(at + 2, more)
    const start = at + 2 + more
    if (start + length > der.length) throw new Error('an element is longer than what contains it')
    found.push({ tag, content: der.subarray(start, start + length), whole: der.subarray(at, start + length) })
    at = start + length
  }
  return found
}

const inside = (node: Node | undefined, tag: number): Node[] => {
  if (node?.tag !== tag) throw new Error(`element ${node?.tag} where ${tag} is expected`)
  return elements(node.content)
}

/** Reads a certificate signing request, and checks its signature. */
export function readRequest(der: Buffer): { names: string[]; publicKey: KeyObject } {
  const [request, algorithm, signature] = inside(elements(der)[0], 0x30)
  const [version, subject, key, attributes] = inside(request, 0x30)
  if (version?.whole.toString('hex') !== '020100' || inside(subject, 0x30).length > 0)
    throw new Error('wrong version, or a subject')
  if (!algorithm?.whole.equals(ecdsaSha256)) throw new Error('another signature algorithm')
  const publicKey = createPublicKey({ key: key!.whole, format: 'der', type: 'spki' })
  if (signature?.tag !== 0x03 || signature.content[0] !== 0) throw new Error('no signature')
  if (!verify('sha256', request!.whole, publicKey, signature.content.subarray(1))) throw new Error('wrong signature')
  const [attribute] = inside(attributes, 0xa0)
  const [id, values] = inside(attribute, 0x30)
  if (!id?.whole.equals(objectId('1.2.840.113549.1.9.14'))) throw new Error('another attribute')
  const [extensions] = inside(values, 0x31)
  const [extension] = inside(extensions, 0x30)
  const [name, value] = inside(extension, 0x30)
  if (!name?.whole.equals(objectId(ids.alternativeName)) || value?.tag !== 0x04) throw new Error('another extension')
  const names = inside(elements(value.content)[0], 0x30).map(({ tag, content }) => {
    if (tag !== 0x82) throw new Error('a name that is no host name')
    return content.toString('ascii')
  })
  return { names, publicKey }
}
