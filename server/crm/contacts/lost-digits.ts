/** Numbers that lost digits on their way: rounded by a spreadsheet (`9.82E+09`), masked (`98******10`), cut (`98200 00…`), or
 * hidden by a narrow column (`########`). */

/** `9.82E+09`, `9,82e9`, `9.82×10^9`. With as many digits as the number has, nothing is lost: `9.830000001E+09`. */
const exponential =
  /(?<![\p{L}\d.,])(\d{1,15})(?:[.,](\d{0,15}))?(?:\s*e\s*\+\s*|e|\s*[×x*·]\s*10\s*(?:\^|\*\*)?\s*\+?)0*(\d{1,2}|[⁰¹²³⁴-⁹]{1,2})(?![\p{L}\d])/giu

/** Digits and signs in place of digits. */
const maskable = /[+(]?[\dx*•●#?_…][\d\sx*•●#?_….()+-]{4,}/giu
const mask = /([x*•●#?_])[\s-]*\1|…|-{4}|(\.\.|---)\s*$/i
/** A whole number has so many: signs behind it mean something else. */
const fewestWhole = 10

/** Returns the text without such numbers, if it has any. Those in scientific notation that lost no digit are written out. */
export function readDigits(sent: string): { text: string; isLost: boolean } {
  if (!mayLose.test(sent)) return { text: sent, isLost: false }
  let isLost = false
  const lose = () => {
    isLost = true
    return ' '
  }
  const text = sent
    .replace(exponential, (_, whole: string, decimals = '', power: string) => {
      const places = Number(power.normalize('NFKC'))
      const isWhole = decimals.length >= places && !/[1-9]/.test(decimals.slice(places))
      return isWhole ? whole + decimals.slice(0, places) : lose()
    })
    .replace(maskable, (run) => (isMasked(run) ? lose() : run))
  return { text, isLost }
}

const mayLose = /[x*•●#?_…e×·]|\.\.|---/i

const isMasked = (run: string) => {
  const digits = run.replace(/\D/g, '').length
  return digits < fewestWhole && mask.test(run) && (digits > 0 || /[x*•●#]/i.test(run))
}
