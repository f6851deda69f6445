import { mailboxIn, phoneIn } from '../../../crm/contacts/parse-contact.ts'

/** Placeholders of empty fields and of templates that were not filled in. */
const empty =
  /^(n\.?\/?a\.?|none|null|nil|undefined|nan|-+|\.+|not (provided|given|available|specified|set|applicable)|unknown|anonymous|\{\{.*\}\}|\{(?!\d{7})[\w.]+\}|\*\|.*\|\*|<test lead:.*>|\$\{.*\}|<<.*>>|%[\w.]+%|\[[\w.:* -]+\])$/iu

export function isBlank(text: string): boolean {
  return text === '' || (text.length <= 80 && empty.test(text))
}

/** Whether no person reads this mailbox. */
export const isUnread = (email: string) =>
  /^(customer[._-]?(support|care|service)|no-?_?reply|do-?_?not-?_?reply|notifications?|void|mailer-daemon|postmaster|bounces?)\b/i.test(
    email,
  )

/** They are the same with and without the country code. */
export const lastDigits = (number: string) => number.replace(/\D/g, '').slice(-10)

function isLink(text: string): boolean {
  return /^(https?:\/\/|www\.|\/\w)/i.test(text) || /^[\w-]+(\.[\w-]+)+\/\S*$/.test(text)
}

/** Whether the text may be written by a person: letters, and no link, email, date or duration. */
export function isWriting(text: string): boolean {
  return /\p{L}/u.test(text) && !isLink(text) && !mailboxIn(text) && !/^\d{4}-\d\d-\d\d|^PT?\d+[DHMS]/.test(text)
}

/** Whether it is the id of a record: a UUID, `org_01HZX4Q7M9`. */
export function isId(text: string): boolean {
  return (
    /^[\da-f-]{16,}$|^(?=.*\d)[a-z]+_[\da-z]{8,}$/i.test(text) ||
    /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w~*-]{16,}$/.test(text)
  )
}

export function isNumeric(text: string): boolean {
  return /^[\s\d.,:+()/-]+$/.test(text)
}

/** Whether it is written like a postal address: a street or a plot with a number, and a postal code. */
export function isPostalAddress(text: string): boolean {
  return text.length < 250 && street.test(text) && /(^|\D)\d{5,6}(\D|$)/.test(text) && !/[?!]/.test(text)
}

const street =
  /\b(plot|flat|shop|door|h ?\.?no|house no|sector|phase|floor|block|nagar|marg|chowk|colony|layout|society|road|rd|street|st|lane|avenue|ave|drive|rue|calle|via|rua)\b/i

const thingWords =
  /\b(form|contact us|enquiry|inquiry|enquiries|demo|webinar|quote|signup|sign up|newsletter|subscribe|registration|application|campaign|landing|page|website|survey|quiz|booking|appointment|callback|meeting|consultation|checkout|order|payment|lead|leads|test drive|download|brochure|free|trial|minutes?|mins?|session|workshop|course|contract|agreement|proposal|visitor|guest|customer|user|admin|support|sales|team|caller)\b/i

const companyWords =
  /^(banco|banque|bank of)\s|(^|\s)(pvt|private|ltd|limited|llp|llc|inc|corp|corporation|gmbh|ag|kg|sarl|sas|sl|srl|spa|ltda|eireli|bv|oy|co|company|industries|enterprises?|traders?|trading|exports?|imports?|solutions?|technolog(y|ies)|tech|systems?|services?|agro|foods?|textiles?|fabrics|mills?|motors?|automobiles?|pharma|pharmaceuticals|chemicals?|constructions?|builders?|developers?|infra|infotech|software|studios?|logistics|tools?|ceramics|packaging|packers|steels?|plastics?|polymers|engineering|engineers|associates|consultants|consultancy|consulting|group|house|stores?|mart|bakery|hospital|clinic|school|academy|institute|hotels?|resorts?|jewell?ers|electronics|electricals|furniture|furnishings|nursery|dairy|farms?|orchards?|spices|solar|labs?|ventures|holdings|media|digital|marketing|agency|interiors?|garments|handicrafts|printers|cables|works)\.?$/i

