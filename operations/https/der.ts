/** Writes ASN.1 in DER, as far as requests for certificates need it. */

function element(tag: number, content: Uint8Array): Buffer {
  const { length } = content
  const bytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...bytes]), content])
}

export const sequence = (...parts: Uint8Array[]) => element(0x30, Buffer.concat(parts))
export const set = (...parts: Uint8Array[]) => element(0x31, Buffer.concat(parts))
export const octets = (content: Uint8Array) => element(0x04, content)
export const bits = (content: Uint8Array) => element(0x03, Buffer.concat([Buffer.from([0]), content]))
/** `content` is the number in two's complement. */
export const integer = (content: Uint8Array) => element(0x02, content)
/** An element whose tag the context defines: `[number]`. */
export const inContext = (number: number, content: Uint8Array, { isConstructed }: { isConstructed: boolean }) =>
  element((isConstructed ? 0xa0 : 0x80) | number, content)

export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(inSevenBits)]))
}

function inSevenBits(number: number): number[] {
  const groups = [number & 0x7f]
  for (let left = number >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80)
  return groups
}
