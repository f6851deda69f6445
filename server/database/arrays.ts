/**
 * Types for one-dimensional arrays of text and uuid; other arrays are sent as text and cast. Otherwise the driver would
 * query the types on every new connection, and a connection lost at that moment would end the process.
 */
export const arrayTypes = {
  texts: { to: 1009, from: [1009], serialize, parse },
  ids: { to: 2951, from: [2951], serialize, parse },
}

function serialize(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`
}

/** Quotes values that contain special characters. */
function parse(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|([^{},"]+)/gs)].map(
    ([, quoted, bare]) => quoted?.replaceAll(/\\(.)/gs, '$1') ?? bare!,
  )
}
