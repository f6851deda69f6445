import type { SchemaObjects } from '../../server/platform/database/schema-objects.ts'

export interface Difference {
  kind: Kind
  /** The table that it belongs to, or the name of a function or view. */
  of: string
  /** Within the table. */
  name: string
  /** As the migrations make it. Null for what they do not make. */
  expected: string | null
  /** Null if it is missing. */
  found: string | null
}

const kinds = [
  'table',
  'column',
  'constraint',
  'index',
  'triggers',
  'trigger',
  'rule',
  'function',
  'view',
  'policy',
  'grant',
  'execute',
] as const
type Kind = (typeof kinds)[number]

/** What others may add to our tables without a change of what the service does, as far as can be known. */
const mayBeAdded: ReadonlySet<Kind> = new Set([
  'table',
  'column',
  'constraint',
  'index',
  'trigger',
  'rule',
  'function',
  'view',
])

/**
 * Compares what a database has with what the migrations make. Of a missing table only the table is named. `anyParentheses` compares
 * policies without them.
 */
export function schemaDifferences(
  found: SchemaObjects,
  wanted: SchemaObjects,
  { anyParentheses = false } = {},
): Difference[] {
  const comparable = (kind: Kind, definition: string) =>
    anyParentheses && kind === 'policy' ? definition.replaceAll(/[\s()]/g, '') : definition
  const objects = new Set([...wanted.keys(), ...found.keys()])
  const isMissing = (of: string) => wanted.has(`table ${of}`) && !found.has(`table ${of}`)
  return [...objects]
    .sort()
    .map((object) => ({
      ...namesIn(object),
      expected: wanted.get(object) ?? null,
      found: found.get(object) ?? null,
    }))
    .filter(({ kind, of, expected, found }) => {
      if (isMissing(of) && kind !== 'table') return false
      if (kind === 'execute' && !wanted.has(`function ${of}`)) return false
      if (expected === null) return !mayBeAdded.has(kind)
      return found === null || comparable(kind, expected) !== comparable(kind, found)
    })
    .sort((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind))
}

/** What is on our tables and not made by migrations, and may change what the service can do. */
export function additions(found: SchemaObjects, wanted: SchemaObjects): string[] {
  return [...found.keys()]
    .filter((object) => !wanted.has(object) && /^(column|constraint|trigger|rule) /.test(object))
    .map((object) => textOf({ ...namesIn(object), expected: null, found: '' }).replace(/ is .*/, ''))
}

function namesIn(object: string): Pick<Difference, 'kind' | 'of' | 'name'> {
  const [, kind, rest] = /^(\w+) (.*)$/.exec(object)!
  if (kind === 'function' || kind === 'view') return { kind, of: rest!, name: '' }
  if (kind === 'execute') {
    const [, of, name] = /^(.*) (\w+)$/.exec(rest!)!
    return { kind, of: of!, name: name! }
  }
  const [of, ...name] = rest!.split('.')
  return { kind: kind as Kind, of: of!, name: name.join('.') }
}

/** A difference as the rest of a sentence: `the index leads_by_city is missing`. */
export function textOf({ kind, of, name, expected, found }: Difference): string {
  const state = found === null ? 'is missing' : expected === null ? 'is not of Lead Engine' : 'is changed'
  switch (kind) {
    case 'table':
      if (found === null) return `the table ${of} is missing`
      return `row-level security of ${of} is ${found === '' ? 'off' : 'changed'}`
    case 'column':
      if (found === null || expected === null) return `the column ${of}.${name} ${state}`
      return `the column ${of}.${name} is "${briefly(found)}" instead of "${briefly(expected)}"`
    case 'index':
      return `the index ${name} of ${of} ${found?.endsWith(' invalid') ? 'is invalid' : state}`
    case 'triggers':
      return `the foreign keys of ${of} are not checked, because its triggers are disabled`
    case 'function':
    case 'view':
      return `the ${kind} ${of.replace(/\(.*/, '')} ${state}`
    case 'grant':
    case 'execute': {
      const { lacks, excess } = privilegesOf(expected, found)
      const on = kind === 'execute' ? of.replace(/\(.*/, '') : of
      return [
        ...(lacks.length > 0 ? [`${name} lacks ${lacks.join(', ')} on ${on}`] : []),
        ...(excess.length > 0 ? [`${name} may ${excess.join(', ')} on ${on}`] : []),
      ].join(', and ')
    }
    default:
      return `the ${kind} ${name} of ${of} ${state}`
  }
}

/** Returns the privileges that are missing, and those that are too many. */
function privilegesOf(expected: string | null, found: string | null) {
  const wanted = new Set(expected?.split(', '))
  const given = new Set(found?.split(', '))
  return { lacks: [...wanted.difference(given)], excess: [...given.difference(wanted)] }
}

const briefly = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
