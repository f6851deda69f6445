import { readFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
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

const fencedOrLinked = /^( *)```(\w*)(?: (\S+))?\n(.*?)^ *```$|^\[`\S+`\]\((programs\/\S+)\)$/gms

const languageOfFile: Record<string, string> = { mjs: 'js', py: 'python', php: 'php', go: 'go' }

/** Returns the program of a link that is a line of its own, as if it were in the page. */
function linkedProgram(page: string, path: string) {
  const file = basename(path)
  return {
    language: languageOfFile[extname(file).slice(1)]!,
    file,
    code: readFileSync(join(root, dirname(page), path), 'utf8'),
  }
}

/** Returns the blocks and the linked programs of a page, in their order. Blocks in lists are indented. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8')
  let printing: Block | null = null
  let end = 0
  return [...text.matchAll(fencedOrLinked)].map((match) => {
    const { index } = match
    const [whole, indent = '', language = '', file = null, code = '', linked] = match
    const block: Block = {
      at: `${page}:${text.slice(0, index).split('\n').length}`,
      language,
      file,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      ...(linked && linkedProgram(page, linked)),
      prints: null,
      isPrinted: false,
    }
    const isResult = ['text', 'json'].includes(block.language) && text.slice(end, index) === '\n\n'
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
