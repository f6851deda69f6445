/** Visible characters. Unicode classifies some invisible fillers and blanks as letters and symbols: they are excluded. */
const mark = /(?![\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}])[\p{L}\p{N}\p{P}\p{S}]/u

/** Returns whether anything is visible: not only spaces, joiners, fillers, direction marks or accents. */
export const hasVisibleText = (text: string) => mark.test(text)
