import { type Consent, type Origin, type OriginPart, originParts } from '../../../crm/enquiries/contract.ts'
import { type EnquiryDraft, fitEnquiry } from '../../../crm/enquiries/enquiry.ts'
import type { EnquiryPart } from '../contract.ts'
import { isBlank } from '../structure/values.ts'
import { type Agreed, no, statementsOf, ticked } from './consent-statements.ts'
import { originOfPage } from './origin-of-page.ts'
import { type FreeValue, files, general, isLink, partOf } from './part-of-value.ts'
import { partOfName } from './word-part.ts'

/**
 * Reads the enquiry of the values that no lead field takes, in their order. `declared`: what the sender says of its origin. `parts`: what
 * each value is.
 */
export function readEnquiry(
  values: readonly FreeValue[],
  declared: Origin = {},
): { enquiry: EnquiryDraft; parts: EnquiryPart[] } {
  const found: { part: OriginPart; question: string; said: string }[] = []
  const answers = new Map<string, string[]>()
  const consent: Consent = { statements: [] }
  const agreed: (Agreed & { group: unknown })[] = []
  const parts = values.map((free) => {
    const { value, isChoice = false, group } = free
    if (isUnfilled(free) && !(isChoice && value !== '')) {
      // A box of a consent that was left empty.
      if (ticks.test(free.question) && partOf(free) === 'consent')
        agreed.push({ question: free.question, said: 'No', group })
      return 'left_out'
    }
    const part = partOf(free)
    const said = /^(true|on)$/i.test(value.trim()) ? 'Yes' : /^false$/i.test(value.trim()) ? 'No' : value.trim()
    const question = part === 'answer' ? askedOf(free, value) : free.question.trim()
    if (question === undefined || (/_id$/.test(part) && said === '0')) return 'left_out'
    if (part === 'answer') answers.set(question, [...new Set([...(answers.get(question) ?? []), said])])
    else if (part === 'consent')
      agreed.push({ question, said: ticked.test(said) ? 'Yes' : no.test(said) ? 'No' : said, group })
    else if (part === 'consent_at') consent.at ??= said
    else if (part === 'consent_page') consent.page ??= said
    else if (part === 'do_not_call') {
      if (no.test(said)) return 'left_out'
      consent.do_not_call ??= ticked.test(said) ? question : `${question}: ${said}`
    } else if (part !== 'left_out') found.push({ part, question, said })
    return part
  })
  consent.statements = [...Map.groupBy(agreed, ({ group }) => group).values()].flatMap(statementsOf)
  const isConsent = Object.keys(consent).length > 1 || consent.statements.length > 0
  const list = [...answers].map(([question, said]) => ({ question, answer: said.join(', ') }))
  const draft = { origin: originOf(found, declared), answers: list, consent: isConsent ? consent : null, omitted: 0 }
  return { enquiry: fitEnquiry(draft), parts }
}

const ticks = /check|accept|agree|given|granted|selected/i

/** Whether it is empty, or a placeholder. A person may answer a question with “None”. */
function isUnfilled({ question, value, isAsked = false }: FreeValue): boolean {
  const isAnswered = /^(none|nil)$/i.test(value.trim()) && (isAsked || partOfName(question).isQuestion)
  return isBlank(value.trim()) && !isAnswered
}

/** The question of a file is around its URL; its size and its name are none. */
function askedOf({ question, around: [outer] = [] }: FreeValue, value: string): string | undefined {
  if (outer === undefined || !general.test(question) || !files.test(outer)) return question.trim()
  return isLink(value) ? outer : undefined
}

/** What has a name or a title goes before a bare value, which then is an id, and the page of the form before the one that was landed on. */
function originOf(found: readonly { part: OriginPart; question: string; said: string }[], declared: Origin): Origin {
  const origin: Origin = { ...declared }
  const isFirst = ({ part, question }: (typeof found)[number]) =>
    part === 'page_url'
      ? !/land|first|entry|original/i.test(question)
      : part === 'lead_id'
        ? question !== 'id'
        : /name|title|headline/i.test(question)
  for (const one of [...found.filter(isFirst), ...found.filter((each) => !isFirst(each))]) {
    const { part, said } = one
    const id: OriginPart | undefined = (ids as Partial<Record<OriginPart, OriginPart>>)[part]
    if (origin[part] === undefined) origin[part] = said
    else if (id && origin[part] !== said && !/\s/.test(said)) origin[id] ??= said
  }
  const urls = found.filter(({ part }) => part === 'page_url').map(({ said }) => said)
  const pages = [declared.page_url ?? '', ...urls].map(originOfPage)
  for (const page of pages) for (const part of Object.keys(page) as OriginPart[]) origin[part] ??= page[part]!
  return Object.fromEntries(originParts.flatMap((part) => (origin[part] ? [[part, origin[part]]] : [])))
}

const ids = { form: 'form_id', campaign: 'campaign_id', ad_set: 'ad_set_id', ad: 'ad_id' } as const
