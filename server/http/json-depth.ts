/** Lists and objects in each other. Bodies of routes have a few; code that follows thousands overflows the stack. */
const deepest = 64

const [quote, backslash, openList, openObject, closeList, closeObject] = Buffer.from('"\\[{]}')

/** Returns whether JSON has more lists and objects in each other than any body of a route needs. Need not be valid JSON. */
export function isTooDeep(json: Buffer): boolean {
  let depth = 0
  let inText = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (inText) {
      if (byte === backslash) at++
      else if (byte === quote) inText = false
    } else if (byte === quote) inText = true
    else if (byte === openList || byte === openObject) {
      if (++depth > deepest) return true
    } else if (byte === closeList || byte === closeObject) depth--
  }
  return false
}
