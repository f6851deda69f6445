import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

/** The format of backup files (docs/reference/backup-format.md). A program reads its own format and all earlier ones. */
export const format = 1

export const manifestName = 'manifest.json'

/** Text of a table in one part of the file, before compression. */
export const partSize = 4 * 1024 * 1024

const Count = Type.Integer({ minimum: 0 })
const Name = Type.String({ minLength: 1, maxLength: 200 })

const Table = Type.Object({
  name: Name,
  columns: Type.Array(Name, { minItems: 1 }),
  rows: Count,
  /** Each part as it is in the file. */
  parts: Type.Array(Type.Object({ bytes: Count, sha256: Type.String() })),
})
export type TableInBackup = Static<typeof Table>

const Manifest = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  program: Type.String(),
  postgresql: Type.String(),
  created_at: Type.String(),
  /** The schema: every migration of the database, in order. */
  migrations: Type.Array(Name),
  /** Those with which programs of the version before keep working. Missing in backups of version 0.2. */
  compatible: Type.Optional(Type.Array(Name)),
  /** A file with one account of several names it. */
  account: Type.Optional(Type.Object({ id: Type.String({ pattern: '^[0-9a-f-]{36}$' }), name: Name })),
  accounts: Count,
  leads: Count,
  tables: Type.Array(Table),
  sequences: Type.Array(
    Type.Object({
      table: Name,
      column: Name,
      last_value: Type.String({ pattern: '^-?[0-9]+$' }),
      is_called: Type.Boolean(),
    }),
  ),
})
export type Manifest = Static<typeof Manifest>

/** Returns null for a text that is no manifest of a known format. */
export function parseManifest(text: string): Manifest | null {
  const value: unknown = JSON.parse(text)
  return Value.Check(Manifest, value) && value.format <= format ? value : null
}

/** `tables/leads/00001.zst` */
export const partName = (table: string, index: number) => `tables/${table}/${String(index + 1).padStart(5, '0')}.zst`
