import { fieldPhrases } from './field-words.ts'
import * as phrases from './label-phrases.ts'
import { classesOf, type WordClass, wordsOf } from './words.ts'

/** What a label can mean. `reach` is a contact of either kind, `place` a city or something smaller. */
export type Sense =
  | 'email'
  | 'phone'
  | 'reach'
  | 'name'
  | 'first'
  | 'last'
  | 'company'
  | 'city'
  | 'place'
  | 'source'
  | 'notes'
  | 'dialCode'

export type Senses = Partial<Record<Sense, number>>

export type Meaning = {
  /** How certain each meaning is, 0 to 100. */
  senses: Senses
  /** Whether it belongs to the lead, to the receiving business, to a thing. */
  person: boolean
  staff: boolean
  thing: boolean
  /** Whether it is an attribute of a field, such as its type or id. */
  attribute: boolean
  /** Without meaning: a number, a hash, `field_3`, `SingleLine`. */
  opaque: boolean
  /** Only `name`, or without meaning. */
  bare: boolean
  question: boolean
  /** Whether it belongs to the sender, or to the receiver, of a call or message. */
  from: boolean
  to: boolean
  words: readonly string[]
  /** The number of unknown words. */
  unknown: number
}

const cache = new Map<string, Meaning>()

/** Of a longer label only the beginning is read. */
const longest = 200

export function meaningOf(label: string): Meaning {
  const key = label.length > longest ? beginning(label) : label
  const known = cache.get(key)
  if (known) return known
  const meaning = readLabel(key)
  if (cache.size > 5000) cache.clear()
  cache.set(key, meaning)
  return meaning
}

/** Returns a copy: a cached slice would keep the whole text in memory. */
const beginning = (label: string) => Buffer.from(label.slice(0, longest), 'utf16le').toString('utf16le')

function readLabel(label: string): Meaning {
  const words = isGenerated(label)
    ? ['field']
    : wordsOf(askedIn(label.replace(/^(?:[\w-]*fields?|form)\[([^\]]+)\]$/i, '$1')))
  const reading = new Reading(words, isQuestion(label, words))
  const { person, staff, thing, attribute, unknown, question } = reading
  return {
    senses: reading.senses(),
    person,
    staff,
    thing,
    attribute,
    opaque: reading.opaque,
    bare: unknown === 0 && reading.all(['filler', 'name', 'control']),
    question,
    from: reading.has('from'),
    to: !question && reading.isTo,
    words,
    unknown,
  }
}

/** Of several sentences, a long one is followed by remarks. */
const askedIn = (label: string) => (label.length > 100 ? (/^(.{20,}?[.?!])\s+\S/.exec(label)?.[1] ?? label) : label)

function isQuestion(label: string, words: string[]): boolean {
  if (/[?？]/.test(label) || words.length >= 5) return true
  return (
    words.length >= 3 &&
    /^(how|what|why|where|when|which|who|anything|tell|please|would|do|are|describe|explain)$/.test(words[0]!)
  )
}

const numbered =
  /^_?(?:no[ _-]label[ _-])?((?:form|mf)[ _-]?)?(?:field|input|question|element|control|controlname|component|widget|fld|tfa|ctl)[ _-]?([a-z\d]+(?:_\d+)?)$/i

/** A key that a form builder generated, such as `form-field-kjhgfd` or `hagrboqlnynmxh3obl1wvmtl`: its value decides. */
function isGenerated(label: string): boolean {
  const [, ofForm, id] = numbered.exec(label) ?? []
  if (id === undefined) return /^(?=.*\d[a-z]+\d?)(?=.*[a-z]\d)[a-z\d]{7,40}$/i.test(label) && !isWord(label)
  return ofForm !== undefined || /\d|[^aeiouy\d_]{5}/i.test(id)
}

const isWord = (text: string) => wordsOf(text).some((word) => word.length > 2 && classesOf(word) !== undefined)

class Reading {
  readonly words: string[]
  readonly question: boolean
  readonly phrase: string
  readonly #classes: (ReadonlySet<WordClass> | undefined)[]
  readonly unknown: number
  readonly person: boolean
  readonly staff: boolean
  readonly thing: boolean
  readonly attribute: boolean
  readonly opaque: boolean
  readonly isTo: boolean

