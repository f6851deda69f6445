import { meaningOf } from '../words/meaning.ts'
import { type Entries, isEntries, isScalar } from './open-value.ts'

/** One entry of a list of names and values: its names, best first, and the key of its value. */
export type Pair = { labels: string[]; ids: string[]; type: string | undefined; valueKey: string; value: unknown }

const labelKeys =
  words(`label title question questiontext questiontitle questionlabel fieldlabel columnname fieldname heading
  header caption prompt displayname attribute property parameter param fieldtitle questionname field key columnid name
  customkey identifier slug variable pregunta pergunta frage libelle champ campo etiqueta feld bezeichnung fieldkey varname text
  attributename q block element fieldid fieldslug propertyname labelname inputname column questionvalue`)
const nestedLabelKeys = new Set([...labelKeys, 'content', 'body'])
const idKeys = words(
  'id identifier ref key fieldid questionid uid uuid name field code slug columnid elementid fieldkey qid',
)
const valueKeys =
  words(`value values answer answers answertext answervalue stringvalue fieldvalue fieldvalues rawvalue response
  responsetext useranswer useranswers val selectedvalue userinput submittedvalue reply resposta respuesta antwort reponse
  wert valor valeur result answerstring responsevalue propertyvalue attributevalue uservalue`)
const looseValueKeys = words('text content data simplevalue plaintext input')
const typeKeys = words('type fieldtype questiontype inputtype format')

function words(list: string): Set<string> {
  return new Set(list.trim().split(/\s+/))
}

const flatKeys = new Map<string, string>()

function flat(key: string): string {
  // Only short keys are kept in memory.
  if (key.length > 40) return key
  const known = flatKeys.get(key)
  if (known !== undefined) return known
  const flattened = /\d/.test(key) ? key : key.toLowerCase().replace(/[^a-z]/g, '')
  if (flatKeys.size > 5000) flatKeys.clear()
  flatKeys.set(key, flattened)
  return flattened
}

/** What a form says of a field beside its value. */
const isOfField = (key: string, value: unknown) =>
  typeof value === 'boolean' ||
  typeKeys.has(flat(key)) ||
  /^(hidden|required|mandatory|visible|position|order)$/i.test(key)

/** Returns the value of an entry that only the key around it names: `name: { type: 'text', result: { value: 'Asha' } }`. */
export function namedOutside(item: Entries): Pair | undefined {
  const keys = Object.keys(item)
  if (keys.length > 6) return undefined
  const type = typeOf(item, keys)
  const valueKey = type === undefined && keys.length > 1 ? undefined : keys.find((key) => isValueKey(flat(key)))
  if (valueKey === undefined || !keys.every((key) => key === valueKey || isOfField(key, item[key]))) return undefined
  return { labels: [], ids: [], type, valueKey, value: item[valueKey] }
}

export function pairOf(item: unknown): Pair | undefined {
  if (!isEntries(item)) return undefined
  const keys = Object.keys(item)
  if (keys.length < 2 || keys.length > 40) return undefined
  const type = typeOf(item, keys)
  const valueKey = valueKeyOf(item, keys, type)
  if (valueKey === undefined) return undefined
  const labels = labelsOf(item, keys, valueKey)
  const ids = idsOf(item, keys, valueKey)
  // A contact of a person may be named only by its type.
  const { email = 0, phone = 0 } = meaningOf(type ?? '').senses
  if (labels.length === 0 && type !== undefined && Math.max(email, phone) >= 75) labels.push(type)
  if (labels.length === 0 && (ids.length === 0 || keys.length > 6)) return undefined
  if (keys.some((key) => key !== valueKey && key !== type && isContact(key, item[key]))) return undefined
  return { labels, ids, type, valueKey, value: chosenIn(item[valueKey]) ?? item[valueKey] }
}

/** An object with an email or a phone of its own is a person, not an entry of such a list. */
export function isContact(key: string, value: unknown): boolean {
  if (typeof value !== 'string' || !/@|\d{5}/.test(value)) return false
  const { senses } = meaningOf(key)
  return (senses.email ?? 0) > 80 || (senses.phone ?? 0) >= 70
}

function isValueKey(key: string): boolean {
  return (
    key !== 'questionvalue' &&
    (valueKeys.has(key) || /(value|values|answer|answers)$|^answer(text|string|details)$/.test(key))
  )
}

