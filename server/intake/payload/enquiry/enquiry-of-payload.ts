import type { EnquiryDraft } from '../../../crm/enquiries/enquiry.ts'
import { type EnquiryPart, isEnquiryTarget, type MappedField } from '../contract.ts'
import type { LeadDraft } from '../lead-draft.ts'
import { pathText } from '../path.ts'
import { isFreePart } from '../senders/read-sender.ts'
import type { Shape } from '../senders/sender.ts'
import type { Leaf } from '../structure/leaves.ts'
import { declaredIn } from './declared-enquiry.ts'
import { collected, type FreeValue, isOrigin, partNamed, questionIn } from './part-of-value.ts'
import { askedBeside, withWholeDates } from './questions-apart.ts'
import { readEnquiry } from './read-enquiry.ts'
import { repeatsLead } from './repeats-lead.ts'

interface Given {
  lead: LeadDraft
  /** What the mapping and recognition say that values are. */
  decided: ReadonlyMap<Leaf, MappedField>
  /** All values by their place, if the sender is known. */
  places: ReadonlyMap<string, Leaf>
  shape: Shape | undefined
  /** Values outside of the sender's questions. */
  outside: ReadonlySet<Leaf>
  isCall: boolean
}

/** The part of an enquiry that a value is, by its path. */
export interface ReadPart {
  path: string
  part: EnquiryPart
}

/** Reads the enquiry of the values of a payload that no lead field takes. */
export function enquiryOfPayload(
  payload: unknown,
  leaves: readonly Leaf[],
  { lead, decided, places, shape, outside, isCall }: Given,
): { enquiry: EnquiryDraft; parts: ReadPart[] } {
  const { parts: declared, origin } = declaredIn(payload, places, shape)
  const hasQuestions = (shape?.questions?.length ?? 0) > 0
  const hasOnlyDeclared = shape?.enquiry?.answers !== undefined
  const isOutside = (leaf: Leaf) =>
    hasQuestions
      ? outside.has(leaf)
      : isCall &&
        !leaf.around.some(isFreePart) &&
        ![...leaf.labels, ...leaf.around].some((name) => collected.test(name))
  const isOutermostId = ({ path }: Leaf) => !shape?.enquiry && !isCall && path.length === 1 && path[0] === 'id'
  const joined = withWholeDates(leaves)
  const asked = askedBeside(joined)
  const transcripts = new Set(joined.filter(({ value }) => speakers.test(value)).map(({ group }) => group))
  const free = joined.flatMap((leaf): (FreeValue & { leaf: Leaf })[] => {
    const { value, labels, around, group, isChoice = false } = leaf
    const question = asked.get(leaf) ?? questionIn(labels) ?? around[0] ?? pathText(leaf.path)
    const field = decided.get(leaf)
    const mapped = field === undefined ? undefined : mappedPart(field)
    // The source of a lead may be a UTM value, too.
    const named = partNamed({ question, value, around })
    const both = declared.get(leaf) ?? named
    if (mapped === 'field' && !isOrigin(both)) return []
    const isSpare = repeatsLead(lead, question, value) || transcripts.has(leaf.group) || asked.get(leaf) === ''
    // What a person consents to may be asked among other questions.
    const isAgreed = declared.get(leaf) === 'answer' && named?.startsWith('consent') === true
    const stated = (isAgreed ? named : declared.get(leaf)) ?? (isOutermostId(leaf) ? 'lead_id' : undefined)
    const part = mapped === 'field' ? both : (mapped ?? (isSpare ? 'left_out' : stated))
    return [
      {
        leaf,
        question,
        value,
        around,
        group,
        isChoice,
        part,
        isAsked: hasQuestions && !outside.has(leaf),
        isOutside: hasOnlyDeclared || isOutside(leaf),
      },
    ]
  })
  const { enquiry, parts } = readEnquiry(free, origin)
  return {
    enquiry,
    parts: parts.flatMap((part, at) =>
      isField(free[at]!.leaf) ? [] : [{ path: pathText(free[at]!.leaf.path), part }],
    ),
  }

  function isField(leaf: Leaf): boolean {
    const field = decided.get(leaf)
    return field !== undefined && mappedPart(field) === 'field'
  }
}

/** Who says something in a chat that is sent as a whole. */
const speakers = /^(bot|assistant|chatbot)$/i

/** `field`: a lead field or a part of a call takes the value. */
function mappedPart(field: MappedField): EnquiryPart | 'field' {
  if (field === 'ignore') return 'left_out'
  return isEnquiryTarget(field) ? field : 'field'
}
