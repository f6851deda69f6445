import { isDeepStrictEqual } from 'node:util'
import { commonAnswers, commonHeaders } from './common-answers.ts'
import { Problem, publishedPatterns } from './contract.ts'
import type { AnswerDocs } from './describe.ts'

// biome-ignore lint/suspicious/noExplicitAny: parts of an OpenAPI object
type Any = any

/**
 * Completes the generated description with examples, headers and common errors, and writes schemas in the form that code
 * generators read best. A schema with a title is published once, under this name.
 */
export function publish(generated: object, requestsPerMinute: number): object {
  // Schemas are objects of a library, with more than JSON.
  const api: Any = JSON.parse(JSON.stringify(generated))
  const common = commonAnswers(requestsPerMinute)
  for (const item of Object.values<Any>(api.paths)) {
    for (const operation of Object.values<Any>(item)) complete(operation, common)
  }
  const responses = Object.entries(common).map(([status, { name, ...docs }]) => {
    const response = { content: { 'application/json': { schema: Problem } } }
    return [name, completed(response, docs, headersOf(status))]
  })
  const schemas: Record<string, Any> = {}
  const paths = published(api.paths, schemas)
  const shared = published(Object.fromEntries(responses), schemas)
  const operations = Object.values<Any>(paths).flatMap<Any>(Object.values)
  const bodies = operations.flatMap(({ requestBody }) => contentsOf(requestBody))
  const answers = [...operations.flatMap((one) => Object.values(one.responses)), ...Object.values(shared)]
  for (const schema of new Set(bodies.map((body) => resolved(body.schema, schemas)))) acceptNulls(schema)
  for (const { schema, examples } of [...bodies, ...answers.flatMap(contentsOf)])
    for (const { value } of Object.values<Any>(examples)) illustrate(schema, value, schemas)
  return { ...api, paths, components: { ...api.components, schemas, responses: shared, headers: commonHeaders } }
}

function complete(operation: Any, common: ReturnType<typeof commonAnswers>) {
  const { requests, requestBody, query = {}, answers } = operation['x-docs']
  delete operation['x-docs']
  if (requestBody) operation.requestBody = requestBody
  if (requests) operation.requestBody.content['application/json'].examples = named(requests)
  for (const [name, { description, ...schema }] of Object.entries<Any>(query))
    operation.parameters.push({ in: 'query', name, required: false, description, schema })
  const needsKey = operation.security.length > 0
  const inQuery = operation.parameters?.some((one: Any) => one.in === 'query') ?? false
  const namesUnknown = needsKey && (inQuery || operation.requestBody !== undefined)
  for (const [status, response] of Object.entries<Any>(operation.responses)) {
    operation.responses[status] = answers[status]
      ? completed(response, answers[status], headersOf(status, { needsKey, namesUnknown }))
      : { $ref: `#/components/responses/${common[Number(status)]!.name}` }
  }
}

/** Whether the request was counted against the rate limit of its key, which the headers then say. */
const isCounted = (status: string) => /^(2..|400|403|404|413|415|429)$/.test(status)

/** The headers that answers of any operation have. */
function headersOf(status: string, { needsKey = true, namesUnknown = false } = {}): string[] {
  const rateLimit = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
  return [
    'X-Request-Id',
    ...(status >= '400' ? ['Link'] : []),
    ...(needsKey && isCounted(status) ? rateLimit : []),
    ...(namesUnknown && /^(2..|400)$/.test(status) ? ['X-Unknown-Parameters'] : []),
  ]
}

function completed({ content }: Any, { description, examples, headers = [], text }: AnswerDocs, common: string[]) {
  return {
    description,
    headers: Object.fromEntries(
      [...common, ...headers].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ),
    content: {
      'application/json': { schema: content['application/json'].schema, examples: named(examples) },
      ...(text ? { 'text/plain': { schema: { type: 'string' }, examples: named(text) } } : {}),
    },
  }
}

const named = (examples: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]))

/** Returns a copy in which each schema with a title is a reference, and adds these to `schemas`. */
function published(value: Any, schemas: Record<string, Any>): Any {
  if (Array.isArray(value)) return value.map((part) => published(part, schemas))
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries<Any>(plain(value)).map(([key, part]) => [
    key,
    key === 'examples' ? part : published(part, schemas),
  ])
  const { title, ...schema } = Object.fromEntries(parts)
  if (typeof title !== 'string') return Object.fromEntries(parts)
  // The description of an object is about the object, that of a value about the place where it is used.
  const { description, ...undescribed } = schema
  const own = schema.type === 'object' ? schema : undescribed
  if (schemas[title] && !isDeepStrictEqual(schemas[title], own)) throw new Error(`Two schemas are named ${title}.`)
  schemas[title] = own
  const $ref = `#/components/schemas/${title}`
  return own === schema || description === undefined ? { $ref } : { $ref, description }
}

const contentsOf = (part: Any): Any[] => Object.values(part?.content ?? {})

const resolved = (schema: Any, schemas: Record<string, Any>): Any =>
  schema?.$ref ? schemas[schema.$ref.split('/').at(-1)] : schema

/** In a body, a null counts as not given: every property that may be left out may be null. */
function acceptNulls({ properties, required = [] }: Any) {
  for (const [name, property] of Object.entries<Any>(properties)) {
    if (required.includes(name)) continue
    const { $ref, type, ...rest } = property
    properties[name] = $ref ? { anyOf: [{ $ref }, { type: 'null' }], ...rest } : { ...rest, type: [type, 'null'] }
  }
}

/** Takes the values of a sample as examples of the properties that have none. */
function illustrate(reference: Any, sample: Any, schemas: Record<string, Any>) {
  const { properties = {}, items } = resolved(reference, schemas)
  if (Array.isArray(sample)) for (const element of sample) illustrate(items, element, schemas)
  else
    for (const [name, value] of Object.entries<Any>(sample)) {
      const property = properties[name]
      const [first] = [value].flat()
      if (!property || first === undefined || first === null) continue
      if (typeof first === 'object') illustrate(property, value, schemas)
      else if (!property.$ref && !property.anyOf) property.examples ??= [value]
    }
}

/** Formats that only this service knows. */
const ownFormats = ['name', 'phone', 'change-cursor']

/** Returns a schema in the form that generators know: null as a type, enums with a type, and simple patterns. */
function plain({ anyOf, ...schema }: Any): Any {
  if (anyOf?.length === 2 && anyOf[1].type === 'null') {
    const { type, ...one } = plain(anyOf[0])
    return { ...schema, ...one, type: [type, 'null'] }
  }
  if (anyOf) return { anyOf, ...schema }
  const { format, pattern } = schema
  return {
    ...schema,
    ...(Array.isArray(schema.enum) ? { type: 'string' } : {}),
    ...(typeof pattern === 'string' ? { pattern: publishedPatterns[pattern] ?? pattern } : {}),
    ...(ownFormats.includes(format) ? { format: undefined } : {}),
  }
}
