/**
 * Reads an EnvironmentFile of systemd. Throws an error that names every line whose meaning could be mistaken: systemd knows more ways
 * to quote than people expect.
 */
export function readSettings(text: string): Record<string, string> {
  const settings: Record<string, string> = {}
  const wrong: number[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*([#;].*)?$/.test(line)) continue
    const [, name, value] = /^\s*([A-Za-z_]\w*)=\s*(.*?)\s*$/.exec(line) ?? []
    const plain = value === undefined ? null : unquoted(value)
    if (name === undefined || plain === null) wrong.push(index + 1)
    else settings[name] = plain
  }
  if (wrong.length === 0) return settings
  const lines = wrong.length === 1 ? `Line ${wrong[0]}` : `Lines ${wrong.join(', ')}`
  throw new Error(`${lines}: write NAME=value, or NAME="value", without backslashes and without quotes in the value.`)
}

function unquoted(value: string): string | null {
  const inner = /^(["'])(.*)\1$/.exec(value)?.[2] ?? value
  return /["'\\]/.test(inner) ? null : inner
}