function valueKeyOf(item: Entries, keys: string[], type: string | undefined): string | undefined {
  const strong = keys.filter((key) => isValueKey(flat(key)) || (key === 'a' && isText(item.q)))
  const filled = strong.find((key) => !isEmpty(item[key])) ?? strong[0]
  if (filled !== undefined) return filled
  const wanted = type === undefined ? 'type' : flat(type)
  const typed = wanted === 'type' ? undefined : keys.find((key) => flat(key) === wanted)
  const flats = keys.map(flat)
  const asks = flats.some((key) => key === 'field' || key === 'question' || key === 'block')
  if (typed !== undefined && (asks || (flats.includes('id') && keys.length <= 4))) return typed
  const control = controlsKeyOf(item, keys, type)
  if (control !== undefined) return control
  const named = keys.some(
    (key) => labelKeys.has(flat(key)) && !['name', 'id', 'key', 'text', 'title'].includes(flat(key)),
  )
  return named ? keys.find((key) => looseValueKeys.has(flat(key))) : undefined
}

/** The controls of a form: `{ type: 'radio', title: 'Course', options: [{ text: 'Guitar', checked: 1 }] }`. */
const controls = words('text textarea longtext radio checkbox select dropdown multiselect')

/** Returns the key of what was written in a control or chosen in it. */
function controlsKeyOf(item: Entries, keys: string[], type: string | undefined): string | undefined {
  if (type === undefined || !controls.has(flat(type)) || !keys.some((key) => /^(title|label|question)$/i.test(key)))
    return undefined
  return keys.find((key) => flat(key) === 'text') ?? keys.find((key) => isChosenIn(item[key]))
}

/** Whether a control holds what was written in it or chosen. */
export function isFilled(item: Entries, keys: string[]): boolean {
  const key = controlsKeyOf(item, keys, typeOf(item, keys))
  return key !== undefined && !isEmpty(item[key])
}

const markOf = (option: unknown) =>
  isEntries(option) ? Object.keys(option).find((key) => /^(is[ _-]?)?(checked|selected)$/i.test(key)) : undefined

