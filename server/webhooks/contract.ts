import { NewLead } from '../leads/contract.ts'

/** What an owner may map an incoming field to: a lead's field, a part of its name, or nothing. */
export const mappedFields = [
  ...(Object.keys(NewLead.properties) as (keyof NewLead)[]),
  ...(['first_name', 'last_name', 'ignore'] as const),
]
export type MappedField = (typeof mappedFields)[number]
