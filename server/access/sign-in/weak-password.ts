import { msg } from '@lingui/core/runtime-macro'
import type { Text } from '../../platform/languages/translate.ts'

/** Words of the most guessed passwords, in lower case. */
const common = new Set(
  `password passwort passw passphrase secret letmein welcome admin administrator root login user guest test testing
  changeme default master access hello iloveyou love lovely princess sunshine dragon monkey football cricket baseball
  superman batman starwars qwerty qwertyuiop qwertz azerty asdf asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc
  abc abcd abcdef trustno computer internet samsung google facebook whatsapp company business sales lead leads
  leadengine engine crm india bharat mumbai delhi bangalore bengaluru chennai kolkata hyderabad pune krishna ganesh
  sairam omsairam jaihind shiva mother father family jesus michael charlie jordan ashley summer winter spring autumn
  monday january december temp temporary new mypassword newpassword yourpassword pass word forgot manager agent team
  office support customer service demo example sample please enter your my the is this`.split(/\s+/),
)

const rows = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qazwsxedcrfvtgbyhnujm',
]
const runs = rows.flatMap((row) => [row.repeat(3), [...row].reverse().join('').repeat(3)])

/**
 * Says what makes a password easy to guess, or returns null. `own` is the email, name and account of the user.
 */
export function findWeakness(password: string, own: string[]): Text | null {
  const text = password.normalize('NFKC').toLowerCase().trim()
  if (new Set(text).size < 5) return msg`The password needs at least 5 different characters.`
  if (/^(.{1,6})\1+.{0,5}$/su.test(text)) return msg`The password repeats itself. Use several unrelated words.`
  if (isRun(text)) return msg`The password is a sequence of keys. Use several unrelated words.`
  const left = without(text, own.flatMap(partsOf))
  if (left !== text && left.replace(/[^\p{L}\p{N}]/gu, '').length < 6)
    return msg`The password is made of your own email, name or account. Use several unrelated words.`
  if (isCommon(text)) return msg`The password is too common. Use several unrelated words.`
  return null
}

/** Sequences of four or more keys, with few other characters. */
function isRun(text: string): boolean {
  let outside = 0
  for (let at = 0; at < text.length; ) {
    let length = Math.min(text.length - at, 26)
    while (length >= 4 && !runs.some((run) => run.includes(text.slice(at, at + length)))) length--
    if (length >= 4) at += length
    else {
      outside++
      at++
    }
  }
  return outside < 4
}

/** The email, name and company, and their words. */
const partsOf = (own: string) =>
  [own, own.replace(/\s/g, ''), ...own.split('@'), ...own.split(/[^\p{L}\p{N}]+/u)].filter((part) => part.length >= 3)

function without(text: string, parts: string[]): string {
  const known = parts
    .map((part) => part.normalize('NFKC').toLowerCase())
    .sort((one, other) => other.length - one.length)
  return known.reduce((rest, part) => rest.replaceAll(part, ''), text)
}

const lookalikes: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '0': 'o',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  $: 's',
  '5': 's',
  '7': 't',
}

/** Only common words, with digits and symbols around them or instead of letters. */
function isCommon(text: string): boolean {
  const bare = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const spelled = [
    text,
    bare,
    ...[text, bare].map((one) => one.replace(/[@40313!$57]/g, (sign) => lookalikes[sign] ?? sign)),
  ]
  return spelled.some((one) => {
    const words = one.split(/[^\p{L}]+/u).filter(Boolean)
    return words.length > 0 && words.length <= 3 && words.every(isMadeOfCommon)
  })
}

/** One common word, or two in a row. */
const isMadeOfCommon = (word: string) =>
  common.has(word) ||
  Array.from({ length: Math.max(0, word.length - 1) }, (_, at) => at + 1).some(
    (at) => common.has(word.slice(0, at)) && common.has(word.slice(at)),
  )