/** Legal forms which in other letters are words or initials. */
const spelledForms =
  /^(ООО|ОАО|ЗАО|ПАО|АО|ИП|ТОО|ТОВ|PT|CV|UD)\.? [\p{L}"«]|\s(AB|AS|A\/S|ApS|NV|N\.V\.|B\.V\.|SA|S\.A\.|S\.r\.[lL]\.|SRLS|S\.p\.A\.|S\.A\. de C\.V\.|SA de CV|sp\. z o\.o\.|s\.r\.o\.|a\.s\.|d\.o\.o\.|Kft\.?|Zrt\.?|A\.Ş\.|Ltd\. Şti\.|Bhd\.?|PLC|Plc|GbR|UG|OHG|EURL|SASU|Lda\.?|Tbk)$/u

export const hasLegalForm = (text: string) =>
  /^.{2,40}(公司|株式会社|有限会社)$|^株式会社.{1,40}|주식회사/u.test(text) ||
  /\b(ltd|limited|llp|llc|inc|corp|gmbh|pvt|s\.?r\.?l|s\.?a\.?s|b\.?v|oy|ltda)\.?$|(&|\b(and|trading|sons)) co\.?$/i.test(
    text,
  ) ||
  spelledForms.test(text)

export function isCompanyLike(text: string): boolean {
  if (text.length > 120) return false
  return hasLegalForm(text)
    ? /\s|\p{Script=Han}|\p{Script=Hangul}/u.test(text)
    : /\p{L}/u.test(text) && /\s/.test(text) && companyWords.test(text)
}

/** Whether it stands for a choice, a role, a program, a withheld caller or a file, also under the key of a name. */
const isNoName = (text: string) =>
  /^(yes|no|true|false|ok|none|other|self|buyer|seller|agent|customer|client|visitor|guest|user|admin|administrator|bot|system|test)$/i.test(
    text,
  ) ||
  /^(chrome|firefox|safari|edge|opera|gmail|outlook)( mobile)?$/i.test(text) ||
  /^(wireless|unknown|private|restricted|toll[ -]free) (caller|number|call)$/i.test(text) ||
  /^(in|out)(bound|coming|going)[ _-]?call$/i.test(text) ||
  /\.(mp3|wav|pdf|jpe?g|png|docx?|xlsx?|csv)$/i.test(text)

/** Returns 0 for no person's name, 1 for a possible one, 2 for one that is written like a name. */
export function nameShape(text: string): 0 | 1 | 2 {
  if (isNoName(text)) return 0
  if (text.length > 1000 || !/\p{L}/u.test(text) || /[@{}<>=|\\?!#]|https?:/.test(text) || isLink(text)) return 0
  if ((text.match(/\d/g)?.length ?? 0) > 2 || text.split(/\s+/).length > 12) return 0
  if (text.length > 80) return 1
  if (/^[^\s/]+\/[^\s/]+\/\S+$/.test(text)) return 0
  if (thingWords.test(text)) return 1
  if (/[\d_:;/]/.test(text)) return 1
  const words = text.split(/\s+/)
  // A sentence in a script without capitals.
  if (words.length > 5 && !/\p{Lu}|\p{Ll}/u.test(text)) return 1
  if (words.every((word) => /^["'(]?\p{Lu}/u.test(word) || !/\p{Lu}|\p{Ll}/u.test(word) || particles.has(word)))
    return 2
  return 1
}

const particles = new Set(
  'de da do dos das del la las los van von der den ten bin ibn al el e y s/o d/o ul ur'.split(' '),
)

/** Surnames that are words for nothing, too. */
export const isWordAndSurname = (text: string) => /^(Null|Nil|Na|Nan|None|True)$/.test(text)

/** Whether it may be a name under the key of one: whatever its signs and digits, no contact, link, date or id as a whole. */
export const mayBeName = (text: string) =>
  text.length <= 1000 &&
  isWriting(text) &&
  !isNoName(text) &&
  !isBlank(text) &&
  !isId(text) &&
  phoneIn(text) === undefined

/** Counts the words of a text without numbers. Two signs of Chinese or Japanese count as a word. */
export function wordCount(text: string): number {
  const beginning = text.slice(0, 2000)
  const signs = beginning.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0
  if (signs > 0) return Math.ceil(signs / 2)
  return beginning.split(/\s+/).filter((word) => /[\p{L}\p{M}]{2}/u.test(word)).length
}

const leadWords =
  /mail|phone|mobile|\bmob|tel|cell|contact|whats|name|naam|msisdn|from|caller|number|city|company|message|note|comment|enquiry|inquiry|query|source/i

/** Whether a value may belong to a lead: a cheap check, for ranking any number of values before most are dropped. */
export function mayBeLeadValue(label: string, value: unknown): boolean {
  if (typeof value === 'number') return value >= 1_000_000
  if (typeof value !== 'string') return false
  if (value.length <= 320 && (value.includes('@') || /\d(?:[\s().-]{0,3}\d){6}/.test(value))) return true
  return label.length <= 200 && leadWords.test(label)
}
