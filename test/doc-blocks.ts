import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './service.ts'

/** A block of code in a page. What it prints is the block of `text` or `json` right after it, if there is one. */
export interface Block {
  language: string
  /** Programs of several files name each. */
  file: string | null
  code: string
  /** Null if anything but an error may be printed. */
  prints: string | null
}

/** Returns the blocks of a page that have a language, in their order. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8')
  const found = [...text.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```\n(?=(\n```(text|json)\n(.*?)^```\n)?)/gms)]
  return found.map(([, language = '', file = null, code = '', , , prints = null]) => ({ language, file, code, prints }))
}

/** Ids, emails of test users and times differ from run to run. */
export const comparable = (text: string) =>
  text
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'id')
    .replace(/@([\da-f]{8}\.)?example\.com/g, '@example.com')
    .replace(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'time')
