import { rupeesIn } from '../../crm/leads/contract.ts'
import { fieldReaders } from '../payload/lead-draft.ts'
import { meaningOf } from '../payload/words/meaning.ts'
import { callTypeNamed, statusNamed } from './known-values.ts'
import { readCellTime } from './read-time.ts'

/** What the values of a column are, where its header says nothing that is known. */

const mostly = (values: readonly string[], is: (value: string) => boolean, share = 0.8) =>
  values.length > 0 && values.filter(is).length >= share * values.length

/** Plain numbers may be phones or ids, but for 20251231. */
const timeOf = (value: string) =>
  /^\d+([.,]\d+)?$/.test(value) && !/^(19|20)\d{6}$/.test(value) ? undefined : readCellTime(value)

export const haveDates = (values: readonly string[]) => mostly(values, (value) => timeOf(value) !== undefined, 0.3)

/** Whether they are times of day, whose dates are in another column. */
export const areClocks = (name: string, values: readonly string[]) =>
  !otherEvents.test(name.replace(/call/i, '')) && mostly(values, (value) => clockOnly.test(value))

export const clockOnly = /^\d{1,2}:\d\d(:\d\d(\.\d+)?)?( ?[ap]\.?m\.?)?$/i

/** Whether the dates may be when the leads were created: they are past, and the header names no other event. */
export const mayBeCreation = (name: string, values: readonly string[]) =>
  !otherEvents.test(name) && mostly(values, (value) => (timeOf(value)?.getTime() ?? Infinity) <= Date.now())

const otherEvents =
  /birth|dob|anniv|wedding|marri|visit|appoint|demo|meet|follow|call|contact|activ|next|last|due|expir|valid|renew|possess|deliver|dispatch|pay|paid|book|check|arriv|depart|travel|event|join|start|end|clos|won|lost|convert|assign|modif|updat|edit|sync|seen|login|sent|open|purchas|order|invoice|bill|install|exam|batch|mov|pickup|sched|plan|prefer|expect|target|deadline|until|since|जन्म|शादी|अगल|आखिर|अंतिम/i

/** Several different ones: a column with the same word in each row may say anything. */
export const areStatuses = (name: string, values: readonly string[]) =>
  !/\?\s*$/.test(name) &&
  new Set(values.map(statusNamed)).difference(new Set([undefined])).size > 1 &&
  mostly(values, (value) => statusNamed(value) !== undefined)

/** With a currency or a unit, unless the header names other money. */
export const areAmounts = (name: string, values: readonly string[]) =>
  !otherMoney.test(name) && mostly(values, (value) => /[^\d\s.,]/.test(value) && rupeesIn(value) !== undefined)

const otherMoney =
  /income|salary|ctc|loan|emi|rent|deposit|advance|paid|payment|due|balance|revenue|turnover|fee|tax|gst|discount|commission|आय|वेतन|किराया/i

/** Returns whether a further column has phones or emails of the person, of which a lead has any number. */
export function contactsIn(name: string, values: readonly string[]): 'phone' | 'email' | undefined {
  const { senses, staff, kin, attribute, to } = meaningOf(name)
  if (staff || kin || attribute || to) return undefined
  return (['email', 'phone'] as const).find(
    (kind) =>
      (senses[kind] ?? 0) >= 80 &&
      mostly(values, (value) => fieldReaders[kind](value.split(' ::: ')[0]!) !== undefined, 0.5),
  )
}

export const areDirections = (values: readonly string[]) =>
  mostly(values, (value) => callTypeNamed(value) !== undefined)
