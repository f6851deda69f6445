import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

/** Fonts with the characters and weights that the app uses, as `#fonts/fonts.css`. The browser loads each file when it shows one of its characters. */
export const fonts: Plugin = {
  name: 'fonts',
  config: async () => ({ resolve: { alias: { '#fonts': await writeFonts() } } }),
}

interface Face {
  family: string
  name: string
  file: string
  /** The characters of the file, as in CSS. */
  range: string
}

const fileOf = (url: string) => fileURLToPath(url)
const inter = 'Inter Variable'
const interLatin = fileOf(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'))
const interMore = fileOf(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2'))
const devanagari = fileOf(
  import.meta.resolve(
    '@fontsource-variable/noto-sans-devanagari/files/noto-sans-devanagari-devanagari-wght-normal.woff2',
  ),
)
const mono = fileOf(
  import.meta.resolve('@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2'),
)

/** What English texts have. */
const usual =
  'U+0020-007E,U+00A0,U+00B1,U+00B7,U+00D7,U+2013-2014,U+2018-2019,U+201C-201D,U+2022,U+2026,U+203A,U+2190-2193,U+2212'

/** Other scripts and rare letters are shown in a font of the device. */
const faces: Face[] = [
  { family: inter, name: 'inter', file: interLatin, range: usual },
  { family: inter, name: 'inter-rupee', file: interMore, range: 'U+20B9' },
  {
    family: inter,
    name: 'inter-accents',
    file: interLatin,
    range: 'U+00A1-00AF,U+00B2-00B6,U+00B8-00D6,U+00D8-00FF,U+0152-0153,U+20AC,U+2122',
  },
  { family: inter, name: 'inter-latin-ext', file: interMore, range: 'U+0100-0151,U+0154-017F,U+1E00-1E9F' },
  {
    family: 'Noto Sans Devanagari Variable',
    name: 'noto-sans-devanagari',
    file: devanagari,
    // Without letters of Sanskrit and Sindhi, whose conjuncts take a quarter of the file.
    range:
      'U+0901-0903,U+0905-090B,U+090D,U+090F-0911,U+0913-0928,U+092A-0933,U+0935-0939,U+093C-093D,U+093E-0943,U+0945,U+0947-0949,U+094B-094D,U+0950,U+0958-095F,U+0964-0970,U+0972,U+200C-200D,U+25CC',
  },
  {
    family: 'JetBrains Mono Variable',
    name: 'jetbrains-mono',
    file: mono,
    range: `${usual},U+00A1-00AF,U+00B8-00D6,U+00D8-FF`,
  },
]

/** Fonts of the theme have no other weights. */
const weights = { min: 400, max: 700 }

/** Writes them once for each version of this file and of the packages. */
async function writeFonts(): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(import.meta.filename))
  for (const { file } of faces) hash.update(readFileSync(file))
  const folder = join(import.meta.dirname, '../../../node_modules/.cache/fonts', hash.digest('hex').slice(0, 12))
  if (existsSync(folder)) return folder
  mkdirSync(dirname(folder), { recursive: true })
  const draft = mkdtempSync(`${folder}-`)
  for (const { name, file, range } of faces) {
    const options = { targetFormat: 'woff2', variationAxes: { wght: weights } } as const
    writeFileSync(join(draft, `${name}.woff2`), await subsetFont(readFileSync(file), charactersOf(range), options))
  }
  writeFileSync(join(draft, 'fonts.css'), faces.map(cssOf).join('\n'))
  try {
    renameSync(draft, folder)
  } catch (error) {
    // Another build wrote the same meanwhile.
    rmSync(draft, { recursive: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

function charactersOf(range: string): string {
  const codes = range.split(',').flatMap((part) => {
    const [first = 0, last = first] = part
      .replace('U+', '')
      .split('-')
      .map((code) => Number.parseInt(code, 16))
    return Array.from({ length: last - first + 1 }, (_, place) => first + place)
  })
  return String.fromCodePoint(...codes)
}

const cssOf = ({ family, name, range }: Face) => `@font-face {
  font-family: '${family}';
  font-style: normal;
  font-display: swap;
  font-weight: ${weights.min} ${weights.max};
  src: url(./${name}.woff2) format('woff2');
  unicode-range: ${range};
}
`