const isChosenIn = (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.every((option) => markOf(option) !== undefined)

/** Returns the texts of the marked options, if it is a list of those. */
function chosenIn(value: unknown): string[] | undefined {
  if (!isChosenIn(value)) return undefined
  return (value as Entries[])
    .filter((option) => Boolean(option[markOf(option)!]))
    .map((option) => {
      const key = Object.keys(option).find((one) => /^(text|label|name|title|value)$/i.test(one))
      return String(key === undefined ? '' : option[key])
    })
}

const isText = (value: unknown) => typeof value === 'string' && /\p{L}/u.test(value)

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function typeOf(item: Entries, keys: string[]): string | undefined {
  for (const key of keys) if (typeKeys.has(flat(key)) && typeof item[key] === 'string') return item[key]
  return undefined
}

export function labelsOf(item: Entries, keys: string[], except?: string): string[] {
  const labels: string[] = []
  for (const key of keys) {
    if (key === except || !labelKeys.has(flat(key))) continue
    const value = item[key]
    if (typeof value === 'string' && value.trim() !== '') labels.push(value)
    else if (isEntries(value)) labels.push(...textsOf(value, nestedLabelKeys))
  }
  return labels
}

export function idsOf(item: Entries, keys: string[], except?: string): string[] {
  const ids: string[] = []
  for (const key of keys) {
    const value = item[key]
    if (key === except) continue
    if (isScalar(value) && idKeys.has(flat(key)) && value !== null && value !== '') ids.push(String(value))
    else if (isEntries(value) && labelKeys.has(flat(key))) ids.push(...textsOf(value, idKeys))
  }
  return ids
}

function textsOf(item: Entries, wanted: Set<string>): string[] {
  return Object.keys(item)
    .slice(0, 20)
    .filter((key) => wanted.has(flat(key)) && isScalar(item[key]) && item[key] !== null && item[key] !== '')
    .map((key) => String(item[key]))
}

export function hasValueKey(keys: string[]): boolean {
  return keys.some((key) => isValueKey(flat(key)))
}

const aboutValue = /valid|option|choice|setting|config|prop|meta|attr|rule|style|field|question|block|element|file/i

/** An object with inner objects is not a single value, even if it has a name and a value. */
export function holdsRecords(item: Entries, pair: Pair): boolean {
  return Object.keys(item).some((key) => key !== pair.valueKey && holdsEntries(item[key]) && !aboutValue.test(key))
}

const holdsEntries = (value: unknown) => isEntries(value) || (Array.isArray(value) && value.some(isEntries))

/** Returns the entries of a list of names and values; undefined for any other list. */
export function pairsOf(list: readonly unknown[]): Pair[] | undefined {
  if (list.length === 0 || list.length > 300) return undefined
  const known = list.map(pairOf)
  if (known.every((pair) => pair !== undefined) && !list.some((item, at) => isRecord(item, known[at])))
    return known as Pair[]
  return twoElementPairs(list) ?? pairsByContent(list)
}

/** Whether the entry has a person in it, or only an id and objects as its value: an object with a list. */
function isRecord(item: unknown, pair: Pair | undefined): boolean {
  if (isEntries(item) && Object.keys(item).some((key) => key !== pair?.valueKey && holdsContact(item[key]))) return true
  if (!pair || !isEntries(item) || pair.labels.length > 0 || !Array.isArray(pair.value)) return false
  return pair.value.some(isEntries) && Object.keys(item).some((key) => key !== pair.valueKey && holdsEntries(item[key]))
}

const holdsContact = (value: unknown) =>
  isEntries(value) && Object.keys(value).some((key) => isContact(key, value[key]))

function twoElementPairs(list: readonly unknown[]): Pair[] | undefined {
  const pairs: Pair[] = []
  for (const item of list) {
    if (!Array.isArray(item) || item.length !== 2 || typeof item[0] !== 'string') return undefined
    pairs.push({ labels: [item[0]], ids: [], type: undefined, valueKey: '1', value: item[1] })
  }
  return pairs.some((pair) => means(pair.labels[0]!)) ? pairs : undefined
}

/** Finds pairs by their content: the texts of one key look like field names, those of another are the answers. */
function pairsByContent(list: readonly unknown[]): Pair[] | undefined {
  if (list.length < 2 || !list.every(isEntries)) return undefined
  const first = list[0]!
  if (Object.keys(first).some((key) => isContact(key, first[key]))) return undefined
  const keys = Object.keys(first).filter((key) => list.every((item) => isScalar(item[key])))
  // Records whose own keys mean fields.
  if (keys.filter(means).length > 2) return undefined
  let labelKey: string | undefined
  let best = 0
  for (const key of keys.slice(0, 12)) {
    if (keys.length > 3 && isAboutEntry(key)) continue
    const loose = keys.length === 2 && areNames(list, key)
    const score = list.filter((item) => typeof item[key] === 'string' && means(item[key])).length
    if (score > best && (loose || (score > 1 && score * 2 >= list.length))) {
      labelKey = key
      best = score
    }
  }
  if (labelKey === undefined) return undefined
  const areLabels = areNames(list, labelKey)
  const isValues = (key: string) => key !== labelKey && !isAboutEntry(key) && isAnswer(list, key, areLabels)
  const named = Object.keys(first).filter((key) => isValueKey(flat(key)))
  const valueKey = named.find(isValues) ?? Object.keys(first).find(isValues)
  if (valueKey === undefined) return undefined
  return list.map((item) => ({
    labels: [String(item[labelKey])],
    ids: [],
    type: typeOf(item, Object.keys(item)),
    valueKey,
    value: item[valueKey],
  }))
}

function isAboutEntry(key: string): boolean {
  return (
    typeKeys.has(flat(key)) ||
    meaningOf(key).attribute ||
    /^(position|order|required|page|role|speaker)$/.test(flat(key))
  )
}

/** Whether the texts differ and look like keys. */
function areNames(list: readonly Entries[], key: string): boolean {
  const texts = list.map((item) => item[key])
  if (new Set(texts).size < texts.length) return false
  return texts.every((text) => typeof text === 'string' && text.length <= 80 && !/@|\d{5}|^\+/.test(text))
}

function isAnswer(list: readonly Entries[], key: string, named: boolean): boolean {
  const values = list.map((item) => item[key]).filter((value) => value !== null && value !== '' && value !== undefined)
  if (values.every((value) => isEntries(value) || /^\d{1,3}$/.test(String(value)))) return false
  return (
    values.length > 0 &&
    (named || new Set(values).size === values.length) &&
    values.some((value) => typeof value !== 'boolean')
  )
}

export function means(label: string): boolean {
  if (label.length > 200) return false
  const { senses } = meaningOf(label)
  return Object.values(senses).some((strength) => strength >= 75)
}
