import type { MessageDescriptor } from '@lingui/core'
import type { Language } from '../../platform/languages/contract.ts'
import { translate } from '../../platform/languages/translate.ts'
import { awayTexts } from '../availability/availability.ts'
import { limitToday, more, reasons } from '../distribution/reasons.ts'
import { leadFieldNames } from '../leads/fields.ts'
import { type Reader, readerOf, type Say, wordsReader } from './sentence-pattern.ts'
import { nameOf } from './summaries.ts'
import * as texts from './summary-texts.ts'

/** An entry of a timeline, as far as it has sentences. */
interface Entry {
  summary: string
  details?: {
    changes?: { field: string; before?: unknown; after?: unknown }[]
    not_taken?: { reason: string }[]
  }
}

/** Returns an entry with its sentences in a language. They are stored in English. */
export function translateEntry<Given extends Entry>(entry: Given, language: Language): Given {
  const { summary, details } = entry
  const read = translateSummary(summary, language)
  if (!details) return { ...entry, summary: read }
  const { changes, not_taken } = details
  return {
    ...entry,
    summary: read,
    details: {
      ...details,
      ...(changes && { changes: changes.map((change) => translateTimes(change, language)) }),
      ...(not_taken && {
        not_taken: not_taken.map((one) => ({ ...one, reason: translateBy(notTakenReason, one.reason, language) })),
      }),
    },
  }
}

/** Returns a stored sentence in a language. One that was not written by `summaries.ts`, or is cut, stays as it is. */
export const translateSummary = (summary: string, language: Language): string =>
  translateBy(readSummary, summary, language)

function translateBy(reader: Reader, text: string, language: Language): string {
  if (language === 'en') return text
  const say = reader(text)
  // What does not become the same sentence again was read in a wrong way.
  return say?.('en') === text ? say(language) : text
}

/** Times and durations are stored in words. */
function translateTimes<Change extends { field: string; before?: unknown; after?: unknown }>(
  change: Change,
  language: Language,
): Change {
  const reader = timesOf[nameOf(change.field)]
  if (!reader) return change
  const said = (value: unknown) => (typeof value === 'string' ? translateBy(reader, value, language) : value)
  return {
    ...change,
    ...('before' in change && { before: said(change.before) }),
    ...('after' in change && { after: said(change.after) }),
  }
}

const oneOf = (all: readonly MessageDescriptor[], readers?: Record<string, Reader>) => readerOf([all], readers)
const orElse =
  (first: Reader, second: Reader): Reader =>
  (text) =>
    first(text) ?? second(text)
const asItIs: Reader = (text) => () => text
const digits: Reader = (text) => (/^\d+$/.test(text) ? () => text : null)
const joinedBy =
  (separator: string, said: Say[]): Say =>
  (language) =>
    said.map((say) => say(language)).join(separator)

const senderReader = oneOf(Object.values(texts.senders))
const contact = wordsReader(texts.words.contact)
const matched: Reader = readWords(' and ', contact, (said) =>
  said.reduce((first, second) => (language) => {
    const values = { first: first(language), second: second(language) }
    return translate({ ...texts.both, values }, language)
  }),
)
const field: Reader = orElse(
  wordsReader(texts.words.field),
  wordsReader(leadFieldNames.map((name) => ({ id: nameOf(name), message: nameOf(name) }))),
)
const fields = readWords(', ', field, (said) => joinedBy(', ', said))

/** Fewer than these words are in a list: one of thousands is not ours. */
const maxWords = 100

function readWords(separator: string, word: Reader, join: (said: Say[]) => Say): Reader {
  return (text) => {
    const all = text.split(separator, maxWords + 1)
    const said = all.flatMap((one) => word(one) ?? [])
    return said.length === all.length && all.length <= maxWords ? join(said) : null
  }
}

const duration = oneOf(Object.values(texts.durationTexts), { minutes: digits, seconds: digits })

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** "5 Dec", "5 Dec 2027", "5 Dec 2027, 10:30" */
const time: Reader = (text) => {
  const [, day, name = '', year = '', clock = ''] =
    /^(\d{1,2}) ([A-Z][a-z]{2,3})( \d{4})?(, \d\d:\d\d)?$/.exec(text) ?? []
  const month = months.indexOf(name.slice(0, 3))
  const date = new Date(Date.UTC(2024, month, Number(day)))
  if (month < 0 || date.getUTCMonth() !== month) return null
  return (language) => {
    if (language === 'en') return text
    const written = new Intl.DateTimeFormat(`${language}-IN`, { day: 'numeric', month: 'short', timeZone: 'UTC' })
    return `${written.format(date)}${year}${clock}`
  }
}

const timesOf: Record<string, Reader> = { 'call again at': time, time, duration }
const valuesOf: Record<string, Reader> = {
  ...timesOf,
  status: wordsReader(texts.words.status),
  priority: wordsReader(texts.words.priority),
  type: wordsReader(texts.words.type),
  outcome: wordsReader(texts.words.outcome),
}
const none = wordsReader([texts.none])

