// biome-ignore lint/suspicious/noExplicitAny: parts of an OpenAPI object
type Any = any

/** Returns a Postman collection of the operations in an API description, with their sample bodies. */
export function postmanCollection({ info, paths }: Any): object {
  const folders = new Map<string, object[]>()
  for (const [path, methods] of Object.entries<Any>(paths)) {
    for (const [method, operation] of Object.entries<Any>(methods)) {
      const [folder] = operation.tags
      folders.set(folder, [...(folders.get(folder) ?? []), ...requestsOf(path, method, operation)])
    }
  }
  const token = [{ key: 'token', value: '{{apiKey}}', type: 'string' }]
  const values = { baseUrl: 'http://127.0.0.1:8080', apiKey: 'le_live_…', token: '', id: '' }
  return {
    info: {
      name: info.title,
      description: info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: token },
    variable: Object.entries(values).map(([key, value]) => ({ key, value })),
    item: [...folders].map(([name, item]) => ({ name, item })),
  }
}

/** One for each sample body. */
function requestsOf(path: string, method: string, operation: Any): object[] {
  const content = operation.requestBody?.content['application/json']
  const samples: [string, Any][] = content ? Object.entries(content.examples) : [['', {}]]
  return samples.map(([sample, { value }]) => ({
    name: sample ? `${operation.summary}: ${sample}` : operation.summary,
    request: {
      method: method.toUpperCase(),
      description: operation.description,
      ...(operation.security.length === 0 ? { auth: { type: 'noauth' } } : {}),
      header: [
        ...(value ? [{ key: 'Content-Type', value: 'application/json' }] : []),
        ...parametersIn('header', operation).map((one) => ({ ...one, value: '{{$guid}}' })),
      ],
      url: urlOf(path, operation),
      ...(value ? { body: { mode: 'raw', raw: JSON.stringify(withId(value), null, 2) } } : {}),
    },
  }))
}

const withId = (body: Any) => (body.lead_id ? { ...body, lead_id: '{{id}}' } : body)

/** Values of the path are variables of the collection. Parameters of the query are there, and off. */
function urlOf(path: string, operation: Any): object {
  const steps = path.slice(1).replaceAll('{', '{{').replaceAll('}', '}}')
  return {
    raw: `{{baseUrl}}/${steps}`,
    host: ['{{baseUrl}}'],
    path: steps.split('/'),
    query: parametersIn('query', operation).map((one) => ({ ...one, disabled: true })),
  }
}

const parametersIn = (place: string, { parameters = [] }: Any) =>
  parameters
    .filter((one: Any) => one.in === place)
    .map(({ name, description = '', example, schema }: Any) => ({
      key: name,
      value: String(example ?? schema.default ?? ''),
      description,
    })) as { key: string; value: string; description: string }[]
