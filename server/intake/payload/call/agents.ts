import { phoneIn } from '../../../crm/contacts/parse-contact.ts'
import type { CallType } from '../../../telephony/calls/contract.ts'
import { timeIn } from './call-values.ts'
import { isWord } from './call-words.ts'
import { isPartyWord, type Sign } from './party.ts'

const agentWords =
  'name number no num phone mobile cell tel email mail login username ext extn exten extension id by full code'.split(
    ' ',
  )
const bareAgent = /^(agent|user|operator|employee|staff|executive|member|representative|assignee|owner|answered|by)s?$/
/** What a machine says that answered. */
const noAgent = /^(human|machine\w*|bot|fax|unknown|system|(jio|airtel|vi|vodafone|idea|bsnl|mtnl|reliance)\b.*)$/i
/** Whether a value names its agent, and says nothing else of it. */
export const isNaming = ({ words }: Sign) => {
  const last = words.at(-1) ?? ''
  return agentWords.includes(last) || /^(full|first|display)?name$/.test(last)
}
const handled = /answer|attend|pick|handled|connected/

/** Returns the numbers, emails, extensions and names of agents, the most exact first; of the calls's agents, those who answered. */
export function agentsIn(signs: readonly Sign[], direction: CallType | null): Sign[] {
  const isOurSide = ({ key, party, value }: Sign) =>
    (party === (direction === 'Outbound' ? 'from' : 'to') || /^internal(number|ext|extension)?$/.test(key)) &&
    /^\d{2,6}$/.test(value)
  const isAgents = (sign: Sign) => {
    const { party, words, value } = sign
    const isNamed = isNaming(sign) || bareAgent.test(words.at(-1) ?? '')
    return (
      party === 'agent' &&
      isNamed &&
      value.length <= 100 &&
      !isWord(value) &&
      !isPartyWord(value) &&
      !noAgent.test(value) &&
      timeIn(value) === undefined &&
      !/^(true|false|https?:.*)$/i.test(value)
    )
  }
  const agents = signs.filter((sign) => isAgents(sign))
  const spoke = agents.filter(({ key, outer }) => handled.test(`${key} ${outer.flat().join(' ')}`))
  const rankOf = ({ isPhone, value, words }: Sign) =>
    isPhone || phoneIn(value)
      ? 0
      : value.includes('@')
        ? 1
        : /^\d{2,6}$/.test(value) && words.at(-1) !== 'id'
          ? 2
          : words.at(-1) === 'id'
            ? 4
            : 3
  const chosen = (spoke.length > 0 ? spoke : agents).toSorted((one, other) => rankOf(one) - rankOf(other))
  const exact = chosen.filter((sign) => rankOf(sign) < 4)
  return exact.length > 0 ? exact : chosen.length > 0 ? chosen : signs.filter(isOurSide)
}