  constructor(words: string[], question: boolean) {
    this.words = words
    this.question = question
    this.phrase = words.join(' ')
    this.#classes = words.map(classesOf)
    this.unknown = words.filter((word, at) => !this.#classes[at] && word.length > 1 && !/^\d+$/.test(word)).length
    // The number of the business that was written to, beside `from`.
    this.person =
      (this.has('person') && this.phrase !== 'wa number') ||
      phrases.byWhom.test(this.phrase) ||
      /^(external|remote) (number|party)$/.test(this.phrase) ||
      /^(notify|push|alias|fb|ig|tg|facebook|instagram|messenger|telegram) name$/.test(this.phrase)
    this.isTo = this.#isTo()
    this.staff = this.#isStaff()
    this.thing = this.#isThing()
    const contactId =
      (this.has('email') && !this.has('note') && /\bid\b/.test(this.phrase)) || phrases.callerId.test(this.phrase)
    this.attribute =
      this.has('attribute') &&
      !/^verified \w+ |^alias name /.test(`${this.phrase} `) &&
      !(contactId && !/\btype\b/.test(this.phrase)) &&
      !phrases.withState.test(this.phrase) &&
      !phrases.asksForText.test(this.phrase) &&
      !/^transcript summary$|\bdisposition (notes?|remarks?|comments?)\b/.test(this.phrase)
    this.opaque = words.every((word, at) => /^\d+$/.test(word) || word.length === 1 || this.#isHollow(word, at))
  }

  has(wordClass: WordClass): boolean {
    return this.#classes.some((classes) => classes?.has(wordClass))
  }

  all(allowed: WordClass[]): boolean {
    return this.#classes.every((classes) => !classes || allowed.some((one) => classes.has(one)))
  }

  #isHollow(word: string, at: number): boolean {
    const classes = this.#classes[at]
    return classes ? classes.has('control') : /^[a-z]{2}$/.test(word) && this.words.length >= 4
  }

  #isTo(): boolean {
    if (/\b(reply|attention|attn|person) to\b/.test(this.phrase)) return false
    const named = this.has('number') || this.has('phone') || this.has('name') || this.has('email')
    return this.words.some(
      (word, at) => this.#classes[at]?.has('to') && (named || this.words.length === 1 || !phrases.endings.has(word)),
    )
  }

