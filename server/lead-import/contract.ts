import { type Static, Type } from 'typebox'
import { Line } from '../http/contract.ts'

export const ImportQuery = Type.Object({
  dry_run: Type.Optional(Type.Enum(['true', 'false'])),
  columns: Type.Optional(
    Type.String({ maxLength: 10_000, description: 'JSON: for each column by name the lead field it is, or ignore.' }),
  ),
  source: Type.Optional(Line(200, { description: 'For new leads without one. Default: CSV import.' })),
})
export type ImportQuery = Static<typeof ImportQuery>
