import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import { bits, inContext, integer, objectId, octets, sequence, set } from './der.ts'

const ids = {
  extensionRequest: '1.2.840.113549.1.9.14',
  alternativeName: '2.5.29.17',
  ecdsaSha256: '1.2.840.10045.4.3.2',
}

/** Returns a certificate signing request (PKCS #10) for one host name, with a key on the curve P-256. */
export function signingRequest(domain: string, key: KeyObject): Buffer {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const names = sequence(inContext(2, Buffer.from(domain, 'ascii'), { isConstructed: false }))
  const extensions = sequence(sequence(objectId(ids.alternativeName), octets(names)))
  const attribute = sequence(objectId(ids.extensionRequest), set(extensions))
  const noSubject = sequence()
  const request = sequence(
    integer(Buffer.from([0])),
    noSubject,
    publicKey,
    inContext(0, attribute, { isConstructed: true }),
  )
  return sequence(request, sequence(objectId(ids.ecdsaSha256)), bits(sign('sha256', request, key)))
}
