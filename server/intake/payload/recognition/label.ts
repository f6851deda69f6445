import { rememberedByLabel } from '../words/by-label.ts'
import { classesOf, wordsOf } from '../words/words.ts'
import { hashText, pair } from './hash.ts'

/** A name in a payload, as the hashes of what is in it. */
export interface Label {
  /** Each word once. */
  words: number[]
  /** Words beside each other. */
  pairs: number[]
  /** Three to five letters beside each other. */
  grams: number[]
  /** The classes of its words, and all of them in their order. */
  classes: number[]
  signature: number
  whole: number
  first: number
  last: number
  length: number
}

/** A label of 200 letters takes 6 KB. */
export const labelOf = rememberedByLabel(read, 4000)

function read(text: string): Label {
  const words = wordsOf(text).map((word) => (/^\d+$/.test(word) ? '0' : word))
  const hashes = words.map(hashText)
  const named = words.filter((word) => word !== '0')
  const classes = words.map((word) => [...(classesOf(word) ?? [])] as string[])
  // Words such as "your" and "please" say nothing.
  const telling = classes.map((all) => all.filter((one) => one !== 'filler').join('+') || '?')
  const isShort = telling.length <= 5
  return {
    words: unique(hashes),
    pairs: hashes.slice(1).map((hash, at) => pair(hashes[at]!, hash)),
    grams: gramsOf(words),
    classes: unique(classes.flat().map(hashText)),
    signature: hashText(isShort ? telling.join(' ') : `long ${telling.filter((one) => one !== '?').join(' ')}`),
    whole: hashText(words.join(' ')),
    first: hashText(named[0] ?? '0'),
    last: hashText(named.at(-1) ?? '0'),
    length: words.length,
  }
}

function gramsOf(words: readonly string[]): number[] {
  const joined = words.join('')
  const grams = new Set<number>()
  for (const word of new Set([...words, joined])) {
    if (word.length < 4 || word.length > 40) continue
    const framed = `<${word}>`
    for (const size of [3, 4, 5])
      for (let at = 0; at + size <= framed.length; at++) grams.add(hashText(framed.slice(at, at + size)))
  }
  return [...grams]
}

export const unique = (hashes: readonly number[]): number[] => [...new Set(hashes)]
