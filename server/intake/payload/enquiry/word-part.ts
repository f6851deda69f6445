import type { OriginPart } from '../../../crm/enquiries/contract.ts'
import type { EnquiryPart } from '../contract.ts'
import { rememberedByLabel } from '../words/by-label.ts'
import { meaningOf } from '../words/meaning.ts'
import names from './technical-names.json' with { type: 'json' }

interface NamedPart {
  part?: EnquiryPart
  /** A person is asked: what a program writes is not named so. */
  isQuestion: boolean
}

/** Returns what the name of a value says of it; no part where its words say nothing. */
export const partOfName = rememberedByLabel(read, 5000)

function read(label: string): NamedPart {
  const words = wordsIn(label)
  const name = words.join(' ')
  const isQuestion = words.length > 4 || /\?\W*$/.test(label) || /[^\p{Script=Latin}\P{L}]/u.test(label)
  const precise = matched(preciseNames, name)
  if (precise) return { part: precise, isQuestion: false }
  if (noCalls.test(name)) return { part: 'do_not_call', isQuestion }
  if (consents.test(name) && !noConsents.test(name))
    return { part: isQuestion ? 'consent' : partOfConsent(name), isQuestion }
  if (isQuestion) return { isQuestion }
  const origin = matched(originNames, name)
  if (origin) return { part: origin, isQuestion }
  return isTechnical(label, words) ? { part: 'left_out', isQuestion } : { isQuestion }
}

const matched = (names: readonly (readonly [RegExp, OriginPart])[], name: string) =>
  names.find(([pattern]) => pattern.test(name))?.[1]

/** `hidden-utmSource[]` is `utm source`, `your-budget` is `budget`. */
function wordsIn(label: string): string[] {
  const words = label
    .slice(0, 200)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}&]+/u)
    .filter((word) => word !== '')
  const start = words.findIndex((word) => !prefixes.has(word))
  return start === -1 ? words : words.slice(start)
}

const list = (words: string) => new Set(words.trim().split(/\s+/))

/** What form builders write before the names of fields. */
const prefixes = list('your my hidden hdn txt field input custom cf x raw')

/** These are found behind any other word, too. */
const preciseNames: [RegExp, OriginPart][] = [
  [/(^| )(gcl ?id|google click id)$/, 'gclid'],
  [/(^| )g ?braid$/, 'gbraid'],
  [/(^| )w ?braid$/, 'wbraid'],
  [/(^| )(fbcl ?id|(facebook|fb|meta) click id)$/, 'fbclid'],
  [/(^| )fbc$/, 'fbc'],
  [/(^| )fbp$/, 'fbp'],
  [/(^| )ctwa ?cl ?id$/, 'ctwa_clid'],
  [/(^| )(mscl ?k ?id|microsoft click id)$/, 'msclkid'],
  [/(^| )li ?fat ?id$/, 'li_fat_id'],
  [/(^| )(tt ?cl ?id|tiktok click id)$/, 'ttclid'],
  [/(^| )utm ?source$/, 'utm_source'],
  [/(^| )utm ?medium$/, 'utm_medium'],
  [/(^| )utm ?campaign( name)?$/, 'utm_campaign'],
  [/(^| )utm ?(term|keyword)$/, 'utm_term'],
  [/(^| )utm ?content$/, 'utm_content'],
]

const whose = '((the|our|google|facebook|fb|meta|instagram|linkedin|tiktok|marketing|source|lead|web|website) )*'
const named = (words: string) => new RegExp(`^${whose}(${words})( ?(name|title|label|headline))?$`)
const numbered = (words: string) => new RegExp(`^${whose}(${words}) ?(id|uuid|ref|no|number|key|urn)$`)
const advertSet = 'ad ?set|ad ?group|ad squad'
const advert = 'ad|advert|advertisement|creative|ad creative'
const form = 'form|lead ?gen form|lead form|survey|quiz|contact form'
const place = '(url|uri|link|href|location)'
const ofPage =
  '(page|landing|landing page|lp|site|website|source|source page|form|form page|submission|submitted|current|current page|lead|lead page|conversion|conversion page|origin|entry|first page|enquiry|enquiry page|post|embed|permalink)'

