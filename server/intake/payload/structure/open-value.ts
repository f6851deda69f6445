import { mailboxIn, phoneIn } from '../../../crm/contacts/parse-contact.ts'
import { boundPayload } from '../bound-payload.ts'

import { readJson } from '../read-json.ts'
import { meaningOf } from '../words/meaning.ts'

export type Entries = Readonly<Record<string, unknown>>

const maxJsonLength = 300_000

/**
 * Opens values: parses texts with JSON, and nests keys of a form such as `contact[fields][city]`. Caches its results, so
 * that each text of a payload is parsed once.
 */
export class Opener {
  /** Whether a text with JSON was read although a line break in it is not escaped. */
  hasRawControls = false
  #opened = new Map<unknown, unknown>()
  /** Every layer of JSON within JSON escapes the one below, so three are more than any sender nests. */
  #layersLeft = 40
  #nodesLeft = 12_000
  #charactersLeft = 1_000_000

  open(value: unknown): unknown {
    if (typeof value === 'string') return this.#openText(value)
    if (!isEntries(value)) return value
    const known = this.#opened.get(value)
    if (known) return known
    const unfolded = unfold(value)
    this.#opened.set(value, unfolded)
    return unfolded
  }

  #openText(text: string): unknown {
    if (text.length < 2 || text.length > maxJsonLength) return text
    const start = text.trimStart()[0]
    const isJson = start === '{' || start === '['
    if (!isJson && (!text.includes('\n') || text.length > maxLinesLength)) return text
    const known = this.#opened.get(text)
    if (known !== undefined) return known
    if (!isJson) {
      const lines = readLines(text) ?? text
      this.#opened.set(text, lines)
      return lines
    }
    if (this.#layersLeft === 0 || text.length > this.#charactersLeft) return text
    this.#layersLeft--
    this.#charactersLeft -= text.length
    const { value: read, isValid } = readJson(text) ?? { isValid: true }
    if (!isValid) this.hasRawControls = true
    const opened = typeof read === 'object' && read !== null ? this.#bounded(read) : text
    this.#opened.set(text, opened)
    return opened
  }

  #bounded(read: object): unknown {
    const { payload: bounded, nodes } = boundPayload(read as Record<string, unknown>, [], { nodes: this.#nodesLeft })
    this.#nodesLeft -= nodes
    return isEntries(bounded) ? unfold(bounded) : bounded
  }
}

const maxLinesLength = 20_000
const line = /^[\s*•-]*([\p{L}][\p{L}\p{M}\d .()/_-]{0,60}?)\s*\**\s*[:=]\**\s*(.*)$/u

/** Reads the text of an email that has a field on each line, `Name: Asha` or `Name = Asha`, with a contact among them. */
function readLines(text: string): Entries | undefined {
  const entries = new Map<string, string>()
  let last: string | undefined
  let contacts = 0
  for (const one of text.split(/\r?\n/).slice(0, 100)) {
    if (one.trim() === '') continue
    const [, label, value = ''] = line.exec(one) ?? []
    if (label === undefined || entries.has(label)) {
      // A title above the fields.
      if (last === undefined) continue
      entries.set(last, `${entries.get(last)}\n${one.trim()}`)
      continue
    }
    entries.set(label, value.trim())
    last = label
    const { email = 0, phone = 0 } = meaningOf(label).senses
    if ((email >= 75 && mailboxIn(value.trim())) || (phone >= 75 && phoneIn(value.trim()))) contacts++
  }
  return contacts > 0 && entries.size >= 2 ? Object.fromEntries(entries) : undefined
}

export function isEntries(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isScalar(value: unknown): value is string | number | boolean | null | undefined {
  return value === null || typeof value !== 'object'
}

const folded = /^[^[\]]+(?:\[[^[\]]*\]){1,8}$/

function unfold(entries: Entries): Entries {
  const keys = Object.keys(entries)
  if (!keys.some((key) => key.includes('[') && folded.test(key))) return entries
  const unfolded = new Map<string, unknown>()
  for (const key of keys) {
    if (!folded.test(key)) {
      unfolded.set(key, entries[key])
      continue
    }
    const [head = '', ...rest] = key.split('[').map((part) => part.replace(/\]$/, ''))
    let level = unfolded
    for (const [index, part] of [head, ...rest].entries()) {
      const name = part === '' ? String(level.size) : part
      const value = entries[key]
      // `phone[]` of a form, which is there several times.
      if (index === rest.length && part === '' && Array.isArray(value))
        for (const item of value) level.set(String(level.size), item)
      else if (index === rest.length) level.set(name, value)
      else {
        const next = level.get(name)
        const deeper = next instanceof Map ? next : new Map<string, unknown>()
        level.set(name, deeper)
        level = deeper
      }
    }
  }
  return settled(unfolded) as Entries
}

/** A level whose keys count from 0 is a list. At most eight levels deep, by `folded`. */
function settled(value: unknown): unknown {
  if (!(value instanceof Map)) return value
  const keys = [...value.keys()]
  const settledEntries = keys.map((key) => [key, settled(value.get(key))] as const)
  if (keys.length > 0 && keys.every((key, index) => key === String(index)))
    return settledEntries.map(([, item]) => item)
  return Object.fromEntries(settledEntries)
}
