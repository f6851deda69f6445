import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './service.ts'

/** A block of code in a page. What it prints is the block of `text` or `json` right after it, if there is one. */
export interface Block {
  /** Where it is, as page:line. */
  at: string
  /** Empty if the page names none. */
  language: string
  /** Programs of several files name each. */
  file: string | null
  code: string
  /** Null if anything but an error may be printed. */
  prints: string | null
  /** Whether another block prints it. */
  isPrinted: boolean
}

const fenced = /^( *)```(\w*)(?: (\S+))?\n(.*?)^ *```$/gms

/** Returns the blocks of a page, in their order. Those in lists are indented. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8')
  let printing: Block | null = null
  let end = 0
  return [...text.matchAll(fenced)].map(([whole, indent = '', language = '', file = null, code = ''], _, all) => {
    const { index } = all[_]!
    const block: Block = {
      at: `${page}:${text.slice(0, index).split('\n').length}`,
      language,
      file,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      prints: null,
      isPrinted: false,
    }
    const isResult = ['text', 'json'].includes(language) && text.slice(end, index) === '\n\n'
    if (isResult && printing) {
      printing.prints = block.code
      block.isPrinted = true
    }
    printing = isResult ? null : block
    end = index + whole.length
    return block
  })
}

/** Ids, emails of test users and times differ from run to run. */
export const comparable = (text: string) =>
  text
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'id')
    .replace(/@([\da-f]{8}\.)?example\.com/g, '@example.com')
    .replace(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'time')
    .replace(/\b(\d+\.\d+\.\d+)\+[\da-f]{8}\b/g, '$1')
