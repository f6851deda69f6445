import { msg } from '@lingui/core/runtime-macro'
import { Ajv, type ValidateFunction } from 'ajv'
import buildSerializer, { type Schema } from 'fast-json-stringify'
import type { FastifyInstance } from 'fastify'
import { cleanLine } from '../text/clean-line.ts'
import { line, uuidShape } from './contract.ts'
import { isTooDeep } from './json-depth.ts'
import { emptyBody, type HttpProblem, invalid, tooDeep } from './problem.ts'
import './temporal.ts'
import { type FieldMessage, validationMessage } from './validation-message.ts'
import { hasVisibleText } from './visible-text.ts'

const options = { allErrors: false, useDefaults: true, strict: true, allowUnionTypes: true } as const

/** Validates values as they were sent: a null or a "12" in a body must not become a number. */
const ajv = withFormats(new Ajv({ ...options, coerceTypes: false }))

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A format with a check that a pattern cannot express. Schemas refer to it by name. `clean` runs before the check. */
export type TextFormat = {
  name: string
  clean?: (text: string) => string
  isValid: (text: string) => boolean
  message: FieldMessage
}

/** Longer texts are too long for any format, and could be slow to clean. */
const maxCleaned = 1000

const formatCleaners = new Map<string, (text: string) => string>()

const formatMessages = new Map<string, FieldMessage>([
  ['name', (field) => msg`${{ field }} must have at least one visible character.`],
  ['uuid', (field) => msg`${{ field }} must be a UUID.`],
  ['password', (field) => msg`${{ field }} must be 10 to 128 characters.`],
  ['date', (field) => msg`${{ field }} must be a date that exists, as YYYY-MM-DD.`],
])

export function addFormat({ name, clean, isValid, message }: TextFormat) {
  if (clean) formatCleaners.set(name, clean)
  ajv.addFormat(name, isValid)
  formatMessages.set(name, message)
}

function withFormats(ajv: Ajv): Ajv {
  ajv.addFormat('uuid', uuidShape)
  ajv.addFormat('password', (text: string) => text.length >= 10 && text.length <= 128)
  ajv.addFormat('name', hasVisibleText)
  ajv.addFormat('date', (text: string) => {
    const date = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
    if (!date) return false
    try {
      return Temporal.PlainDate.from(text).year > 0
    } catch {
      return false
    }
  })
  return ajv
}

type OfText = { format?: string; pattern?: string }
type Property = OfText & { type?: string; anyOf?: (OfText & { type?: string })[]; items?: OfText }
type ObjectSchema = { properties?: Record<string, Property> }

/** Schemas of requests and answers are compiled when they are first used: for all routes, it takes a fifth of the start. */
export function validateInput(app: FastifyInstance) {
  app.setSerializerCompiler<Schema>(({ schema }) => {
    const serializer = onFirstUse(() => buildSerializer(schema))
    return (answer: unknown) => serializer()(answer)
  })
  app.setValidatorCompiler<ObjectSchema>(({ schema, httpPart }) => {
    const validator = onFirstUse(() => ajv.compile(schema))
    return (input: unknown) => {
      const validate = validator()
      const known = httpPart === 'params' ? input : clean(input, schema, httpPart === 'body')
      const cleaned = httpPart === 'querystring' ? asTyped(known as Record<string, unknown>, schema) : known
      return validate(cleaned) ? { value: cleaned } : { error: problemOf(validate) }
    }
  })
  app.addHook('preValidation', ({ url, routeOptions: { schema }, body }, _reply, done) => {
    if (schema?.body && body === undefined) return done(emptyBody())
    done(schema?.querystring ? brokenQuery(url) : undefined)
  })
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (isTooDeep(body as Buffer)) return done(tooDeep())
    try {
      // Some clients send a content type with every request, also with DELETE and an empty body.
      if (body.length === 0) return request.method === 'DELETE' ? done(null, undefined) : done(emptyBody())
      done(null, JSON.parse(utf8.decode(body as Buffer)))
    } catch (error) {
      done(invalid(error instanceof SyntaxError ? 'The body is not valid JSON.' : 'The body is not valid UTF-8.'))
    }
  })
}

function onFirstUse<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** The query parser accepts broken percent-encoding, and a filter would then search for the wrong text. */
function brokenQuery(url: string): HttpProblem | undefined {
  const [, query = ''] = /^[^?]*\?([^#]*)/.exec(url) ?? []
  for (const pair of query.includes('%') ? query.split('&') : []) {
    try {
      decodeURIComponent(pair)
    } catch {
      const [name = ''] = pair.split('=')
      return invalid(`${name} has a broken percent-encoding.`, name)
    }
  }
}

function problemOf(validate: ValidateFunction): HttpProblem {
  const error = validate.errors![0]!
  if (error.keyword === 'type' && error.instancePath === '') return invalid('The body must be a JSON object.')
  const [field = ''] = error.instancePath.slice(1).split('/')
  const named = field || String(error.params.missingProperty ?? '')
  return invalid(validationMessage(named, error, formatMessages), named)
}

/**
 * Returns the input with text trimmed, lines of bodies cleaned, duplicates dropped from lists of text, and unknown fields left out. A
 * null, an empty or a blank value counts as not given, also one with no visible character (as a name, that is an error). Where the schema
 * takes a null, the null stays: it empties the field. Does not change the object that the client sent.
 */
function clean(input: unknown, schema: ObjectSchema, isBody: boolean): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const cleaned: Record<string, unknown> = {}
  for (const [name, { anyOf, items, ...own }] of Object.entries(schema.properties ?? {})) {
    const { format, pattern } = [own, items ?? {}, ...(anyOf ?? [])].find((one) => one.format ?? one.pattern) ?? {}
    if (!Object.hasOwn(input, name)) continue
    const value = (input as Record<string, unknown>)[name]
    // Spaces at the ends of a password are part of it.
    const read = (one: unknown) =>
      given(isBody && pattern === line && typeof one === 'string' ? cleanLine(one) || one : one, format)
    const kept = Array.isArray(value) ? distinct(value.map(read)) : format === 'password' ? value : read(value)
    if (kept !== null && kept !== '') cleaned[name] = kept
    else if (anyOf?.some(({ type }) => type === 'null')) cleaned[name] = null
  }
  return cleaned
}

/** Query parameters are text: converts whole numbers and single values of lists if the schema requires them. */
function asTyped(query: Record<string, unknown>, { properties = {} }: ObjectSchema): Record<string, unknown> {
  const typed = (name: string, value: unknown) => {
    const type = properties[name]?.type
    if (typeof value !== 'string') return value
    if (type === 'array') return [value]
    return type === 'integer' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
  }
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, typed(name, value)]))
}

const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : value)

function given(value: unknown, format?: string): unknown {
  const clean = formatCleaners.get(format ?? '')
  const isCleaned = clean && typeof value === 'string' && value.length <= maxCleaned
  const text = trimmed(isCleaned ? clean(value) : value)
  return typeof text === 'string' && format !== 'name' && isBlank(text) ? '' : text
}

/** Control characters and broken Unicode do not count as blanks: they are rejected. */
const isBlank = (text: string) => !hasVisibleText(text) && !/[\p{Cc}\p{Cs}]/u.test(text)

const distinct = (values: unknown[]) => [...new Set(values)].filter((value) => value !== '')
