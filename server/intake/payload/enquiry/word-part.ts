import type { OriginPart } from '../../../crm/enquiries/contract.ts'
import type { EnquiryPart } from '../contract.ts'
import { rememberedByLabel } from '../words/by-label.ts'
import { meaningOf } from '../words/meaning.ts'
import names from './technical-names.json' with { type: 'json' }

interface NamedPart {
  part?: EnquiryPart
  /** A person is asked: what a program writes is not named so. */
  isQuestion: boolean
  /** It names somebody of the business, so that a number or a yes is something else. */
  isOfPerson?: boolean
}

/** Returns what the name of a value says of it; no part where its words say nothing. */
export const partOfName = rememberedByLabel(read, 5000)

function read(label: string): NamedPart {
  const words = wordsIn(label)
  const name = words.join(' ')
  const isQuestion =
    words.length > 4 || /\?\W*$/.test(label) || /[^\p{Script=Latin}\P{L}]/u.test(label) || isRelatives(label)
  const precise = matched(preciseNames, name)
  if (precise) return { part: precise, isQuestion: false }
  if (consents.test(name) && !noConsents.test(name))
    return { part: isQuestion ? 'consent' : partOfConsent(name), isQuestion }
  if (noCalls.test(name)) return { part: 'do_not_call', isQuestion }
  if (isQuestion) return { isQuestion }
  const origin = matched(originNames, name)
  if (origin) return { part: origin, isQuestion }
  if (isTechnical(label, words)) return { part: 'left_out', isQuestion }
  return isStaffs(label, words) ? { part: 'left_out', isQuestion, isOfPerson: true } : { isQuestion }
}

const matched = (names: readonly (readonly [RegExp, OriginPart])[], name: string) =>
  names.find(([pattern]) => pattern.test(name))?.[1]

/** `hidden-utmSource[]` is `utm source`, `your-budget` is `budget`. */
function wordsIn(label: string): string[] {
  // ASP.NET writes the names of all parts of a page before that of a field.
  const words = label
    .slice(label.lastIndexOf('$') + 1)
    .slice(0, 200)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}&]+/u)
    .filter((word) => word !== '')
  const hidden = words.findLastIndex((word, at) => hiddens.has(word) && at < words.length - 1)
  const start = words.findIndex((word, at) => at > hidden && !prefixes.has(word))
  return start === -1 ? words : words.slice(start)
}

const list = (words: string) => new Set(words.trim().split(/\s+/))

/** What form builders write before the names of fields. */
const prefixes = list('your my txt chk ddl rdo field input custom cf x raw mf ff frm fld wpforms gform')
/** What is before these says where the field is. */
const hiddens = list('hidden hdn hid')

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
const named = (words: string) => new RegExp(`^${whose}(${words})( ?(name|title|label|headline|text))?$`)
const numbered = (words: string) => new RegExp(`^${whose}(${words}) ?(id|uuid|ref|no|number|key|urn)$`)
const advertSet = 'ad ?set|ad ?group|ad squad'
const advert = 'ad|advert|advertisement|creative|ad creative'
const form = 'form|lead ?gen form|lead form|survey|quiz|contact form|funnel'
const link = '(url|uri|link|href|location|addr\\w*)'
const page =
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
  // What a click-to-WhatsApp message says of the ad.
  [/^(ad referral|referral|ctwa|external ad reply|ad reply) (headline|title)$/, 'ad'],
  [/^(ad referral|referral|ctwa|external ad reply|ad reply) source ?id$/, 'ad_id'],
  [/^(ad referral|referral|ctwa|external ad reply|ad reply) source ?url$/, 'page_url'],
  [/^(matched |search |ad |lead |google )?(keyword|keywords|kw|search term)( text)?$/, 'keyword'],
  [
    /^(interested )?(product|project|proj|property|listing|package)( ?(name|title))?$|^(course|plan|model) ?name$/,
    'product',
  ],
  [/^([a-z]+ )?(referr?er|referring (url|page|site)|ref url)( (url|name|page))?$/, 'referrer'],
  [new RegExp(`^(${page} ?)?${link}$`), 'page_url'],
  [/^(landing|source|current|submitted from) page$|^(permalink|landing page|page|submitted from)$/, 'page_url'],
  [
    /(^| )(lead|prospect|leadgen|lead gen|unique query|query|enquiry|inquiry|enq|inq|rfi|submission|sub|response|result|entry|registration|application|ticket|appointment|booking)( unique)? ?(id|uuid|guid)$|(^| )(lead|query|enquiry|inquiry|enq|response|submission|registration|application|ticket|request|booking|appointment|quote) ?(no|number|ref|reference)$|^(ref|reference) ?(no|number)$/,
    'lead_id',
  ],
]

