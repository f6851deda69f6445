import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import { invalid, type Refusal } from './problem.ts'

const options = { allErrors: false, useDefaults: true, strict: true, allowUnionTypes: true } as const

/** Bodies are checked as they were sent: a null or a "12" must not become a number on the way (style 2.10). */
const asSent = withFormats(new Ajv({ ...options, coerceTypes: false }))
/** Path and query are text by nature. */
const fromText = withFormats(new Ajv({ ...options, coerceTypes: true }))

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A value that a format checks further than its pattern can: registered here, named in a schema. */
export type TextFormat = { name: string; holds: (text: string) => boolean; says: string }

const sayings = new Map([
  ['uuid', 'must be a UUID'],
  ['date', 'must be a date that exists, as YYYY-MM-DD'],
])

export function addFormat({ name, holds, says }: TextFormat) {
  for (const ajv of [asSent, fromText]) ajv.addFormat(name, holds)
  sayings.set(name, says)
}

function withFormats(ajv: Ajv): Ajv {
  formats.default(ajv, ['uuid'])
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

export function validateInput(app: FastifyInstance) {
  app.setValidatorCompiler<{ properties?: object }>(({ schema, httpPart }) => {
    const validate = (httpPart === 'body' ? asSent : fromText).compile(schema)
    return (input: unknown) => {
      const cleaned = httpPart === 'params' ? input : clean(input, schema)
      return validate(cleaned) ? { value: cleaned } : { error: refusalOf(validate) }
    }
  })
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      // Clients that name a content type with every request send DELETE with an empty body.
      if (body.length === 0 && request.method === 'DELETE') return done(null, undefined)
      done(null, JSON.parse(utf8.decode(body as Buffer)))
    } catch (error) {
      done(invalid(error instanceof SyntaxError ? 'The body is not valid JSON.' : 'The body is not valid UTF-8.'))
    }
  })
}

function refusalOf(validate: ValidateFunction): Refusal {
  const error = validate.errors![0]!
  if (error.keyword === 'type' && error.instancePath === '') return invalid('The body must be a JSON object.')
  const [field = ''] = error.instancePath.slice(1).split('/')
  const named = field || String(error.params.missingProperty ?? '')
  return invalid(`${named} ${sentenceOf(error)}.`, named)
}

function sentenceOf({ keyword, params, message, instancePath }: ErrorObject): string {
  const inList = instancePath.split('/').length > 2
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'enum':
      return `must be one of ${(params.allowedValues as string[]).join(', ')}`
    case 'minLength':
      return 'must not be empty'
    case 'maxLength':
      return `${inList ? 'may hold only texts of' : 'must be'} at most ${params.limit} characters`
    case 'maxItems':
      return `must be at most ${params.limit} values`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'type':
      return inList ? `may hold only ${params.type}s` : `must be ${articled(String(params.type))}`
    case 'pattern':
      return 'must not contain control characters or broken Unicode'
    case 'format':
      return sayings.get(params.format) ?? `must be a valid ${params.format}`
    default:
      return message ?? 'does not fit'
  }
}

const articled = (type: string) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`)

/**
 * Text is trimmed; what is null, empty or blank counts as not given (D7, D11). Only what the schema names is kept:
 * unknown fields are ignored. The object that the client sent stays as it was.
 */
function clean(input: unknown, schema: { properties?: object }): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const cleaned: Record<string, unknown> = {}
  for (const name of Object.keys(schema.properties ?? {})) {
    if (!Object.hasOwn(input, name)) continue
    const value = (input as Record<string, unknown>)[name]
    const kept = Array.isArray(value) ? value.map(trimmed).filter((item) => item !== '') : trimmed(value)
    if (kept !== null && kept !== '') cleaned[name] = kept
  }
  return cleaned
}

const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : value)
