import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '#test/database.ts'
import { folded } from './contract.ts'

const { owner, close } = await testDatabase()
after(close)

const blocks: [name: string, from: number, to: number][] = [
  ['Latin', 0x20, 0x24f],
  ['marks', 0x2b0, 0x36f],
  ['Arabic', 0x600, 0x6ff],
  ['scripts of India', 0x900, 0xd7f],
  ['more of Latin', 0x1e00, 0x1eff],
  ['punctuation', 0x2000, 0x206f],
  ['ligatures and other forms', 0xfb00, 0xfdff],
  ['full-width and others', 0xfe00, 0xfffd],
]
const scripts = [0x900, 0x980, 0xa00, 0xa80, 0xb00, 0xb80, 0xc00, 0xc80, 0xd00]

/** Characters that this Unicode and that of the database may both know. */
const isKnown = (character: string) => /\P{Cn}/u.test(character)

for (const [name, from, to] of blocks)
  test(`the app folds as the database does: ${name}`, async () => {
    const texts = Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at))
      .filter(isKnown)
      .flatMap((one) => [
        one,
        `a${one}b c${one}`,
        // Between consonants, before and after a virama, of each script.
        ...scripts.map((block) => {
          const [ka = '', na = '', virama = ''] = [0x15, 0x28, 0x4d].map((at) => String.fromCodePoint(block + at))
          return `${ka}${one}${ka} ${one}${virama}${ka} ${na}${virama}${one} ${na}${one}${virama}`
        }),
      ])
    const rows = await owner<{ key: string }[]>`
      select search_key(text) as key from unnest(${texts}::text[]) with ordinality as given (text, place) order by place`
    const differing = texts.filter((text, at) => rows[at]!.key !== folded(text))
    assert.deepEqual(
      differing.slice(0, 5).map((text) => JSON.stringify(text)),
      [],
    )
  })

test('folding a folded text changes nothing', async () => {
  const texts = ['चन्द्र', 'Kumār', 'മോഹൻദാസ്', 'D’Souza', 'বিশ্বজিৎ', 'ਸਿੰਘ', 'கௌதம்', 'ॐ प्रकाश', 'फ़िरोज़ १२']
  for (const text of texts) assert.equal(folded(folded(text)), folded(text))
})
