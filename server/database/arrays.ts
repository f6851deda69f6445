/**
 * PostgreSQL's lists of text and of ids, of one dimension; other lists are sent as text and cast. The driver would ask
 * the server for its types with every new connection, by a query whose failure nobody can catch: a connection lost just
 * then would end the process.
 */
export const arrayTypes = {
  texts: { to: 1009, from: [1009], serialize, parse },
  ids: { to: 2951, from: [2951], serialize, parse },
}

function serialize(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`
}

/** Quoted where a value has a sign in it that means something, bare otherwise. */
function parse(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|([^{},"]+)/gs)].map(
    ([, quoted, bare]) => quoted?.replaceAll(/\\(.)/gs, '$1') ?? bare!,
  )
}