const originNames: [RegExp, OriginPart][] = [
  [named('campaign|ad campaign'), 'campaign'],
  [numbered('campaign|ad campaign|campaign group'), 'campaign_id'],
  [named(advertSet), 'ad_set'],
  [numbered(advertSet), 'ad_set_id'],
  [named(advert), 'ad'],
  [numbered(advert), 'ad_id'],
  [named(form), 'form'],
  [numbered(form), 'form_id'],
  [/^(matched |search |ad )?(keyword|keywords|kw|search term)( text)?$/, 'keyword'],
  [/^(interested )?(product|project|property|listing)( ?(name|title))?$/, 'product'],
  [
    /^(http |page |original |first |initial |previous )?(referr?er|referring (url|page|site)|ref url)( url)?$/,
    'referrer',
  ],
  [
    new RegExp(
      `^(${ofPage} ?)?${place}$|^${ofPage} addr\\w*$|^page location$|^(landing|source|current|submitted from) page$|^(permalink|landing page|page|submitted from)$`,
    ),
    'page_url',
  ],
  [
    /^(lead|leadgen|lead gen|unique query|query|enquiry|inquiry|rfi|submission|response|entry|registration|application|ticket)( unique)? ?(id|uuid|guid|no|number|ref|reference)$/,
    'lead_id',
  ],
]

/** Whether a name says that a value is of consent, which is true of what is in it, too. */
export const isOfConsent = (label: string) => consents.test(wordsIn(label).join(' '))

const noCalls = /(^| )(dnd|dnc|ndnc|ncpr|dnc(mobile|phone)|do ?not ?(call|disturb|contact))( |$)/

/** In the scripts in which forms ask for it. */
const consents =
  /(^| )(consent(s|ed)?|gdpr|dpdp|opt ?(in|out)|opted in|agree(s|d)?|accept(s|ed|ance)?|authori[sz]e(d|s)?|privacy|terms|tnc|t&c|newsletter|subscribed?|unsubscribed?|disclaimer|(marketing|communication|whatsapp|sms|email|promotional) (permission|preferences?|updates?|alerts?))( |$)|सहमत|अनुमति|संमती|संमत|સહમત|સંમતિ|சம்மத|ஒப்புக்|সম্মতি|সম্মত|అంగీక|సమ్మత|ಒಪ್ಪಿ|ಸಮ್ಮತ|സമ്മത|ਸਹਿਮਤ/u
/** Other things that have such words: what a loan or an offer says. */
const noConsents = /(payment|loan|deposit|insurance|plan|rent|lease|offer) (terms|accept)|accepted (currency|offer)/

function partOfConsent(name: string): EnquiryPart {
  if (/ (at|on|time|date|timestamp)$/.test(name)) return 'consent_at'
  if (/ (ip|id|version|hash|token|agent|addr\w*)$/.test(name)) return 'left_out'
  if (!/ (url|page|link)$/.test(name)) return 'consent'
  return /privacy|terms|policy/.test(name) ? 'left_out' : 'consent_page'
}

/** A name is a program's if it ends with such a word, or has no other words than these. */
const technicalEnds = list(names.ends)
const technicalWords = list(Object.values(names.words).join(' '))
/** Alone, a word may name an answer, and so may each name that has one of the others. */
const [answersIfAlone, answersWith] = [list(names['answers if alone']), list(names['answers with'])]

function isTechnical(label: string, words: readonly string[]): boolean {
  if (words.some((word) => answersWith.has(word))) return false
  if (technicalEnds.has(words.at(-1) ?? '')) return true
  if (label.startsWith('_') || (words[0] === 'event' && !label.includes(' '))) return true
  const only = words.length === 1 ? words[0]! : ''
  if (words.every((word) => technicalWords.has(word) || /^\d+$/.test(word)) && !answersIfAlone.has(only)) return true
  const { staff, senses } = meaningOf(label)
  const isContact = Math.max(senses.name ?? 0, senses.email ?? 0, senses.phone ?? 0) >= 50
  return (staff && (isContact || words.length === 1)) || (senses.dialCode ?? 0) >= 80
}
