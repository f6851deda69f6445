import { placeholders } from './contract.ts'

/** Returns what a text has in braces and nothing would be filled in for: a lead would read it. */
export function unknownPlaceholder(text: string): string | null {
  const named = text.match(/\{[^{}\n]{1,40}\}/g) ?? []
  return named.find((one) => !placeholders.some((known) => one.toLowerCase() === `{${known}}`)) ?? null
}
