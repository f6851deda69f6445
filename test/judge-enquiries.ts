import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Consent, OriginPart, Statement } from '../server/crm/enquiries/contract.ts'
import { readPayloadSync } from '../server/intake/payload/reading.ts'

/** A payload with what a careful person finds in it, written before it was read. */
export interface LabelledEnquiry {
  name: string
  /** `everyday` was known to the rules, and each `unseen` set was not when it was written. */
  set: string
  platform: string
  payload: Record<string, unknown>
  expected: {
    answers: [question: string, answer: string][]
    origin: Partial<Record<OriginPart, string>>
    consent: (Partial<Consent> & { do_not_call?: string | boolean }) | null
    /** What no person typed. */
    not_shown: unknown[]
    /** Values that may be in several places, or in none. */
    either?: [question: string, value: string, places: string[]][]
  }
}

export const labelledEnquiries = (): LabelledEnquiry[] =>
  gunzipSync(readFileSync(new URL('./enquiries.jsonl.gz', import.meta.url)))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** How many of each there are, and how many are read right; of `shown`, all answers, and those that are expected. */
type Tally = Record<'answers' | 'shown' | 'origin' | 'ids' | 'consent', { all: number; right: number }>

export const newTally = (): Tally => ({
  answers: { all: 0, right: 0 },
  shown: { all: 0, right: 0 },
  origin: { all: 0, right: 0 },
  ids: { all: 0, right: 0 },
  consent: { all: 0, right: 0 },
})

const plain = (value: unknown) =>
  String(value ?? '')
    .toLowerCase()
    .replace(/[\s_\-–—?:*.,]+/g, ' ')
    .trim()

const isYes = (text: unknown) =>
  /^(yes|true|1|on|accepted|agreed|checked|y|हाँ|हां|होय|હા|ਹਾਂ|হ্যাঁ|ହଁ|ஆம்|అవును|ಹೌದು|അതെ)$/i.test(String(text))
const isNo = (text: unknown) => /^(no|false|0|नहीं|नाही|ના|ਨਹੀਂ|না|ନା|இல்லை|కాదు|ಇಲ್ಲ|ഇല്ല)$/i.test(String(text))
const isId = (part: string) => /cl?k?id$|braid$|^fb[cp]$|^(li_fat_id|lead_id)$/.test(part)

/** Counts what of a payload is read as expected, and returns what is not. */
export function judge({ payload, expected }: LabelledEnquiry, tally: Tally): string[] {
  const problems: string[] = []
  const body = Buffer.from(JSON.stringify(payload))
  const read = readPayloadSync({ body, content_type: 'application/json', mapping: [], country: 'IN' })
  if ('problem' in read) throw new Error(read.problem)
  const { enquiry, lead } = read.reading
  const count = (kind: keyof Tally, isRight: boolean, problem: string) => {
    tally[kind].all++
    if (isRight) tally[kind].right++
    else problems.push(problem)
  }
  const inLead = plain(JSON.stringify(lead))
  const got = enquiry.answers.map(({ question, answer }) => [plain(question), plain(answer)] as const)
  const isLike = (one: string, other: string) => one.includes(other) || other.includes(one)
  for (const [question, answer] of expected.answers) {
    const [asked, said] = [plain(question), plain(answer)]
    const isKept = got.some(([q, a]) => a === said || (said !== '' && a.includes(said) && isLike(q, asked)))
    count('answers', isKept || inLead.includes(said), `lost: ${question} = ${answer}`)
  }
  const wanted = expected.answers.map(([question, answer]) => [plain(question), plain(answer)] as const)
  const isEither = (answer: string) => expected.either?.some(([, value]) => plain(value) === answer) === true
  for (const [question, answer] of got) {
    if (isEither(answer)) continue
    const isWanted = wanted.some(([q, a]) => a === answer || (answer.includes(a) && isLike(q, question)))
    count('shown', isWanted, `not expected: ${question} = ${answer}`)
  }
  for (const [part, value] of Object.entries(expected.origin)) {
    const found = enquiry.origin[part as OriginPart]
    count(isId(part) ? 'ids' : 'origin', plain(found) === plain(value), `${part}: ${found}, expected ${value}`)
  }
  for (const statement of expected.consent?.statements ?? []) {
    const isFound = enquiry.consent?.statements.some((one) => isSame(one, statement)) === true
    count('consent', isFound, `consent: expected ${JSON.stringify(statement)}, got ${JSON.stringify(enquiry.consent)}`)
  }
  for (const part of ['at', 'page', 'do_not_call'] as const) {
    const value = expected.consent?.[part]
    if (!value || /^(0|no|false|n)$/i.test(String(value))) continue
    const found = enquiry.consent?.[part]
    count('consent', part === 'do_not_call' ? found !== undefined : plain(found) === plain(value), `${part}: ${found}`)
  }
  return problems
}

function isSame(found: Statement, { text, choice }: Statement): boolean {
  const isChosen =
    choice === null ||
    plain(found.choice) === plain(choice) ||
    (isYes(choice) && isYes(found.choice)) ||
    (isNo(choice) && isNo(found.choice))
  return isChosen && (text === null || plain(found.text).includes(plain(text)))
}
