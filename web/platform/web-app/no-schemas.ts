/**
 * Takes the place of typebox in the browser, which needs the words and types of contracts and checks nothing by their schemas. Every
 * schema is this one, and so is every part of it.
 */
const schema: unknown = new Proxy(() => schema, { get: () => schema })

export const Type = schema
