/** Visible characters. Unicode classifies some invisible fillers and blanks as letters and symbols: they are excluded. */
const mark = /(?![\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}])[\p{L}\p{N}\p{P}\p{S}]/u

/** Returns a text with its line breaks as newlines and without other control characters, which the database does not store. */
export const withoutControls = (text: string) =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]+/gu, ' ')

/** Returns whether anything is visible: not only spaces, joiners, fillers, direction marks or accents. */
export const hasVisibleText = (text: string) => mark.test(text)