const { values: valuesText, addedText, ...ownChanges } = texts.changeTexts
const ownChange = oneOf(Object.values(ownChanges))
const textAdded = oneOf([addedText], { field })
const changeOf = (name: string): Reader => {
  const value = orElse(orElse(none, valuesOf[name] ?? asItIs), asItIs)
  const own = oneOf([valuesText], { field, before: value, after: value })
  // With an arrow in a value it is not known which is which.
  const withArrows: Reader = (text) => {
    const label = text.includes(' → ') ? field(name) : null
    return label && ((language) => `${label(language)}${text.slice(name.length)}`)
  }
  return orElse(orElse(ownChange, textAdded), orElse(own, withArrows))
}

const changeReaders = new Map(
  [...leadFieldNames.map(nameOf), ...texts.words.field.map((text) => translate(text))].map((name) => [
    name,
    changeOf(name),
  ]),
)
const changeStarts = new RegExp(`, (?=(?:${[...changeReaders.keys()].join('|')}): )`)

/** "city: Pune → Goa, notes: added". Each field changes once. */
const changes: Reader = (text) => {
  const all = text.split(changeStarts, changeReaders.size + 1)
  const names = new Set(all.map((one) => one.slice(0, Math.max(one.indexOf(': '), 0))))
  if (names.size < all.length) return null
  const said = all.flatMap((one) => changeReaders.get(one.slice(0, Math.max(one.indexOf(': '), 0)))?.(one) ?? [])
  return said.length === all.length ? joinedBy(', ', said) : null
}

/** "Asha, Bela and 2 more" */
const who: Reader = oneOf([texts.both], { second: orElse(oneOf([more], { count: digits }), asItIs) })
const limit = oneOf([limitToday])
const reason = orElse(
  oneOf([...Object.values(awayTexts), reasons.noneAvailable, reasons.moreAreAway, reasons.allReachedLimit], {
    date: time,
    count: digits,
    limit,
  }),
  orElse(
    oneOf([reasons.haveReachedLimit], { who: orElse(who, asItIs), limit }),
    oneOf([reasons.hasReachedLimit, reasons.allReachedLimits], { limit }),
  ),
)

/** So many pieces that end in a full stop are one sentence at most: names may have some. */
const maxPieces = 12
const maxReasons = 30

const because: Reader = (text) => {
  const pieces = text.split(/(?<=\.) /, maxPieces * maxReasons)
  const said: Say[] = []
  for (let from = 0; from < pieces.length; ) {
    let read: Say | null = null
    let to = from
    while (!read && to < Math.min(from + maxPieces, pieces.length)) read = reason(pieces.slice(from, ++to).join(' '))
    if (!read || said.length === maxReasons) return null
    said.push(read)
    from = to
  }
  return joinedBy(' ', said)
}
/** Not a text to translate: only a place for reasons. */
const becauseText: MessageDescriptor = { id: 'because', message: '{because}' }

const call: Reader = oneOf([texts.sentences.call], {
  type: wordsReader(texts.words.type),
  outcome: wordsReader(texts.words.outcomeInSentence),
  duration,
})

const readers = {
  sender: senderReader,
  by: orElse(wordsReader([texts.commandLine]), asItIs),
  matched,
  changes,
  fields,
  contact,
  because,
  limit,
  call,
  time,
}

const all = texts.sentences
const alone = [
  all.claimed,
  all.answered,
  all.passedOn,
  all.mergedLead,
  all.mergeUndone,
  all.unmerged,
  all.unmergedFromNamed,
  all.changedBy,
  all.contactElsewhere,
  all.hiddenSubmission,
  all.hiddenSubmissionBefore,
  all.reassigned,
  all.ownerRemoved,
  all.call,
  all.callLogged,
  all.callChanged,
  all.callMoved,
  all.callMovedHere,
  all.callDeleted,
  all.whatsAppOpened,
  all.whatsAppOpenedWith,
]
const byRule = [all.assignedByRule, all.assignedAsFallback, all.offered]
/** Where no rule assigns the lead, the reasons begin with why. */
const ofNone = [reasons.noneAvailable, reasons.allReachedLimit, reasons.allReachedLimits]
const unclaimed = [all.notClaimed, all.notClaimedWithin]
const changed = [all.nothingChanged, all.changed]
const callReaders = {
  type: wordsReader(texts.words.type),
  outcome: wordsReader(texts.words.outcomeInSentence),
  duration,
}

/** Reads what `summaries.ts` writes. */
export const readSummary: Reader = [
  readerOf([[all.created], [...byRule, all.unassigned], [undefined, becauseText]], readers),
  readerOf([[all.created], [all.assigned], ofNone, [undefined, becauseText]], readers),
  readerOf([[all.created], [all.assigned]], readers),
  readerOf([unclaimed, [...byRule, all.staysUnassigned], [undefined, becauseText]], readers),
  readerOf([unclaimed, [all.assigned], ofNone, [undefined, becauseText]], readers),
  readerOf([unclaimed, [all.assigned]], readers),
  readerOf(
    [[all.merged, all.mergedLead, all.mergedNamedLead], changed, [undefined, all.notesFull], [undefined, all.notTaken]],
    readers,
  ),
  readerOf([[all.merged]], readers),
  readerOf([[all.importUndone], [all.takenBack]], readers),
  readerOf([[all.mergeUndone, all.namedMergeUndone], changed], readers),
  readerOf([[all.callMovedHere], [all.corrected]], readers),
  readerOf([alone], { ...readers, ...callReaders }),
].reduce(orElse)

const notTakenReason = oneOf(Object.values(texts.reasonTexts), { maxTags: digits, maxOtherContacts: digits })
