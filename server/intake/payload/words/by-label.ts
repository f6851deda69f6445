/** Only the beginning of a longer label is read. */
const maxLabelLength = 200

/** Returns `read` with a memory of its results, for at most so many labels. */
export function rememberedByLabel<Result>(
  read: (label: string) => Result,
  maxRemembered: number,
): (label: string) => Result {
  const results = new Map<string, Result>()
  return (label) => {
    // A copy: a cached slice would keep the whole text in memory.
    const key =
      label.length > maxLabelLength ? Buffer.from(label.slice(0, maxLabelLength), 'utf16le').toString('utf16le') : label
    const known = results.get(key)
    if (known !== undefined) return known
    const result = read(key)
    if (results.size > maxRemembered) results.clear()
    results.set(key, result)
    return result
  }
}