  #isStaff(): boolean {
    if ([phrases.byWhom, phrases.ofLead, phrases.ofRecruit].some((pattern) => pattern.test(this.phrase))) return false
    if (phrases.ofOurs.test(this.phrase) || (this.isTo && !this.question)) return true
    return this.#classes.some(
      (classes, at) => classes?.has('staff') && !(this.question && phrases.spokenOf.has(this.words[at]!)),
    )
  }

  #isThing(): boolean {
    if ([...phrases.ofLeadsThing, phrases.ofRecruit].some((pattern) => pattern.test(this.phrase))) return false
    if (
      /^(line|session|instance|trunk|intent|menu|zone|shift|hub|office|platform|reminder|alert|slot|extension|pos|mail ?box|voicemail box)s? (name|company|organi[sz]ation|business|message|text|notes?|description|details|comments?|remarks?|summary|instructions?|city|source)$|\bcircle\b/.test(
        this.phrase,
      ) ||
      (this.has('case') && this.has('name') && !this.has('company') && !this.person)
    )
      return true
    const ofContacts = this.has('email') || this.has('phone') || this.has('number')
    return this.#classes.some(
      (classes, at) =>
        classes?.has('thing') &&
        // A phone for a meeting is that of its guest.
        !(ofContacts && this.words[at - 1] === 'for') &&
        !(
          (ofContacts || this.words[0] === 'address') &&
          /^(lists?|forms?|popup|widget|block|screen|step|survey|quiz|section)$/.test(this.words[at]!)
        ),
    )
  }

  senses(): Senses {
    const senses: Senses = {}
    const give = (sense: Sense, strength: number) => {
      if (strength > (senses[sense] ?? 0)) senses[sense] = strength
    }
    this.#readContacts(give)
    this.#readNames(give)
    this.#readPlaces(give)
    this.#readNotes(give)
    for (const [pattern, sense] of fieldPhrases) if (pattern.test(this.phrase)) give(sense, sense === 'notes' ? 78 : 88)
    return senses
  }

  /** Every unknown word makes a label less certain. */
  #less(strength: number, each: number): number {
    return strength - each * this.unknown
  }

  #readContacts(give: (sense: Sense, strength: number) => void): void {
    const { attribute, phrase, unknown, words } = this
    const aside =
      (this.has('company') ? 20 : 0) +
      (this.has('alternate') ? 10 : 0) +
      (attribute ? 25 : 0) +
      (this.has('kin') ? 45 : 0)
    if (/^reply to( email| address)?$/.test(phrase)) give('email', 90)
    if (this.has('email')) give('email', Math.max(this.#less(95, 6) - aside, 45))
    const phone = this.has('phone')
    if (phone && words.at(-1) !== 'name' && !(attribute && /\b(id|country|code)\b/.test(phrase)))
      give('phone', Math.max(this.#less(95, 8) - aside, 40))
    if (this.has('number') && !phone && !attribute && unknown === 0 && !/\b(number|no) of\b/.test(phrase)) {
      if (this.person || this.has('reach')) give('phone', (this.person ? 94 : 82) - aside)
      else give('phone', words.length > 1 || words[0] === 'number' ? 60 : 40)
    }
    if (/^(external|remote) number$/.test(phrase)) give('phone', 85)
    if (this.has('from') && !attribute && unknown === 0 && !this.has('name')) give('phone', 75)
    if (/\b(caller|wa) id\b/.test(phrase) && !this.has('name')) give('phone', 75)
    const elsewhere = (['city', 'place', 'company', 'source', 'note', 'softNote'] as const).some((one) => this.has(one))
    if (
      this.has('reach') &&
      !attribute &&
      !this.has('happened') &&
      unknown === 0 &&
      !elsewhere &&
      words[0] !== 'how' &&
      words.at(-1) !== 'result'
    )
      give('reach', 50)
    if (this.has('dialCode') || /\b(country|dial|dialing|phone|mobile|calling)( local)? (code|prefix)\b/.test(phrase))
      give('dialCode', 90)
  }

  #readNames(give: (sense: Sense, strength: number) => void): void {
    const { phrase, words } = this
    const ofSomething =
      ((['city', 'source', 'phone', 'email'] as const).some((one) => this.has(one)) && phrase !== 'whatsapp name') ||
      words.includes('origin') ||
      (this.has('company') && !phrases.ofCompany.test(phrase)) ||
      (this.has('place') && !phrases.ofAddress.test(phrase))
    const ofForm = /\b(question|option|answer|choice|field|column|input|block) name\b/.test(phrase)
    const joint = phrases.jointName.test(phrase)
    const initialled = /^([fl]) name$/.exec(phrase)?.[1]
    if (initialled) give(initialled === 'f' ? 'first' : 'last', 92)
    const named = this.has('name')
    if (initialled || this.attribute || this.thing || this.has('kin') || ofSomething) return
    // The first message is no first name.
    const ofText = this.has('note') || this.has('softNote')
    const isShort = words.length <= 4 && words.some((word) => /^(sur|last|first|fore)name$/.test(word))
    const asksName = !ofText && (!this.question || this.has('name') || isShort)
    const [first, last] = [this.has('first') && asksName, this.has('last') && asksName]
    const ofEnquiry = !(this.has('note') || words.includes('reason')) || /^(enquiry|inquiry|enq) name$/.test(phrase)
    if (joint && (first || last || named)) give('name', 95)
    else if (first && last && words.length === 2) give('name', 92)
    else if (first && !last) give('first', named || words.length === 1 ? 92 : 60)
    else if (last && !first && (named || this.unknown === 0 || /name$/.test(phrase)))
      give('last', named || words.length === 1 ? 92 : 60)
    else if (named && !ofForm && ofEnquiry && !this.has('middle'))
      give('name', this.#less(/\b(user|whatsapp)\b/.test(phrase) ? 70 : 95, 25))
    else if (/^\w+ by$/.test(phrase) && this.person) give('name', 62)
    else if (this.person && this.unknown === 0 && !this.has('softNote') && this.all(['person', 'filler']))
      give('name', 62)
  }

  #readPlaces(give: (sense: Sense, strength: number) => void): void {
    const { attribute, thing, unknown, phrase, words, question } = this
    const contact = this.has('city') || this.has('phone') || this.has('email') || this.has('number')
    if (!attribute && !thing) {
      if (
        this.has('company') &&
        !contact &&
        !this.has('place') &&
        !phrases.ofCompany.test(phrase) &&
        !this.#isOtherCompany()
      )
        give('company', this.#less(this.#isOfCompany() ? 60 : 95, 15))
      if (this.person && words.length > 1 && words.at(-1) === 'co') give('company', 90)
      if (this.has('city')) give('city', Math.max(this.#less(95, 20), 30))
      if (this.has('place') && unknown <= 1 && !this.has('case')) give('place', 60)
      if (/\baddress(es)? locality\b/.test(phrase)) give('city', 85)
    }
    const utm = words.includes('utm')
    if (
      !this.has('source') ||
      attribute ||
      (utm && !words.some((word) => /^(source|src)$/.test(word))) ||
      /\b(comments?|notes?|remarks?)$|\bsource user\b/.test(phrase)
    )
      return
    const other = !utm && !question && words.some((word, at) => !this.#isOfOrigin(word, at))
    if (other) return
    const sure = utm ? 66 : this.person ? 95 : 85
    give('source', this.#less(sure, 10) - (/\bname\b/.test(phrase) ? 12 : 0) - (thing && !utm ? 30 : 0))
  }

  /** Something of a company, and not its name: `business_rules`. */
  #isOfCompany(): boolean {
    return (
      !this.question &&
      this.words.length === 2 &&
      this.has('company') &&
      !this.#classes[1] &&
      /^[a-z]{4,}s$/.test(this.words[1]!)
    )
  }

  /** A company that carries, moves or employs, or the text about a company. */
  #isOtherCompany(): boolean {
    const { words, question, phrase } = this
    if (phrases.asksForText.test(phrase)) return true
    if (this.has('note') || /\b(summary|overview|brief|bio|about)\b/.test(phrase)) return !question && words.length <= 3
    if (/\b(line|type|nature|kind|area|category) of \w+$|^(current|existing) business$/.test(phrase)) return true
    if (this.has('kin') || /^(previous|former|past|prior|ex|old|guardian|parents?(?! company))\b/.test(phrase))
      return true
    return /^(shipping|delivery|courier|transport|hiring|recruiting|moving|finance|financing|logistics|management|current insurance) (company|organi[sz]ation|firm)( name)?$/.test(
      phrase,
    )
  }

  #isOfOrigin(word: string, at: number): boolean {
    const classes = this.#classes[at]
    if (phrases.ofOrigin.has(word) || /^\d+$|^..?$/.test(word)) return true
    if (classes === undefined || (word === 'data' && this.words[at - 1] !== 'meta')) return !/^[a-z]+$/.test(word)
    return ['source', 'person', 'filler', 'name', 'note', 'control', 'reach', 'number'].some((one) =>
      classes.has(one as WordClass),
    )
  }

  #readNotes(give: (sense: Sense, strength: number) => void): void {
    const { phrase, question, words } = this
    if (this.attribute || this.has('name') || (this.thing && !question)) return
    if (this.has('number') && !question && words.length > 1) return
    if (
      !question &&
      (phrases.ofBusiness.test(phrase) ||
        (/\b(reasons?|motivo|motif)\b/.test(phrase) && !phrases.ofReason.test(phrase)))
    )
      return
    // Beside the message itself, what is additional or in short is less, and a description may be of something else.
    const chosen = /^(enquiry|inquiry|query|request|feedback|comments?) (for|on|about|regarding)$/.test(phrase)
    const sure = /^additional\b|\w (summary|purpose)$/.test(phrase) ? 88 : /\bdescription$/.test(phrase) ? 89 : 90
    if (chosen) give('notes', 55)
    else if (this.has('note') || phrases.wanted.test(phrase)) give('notes', Math.max(this.#less(sure, 8), 50))
    else if (this.has('softNote') && !this.opaque) give('notes', Math.max(this.#less(55, 10), 40))
  }
}
