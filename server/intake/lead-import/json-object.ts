/** Parses a JSON object, as a parameter of a URL has it. Undefined if it is none. */
export function jsonObjectIn(text: string): Record<string, unknown> | undefined {
  try {
    const given: unknown = JSON.parse(text)
    return typeof given === 'object' && given !== null && !Array.isArray(given)
      ? (given as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
