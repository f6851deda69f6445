/**
 * What a spreadsheet may take for a formula: a sign that starts one, also in its wide form, with nothing visible before
 * it; some programs skip spaces, control characters and characters of no width.
 */
export const startsFormula = /^(?:[\s\p{Cc}\p{Cf}\p{DI}]*[=+\-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}]|[\t\r])/u
