/** What leaves a mark on paper. Unicode counts some fillers and blanks among letters and symbols: they leave none. */
const mark = /(?![\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}])[\p{L}\p{N}\p{P}\p{S}]/u

/** Whether a reader sees anything: spaces, joiners, fillers, direction marks and accents alone are nothing. */
export const hasVisibleText = (text: string) => mark.test(text)
