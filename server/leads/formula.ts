/**
 * Matches text that a spreadsheet may read as a formula: a character that starts one, also in its wide form, with nothing
 * visible before it. Some programs skip spaces, control characters and characters of no width.
 */
export const startsFormula = /^(?:[\s\p{Cc}\p{Cf}\p{DI}]*[=+\-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}]|[\t\r])/u
