/** Whether a text is short and printable, and so harmless when it is sent back. */
export function isChallenge(text: unknown): text is string {
  return typeof text === 'string' && /^[\x20-\x7e]{1,1000}$/.test(text)
}
