/** The blocks of Unicode of Devanagari, Bengali, Gurmukhi, Gujarati, Odia, Tamil, Telugu, Kannada and Malayalam, whose letters have the same order. */
const [devanagari, bengali, gurmukhi, tamil] = [0x900, 0x980, 0xa00, 0xb80]
const scripts = [devanagari, bengali, gurmukhi, 0xa80, 0xb00, tamil, 0xc00, 0xc80, 0xd00]

/** How sounds in Latin letters are written, in Devanagari. A key has one virama and one anusvara for all scripts. */
const consonants: Record<string, string> = {
  ...{ chh: 'छ च', ngh: 'ंघ ंह', dny: 'ज्ञ', gy: 'ग्य ज्ञ', jn: 'ज्ञ ज्न', zh: 'ऴ झ', ch: 'च छ', kh: 'ख', gh: 'घ', jh: 'झ' },
  ...{ th: 'थ ठ त', dh: 'ध ढ', ph: 'फ', bh: 'भ', sh: 'श ष', k: 'क', q: 'क', c: 'क', g: 'ग', j: 'ज', z: 'ज', t: 'त ट' },
  ...{ d: 'द ड', n: 'न ण ञ ङ ं ऩ', m: 'म ं', p: 'प', f: 'फ', b: 'ब', v: 'व', w: 'व', y: 'य', r: 'र ऱ ड ढ', l: 'ल ळ ऴ' },
  ...{ s: 'स श ष', h: 'ह', x: 'क्स क्ष' },
}
/** After a consonant, which has a short a where nothing else is written. */
const signs: Record<string, string> = {
  ...{ aa: 'ा', ai: 'ै ाइ ाई ाय य', au: 'ौ ाउ ाऊ ाव', ee: 'ी ि', ei: 'े ै', ii: 'ी ि', oo: 'ू ु ो', ou: 'ौ ो ू' },
  ...{ ow: 'ौ ोव', uu: 'ू ु', a: ' ा', i: 'ि ी', u: 'ु ू', e: 'े ै ॆ', o: 'ो ौ ॉ ॊ' },
}
/** At the beginning of a word, or after another vowel. */
const letters: Record<string, string> = {
  ...{ aa: 'आ', ai: 'ऐ अइ आई', au: 'औ अउ', ee: 'ई इ', ei: 'ए ऐ', ii: 'ई इ', oo: 'ऊ उ ओ', ou: 'औ ओ' },
  ...{ ow: 'औ', uu: 'ऊ उ' },
  ...{ a: 'अ आ', i: 'इ ई', u: 'उ ऊ', e: 'ए ऐ ऎ', o: 'ओ औ ऑ ऒ' },
}
/** Also, after another vowel: राव and राय are Rao and Rai. */
const glides: Record<string, string> = { a: 'य या व वा', i: 'य यि यी', u: 'व वु', e: 'य ये', o: 'व वो यो' }
/** After a consonant, also as the one vowel that Indian scripts have for it. In Tamil, a vowel comes before it. */
const vocalicR: Record<string, string> = { ri: 'ृ ्रि ्री रि री िरु िरि िरी', ru: 'ृ ्रु ्रू रु रू' }

/** The plosives of Tamil are written alike, whether they are voiced, aspirated or neither. */
const inTamil: Record<string, string> = {
  ...{ ख: 'क', ग: 'क', घ: 'क', छ: 'च', ज: 'जच', झ: 'च', ठ: 'ट', ड: 'ट', ढ: 'ट', थ: 'त', द: 'त', ध: 'त' },
  ...{ फ: 'प', ब: 'प', भ: 'प', श: 'सच', स: 'सच' },
}
const inBengali: Record<string, string> = { ज: 'जय', व: 'ब' }
/** Written as sa with a nukta, which keys leave out. */
const inGurmukhi: Record<string, string> = { श: 'स' }
const lettersOf: Record<number, Record<string, string>> = {
  [bengali]: inBengali,
  [gurmukhi]: inGurmukhi,
  [tamil]: inTamil,
}

/** Returns for each sound of a word in Latin letters how it may be written, in Devanagari; null for other and short words. */
function soundsOf(word: string): string[][] | null {
  const text = word.toLowerCase()
  if (!/^[a-z]{3,20}$/.test(text)) return null
  const sounds: string[][] = []
  let before: 'start' | 'vowel' | 'consonant' = 'start'
  const add = (written: string) => sounds.push(written.split(' '))
  for (let at = 0; at < text.length; ) {
    const next = (table: Record<string, string>) =>
      [3, 2, 1].map((length) => text.slice(at, at + length)).find((part) => Object.hasOwn(table, part))
    const vowel = next(letters)
    const r = next(vocalicR)
    if (r && before === 'consonant') {
      add(vocalicR[r]!)
      before = 'vowel'
      at += r.length
    } else if (vowel) {
      if (before === 'consonant') add(signs[vowel]!)
      else add(before === 'vowel' ? `${letters[vowel]} ${glides[vowel] ?? ''}`.trim() : letters[vowel]!)
      before = 'vowel'
      at += vowel.length
    } else if (text.slice(at) === 'y' && before === 'consonant') {
      add('ि ी य ्य')
      at++
    } else {
      const part = next(consonants)!
      const written = consonants[part]!.split(' ')
      if (before === 'consonant') sounds.push(['', '्'])
      const isDouble = part.length === 1 && text[at + 1] === part
      sounds.push(isDouble ? written.flatMap((one) => [one, `${one}्${one}`, `ं${one}`, `ੱ${one}`]) : written)
      before = 'consonant'
      at += isDouble ? 2 : part.length
    }
  }
  return sounds
}

/** Returns how letters of Devanagari are written in another script. */
function inScript(written: string, script: number): string[] {
  const others = lettersOf[script] ?? {}
  return [...written].reduce<string[]>(
    (prefixes, letter) => {
      const code = letter.charCodeAt(0)
      const isShared = letter === '्' || letter === 'ं' || code > 0x97f
      const same = isShared ? [letter] : [...(others[letter] ?? letter)].map((one) => moved(one, script))
      return prefixes.flatMap((text) => same.map((one) => text + one))
    },
    [''],
  )
}

const moved = (letter: string, script: number) => String.fromCharCode(letter.charCodeAt(0) - devanagari + script)

/** Returns a regular expression for keys of names in Indian scripts with a word that begins so; null if there is none. */
export function indianPattern(word: string): string | null {
  const sounds = soundsOf(word)
  if (!sounds) return null
  const parts = sounds.map((written) => {
    const all = [...new Set(scripts.flatMap((script) => written.flatMap((one) => inScript(one, script))))]
    const single = all.filter(({ length }) => length === 1).join('')
    const choices = [...all.filter(({ length }) => length > 1), ...(single ? [`[${single}]`] : [])]
    return `(?:${choices.join('|')})${all.includes('') ? '?' : ''}`
  })
  return `(?:^| )${parts.join('')}`
}

/** In each script. */
const maxBeginnings = 60

/** Returns how keys of such names begin, as far as these are few. */
export function indianBeginnings(word: string): string[] {
  const sounds = soundsOf(word) ?? []
  return scripts.flatMap((script) => {
    let prefixes = ['']
    for (const written of sounds) {
      const next = prefixes.flatMap((text) => written.flatMap((one) => inScript(one, script)).map((one) => text + one))
      if (next.length > maxBeginnings) break
      prefixes = [...new Set(next)]
    }
    return prefixes.filter((text) => text !== '')
  })
}
