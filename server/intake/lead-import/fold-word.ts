/**
 * Returns a word as it is compared: people leave out the dot of ज़, and write a half nasal or the sign for it, and programs add joiners.
 */
export const foldWord = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u093c\u200c\u200d]/g, '')
    .replace(/[ङञणनम]\u094d(?=[क-म])/g, '\u0902')
    .replaceAll('\u0901', '\u0902')
