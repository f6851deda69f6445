import type { LeadPriority, LeadStatus } from '../../crm/leads/contract.ts'
import { type Language, languages } from '../../platform/languages/contract.ts'
import { translateWord } from '../../platform/languages/translate.ts'
import { folded } from '../../platform/text/contract.ts'
import type { CallOutcome, CallType } from '../../telephony/calls/contract.ts'
import { directionIn, isWord, outcomeIn } from '../payload/call/call-words.ts'

/** What others call our statuses and priorities, beside their names in each language. Values that fit none are kept as answers. */
const statuses: Record<LeadStatus, string> = {
  New: `new, new lead, open, fresh, fresh lead, not contacted, open not contacted, uncontacted, untouched, unassigned,
    raw, incoming, inbox, नया, नई लीड`,
  Contacted: `contacted, attempted to contact, attempted, connected, in progress, in process, working, working contacted,
    follow up, followup, follow up required, call back, callback, call back later, callback later, call later,
    call again, call back requested, callback requested, call back scheduled, callback scheduled, contact in future, nurturing, nurture, engaged,
    contact made, interested, ringing, call not picked, not reachable, बात हुई, फॉलो अप`,
  Qualified: `qualified, pre qualified, prequalified, sales qualified, sales qualified lead, sql, mql, hot, hot lead,
    prospect, opportunity, open deal, demo scheduled, site visit scheduled, site visit done, visit done, योग्य`,
  Proposal: `proposal, proposal sent, proposal made, quotation, quotation sent, quote sent, negotiation, negotiations,
    negotiations started, in negotiation, proposal price quote, negotiation review`,
  Won: `won, closed won, closed converted, converted, customer, deal won, deal closed, sale done, booked, enrolled,
    high quality lead, good lead`,
  Lost: `lost, closed lost, closed not converted, lost lead, junk, junk lead, dead, dead lead, unqualified, not qualified,
    disqualified, not interested, invalid, invalid lead, bad timing, spam, wrong number, duplicate, trash, low quality lead, रुचि नहीं`,
}
const priorities: Record<LeadPriority, string> = {
  High: 'high, hot, urgent, very high, highest, p1',
  Medium: 'medium, warm, normal, average, p2',
  Low: 'low, cold, very low, lowest, p3',
}
const callTypes: Record<CallType, string> = {
  Inbound: 'inbound, incoming, in, received, missed, incoming call, inbound call, missed call, incoming missed',
  Outbound: `outbound, outgoing, out, dialled, dialed, made, outgoing call, outbound call, click to call, rejected,
    not picked, scheduled, attended dialled, unattended dialled`,
}
const callOutcomes: Record<CallOutcome, string> = {
  Completed:
    'completed, complete, connected, answered, answer, attended, success, successful, received, attended dialled, picked',
  Busy: 'busy, line busy, user busy',
  'No Answer': `no answer, not answered, unanswered, no response, not picked, not picked up, ringing, noanswer, rejected,
    declined, cancelled, canceled, not reachable, switched off, no-answer, unattended dialled, failed, call not connected,
    जवाब नहीं`,
  Voicemail: 'voicemail, voice mail, left voicemail, left voice mail',
  Missed: 'missed, missed call, abandoned, incoming missed, unattended',
}

const plain = (text: string) =>
  folded(text)
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()

const maxRead = 1000

function finder<Value extends string>(words: Record<Value, string>): (text: string) => Value | undefined {
  let found: ReadonlyMap<string, Value> | undefined
  const readWords = () =>
    new Map(
      Object.entries<string>(words).flatMap(([value, names]) => {
        const own = Object.keys(languages).map((language) => translateWord(value, language as Language))
        return [...own, ...names.split(',')].map((name) => [plain(name), value as Value] as const)
      }),
    )
  // Most rows have one of few words.
  const read = new Map<string, Value | undefined>()
  return (text) => {
    if (read.has(text)) return read.get(text)
    found ??= readWords()
    const value = found.get(plain(text))
    if (read.size < maxRead) read.set(text, value)
    return value
  }
}

export const statusNamed = finder(statuses)
export const priorityNamed = finder(priorities)

const typeNamed = finder(callTypes)
const resultNamed = finder(callOutcomes)
/** By the words of telephone systems, too. A longer text says more than a word. */
export const callTypeNamed = (text: string) => typeNamed(text) ?? (isWord(text) ? directionIn(text) : undefined)
export const callOutcomeNamed = (text: string) => resultNamed(text) ?? (isWord(text) ? outcomeIn(text) : undefined)
