import type { Origin, OriginPart } from '../../../crm/enquiries/contract.ts'
import type { EnquiryPart } from '../contract.ts'
import { leavesWithin, placeOf } from '../manual-mapping.ts'
import { textOf } from '../plain-text.ts'
import type { Shape } from '../senders/sender.ts'
import type { Leaf } from '../structure/leaves.ts'
import { Opener } from '../structure/open-value.ts'
import { isBlank } from '../structure/values.ts'
import { isOrigin, partNamed, questionIn } from './part-of-value.ts'

interface Declared {
  parts: Map<Leaf, EnquiryPart>
  /** The first of several paths with a value, and all values of a list. */
  origin: Origin
}

/** Returns what a sender declares of the enquiry. */
export function declaredIn(payload: unknown, places: ReadonlyMap<string, Leaf>, shape: Shape | undefined): Declared {
  const parts = new Map<Leaf, EnquiryPart>()
  const origin: Origin = {}
  if (!shape?.enquiry) return { parts, origin }
  const opener = new Opener()
  const declare = (path: string, part: EnquiryPart) => {
    const place = placeOf(payload, path, opener)
    const exact = place && places.get(place.at)
    for (const leaf of place ? (exact ? [exact] : leavesWithin(places, place.at)) : []) {
      // A click id in an object that is left out is origin all the same.
      const { labels, value, around } = leaf
      const named =
        part === 'left_out' && !exact ? partNamed({ question: questionIn(labels) ?? '', value, around }) : part
      if (!parts.has(leaf)) parts.set(leaf, isOrigin(named) && named !== 'product' ? named : part)
    }
    return place?.value
  }
  const { origin: ofOrigin = {}, answers = [], consent = [], do_not_call = [], left_out = [] } = shape.enquiry
  for (const [part, paths] of Object.entries(ofOrigin) as [OriginPart, string[]][]) {
    for (const path of paths) {
      const value = declare(path, part)
      if (origin[part] !== undefined) continue
      const texts = path.includes('[]') ? textsOfList(payload, path, opener) : [textOf(value, maxLength)?.trim() ?? '']
      const said = [...new Set(texts)].join(', ')
      if (!isBlank(said) && !(part.endsWith('_id') && said === '0')) origin[part] = said
    }
  }
  for (const path of consent) declare(path, 'consent')
  for (const path of do_not_call) declare(path, 'do_not_call')
  for (const path of left_out) declare(path, 'left_out')
  for (const path of answers) declare(path, 'answer')
  return { parts, origin }
}

/** In characters, and of a list. */
const [maxLength, maxItems] = [1000, 20]

/** Returns the texts at a path with `[]`, which stands for each item of a list. */
function textsOfList(payload: unknown, path: string, opener: Opener): string[] {
  const [list = '', inner = ''] = path.split('[].')
  const items = placeOf(payload, list, opener)?.value
  if (!Array.isArray(items))
    return [textOf(placeOf(payload, `${list}.${inner}`, opener)?.value, maxLength)?.trim() ?? '']
  const values = items.slice(0, maxItems).map((item) => placeOf(opener.open(item), inner, opener)?.value)
  return values.flatMap((value) => textOf(value, maxLength)?.trim() || [])
}