/** Whether a name says that a value is of consent, which is true of what is in it, too. */
export const isOfConsent = rememberedByLabel((label) => consents.test(wordsIn(label).join(' ')), 5000)

const noCalls = /(^| )(dnd|dnc|ndnc|ncpr|dnc(mobile|phone)|do ?not ?(call|disturb|contact))( |$)/

/** In the scripts in which forms ask for it. */
const consents =
  /^(terms|i accept|i agree)$|(^| )(consent(s|ed)?|gdpr|dpdp|opt ?(in|out)|opted in|agree(s|d)?|accept(s|ed|ance)?|authori[sz]e(d|s)?|privacy|tnc|t&c|terms (n|and|&|of|text|accepted|agree\w*|checked) ?\w*|(may|can|could) we (send|whatsapp|message|sms|email|share)|(receive|send me|get) .*(tips|offers|updates|messages|calls|emails?|whatsapp|sms|alerts|promotions)|newsletters?|subscribed?|unsubscribed?|disclaimer|(marketing|communication|whatsapp|sms|email|promotional) (permission|preferences?|updates?))( |$)|सहमत|अनुमति|संमत|मान्य|स्वीकार|मंज़?ूर|સહમત|સંમત|સ્વીકાર|મંજૂર|ஏற்கிறே|ஏற்றுக்|சம்மத|ஒப்புக்|সম্মতি|সম্মত|అంగీక|సమ్మత|ಒಪ್ಪ|ಸಮ್ಮತ|സമ്മത|ਸਹਿਮਤ/u
/** Other things that have such words: what a loan or an offer says. */
const noConsents = /(loan|offer|order) accept|accepted (currency|offer)/

function partOfConsent(name: string): EnquiryPart {
  if (/ (through|via|source|method|channel|required)$/.test(name)) return 'left_out'
  if (/ (at|on|ts|time|date|timestamp)$/.test(name)) return 'consent_at'
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
  if (isPrograms(label, words)) return true
  const named = words.filter((word) => !/^\d+$/.test(word))
  if (named.some((word) => answersWith.has(word))) return false
  const only = named.length === 1 ? named[0]! : ''
  if (named.every((word) => technicalWords.has(word)) && !answersIfAlone.has(only)) return true
  return (meaningOf(label).senses.dialCode ?? 0) >= 80
}

/** Whether it is a contact or the name of somebody of the business. */
function isStaffs(label: string, words: readonly string[]): boolean {
  const { staff, senses } = meaningOf(label)
  const { name = 0, email = 0, phone = 0, city = 0, company = 0 } = senses
  return staff && (Math.max(name, email, phone, city, company) >= 50 || words.length === 1)
}

/** Whether it is a contact or the name of a relative. */
function isRelatives(label: string): boolean {
  const { kin, attribute, senses } = meaningOf(label)
  return kin && !attribute && Math.max(senses.name ?? 0, senses.email ?? 0, senses.phone ?? 0) >= 50
}

/** Whether no form has such a question, also where a sender has its questions. */
export function isPrograms(label: string, words: readonly string[] = wordsIn(label)): boolean {
  if (
    /^__|^_(ga|gcl|gid|hj|uetsid|clck|wp|fluent|form|elementor)/i.test(label) ||
    (label.startsWith('_') && words.every((word) => technicalWords.has(word)))
  )
    return true
  if (words[0] === 'event' && !label.includes(' ')) return true
  if (words.some((word) => word.endsWith('captcha'))) return true
  return technicalEnds.has(words.at(-1) ?? '') && !words.some((word) => answersWith.has(word))
}
