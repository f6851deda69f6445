import { copyLine } from '../../server/platform/database/copy.ts'
import type { TableInBackup } from '../backup/manifest.ts'
import { savedRow, wholeLines } from './saved-account.ts'

/** The columns of `two_factors` that better-auth encrypts with the secret of the installation. */
const encrypted = ['secret', 'backup_codes']

/**
 * Encrypts the secrets of two-factor sign-in for another installation, so that users keep their authenticator apps and the secret of an
 * installation, with which sessions of all its accounts can be forged, is in no file of one account.
 */
export async function* encryptedAgain(
  rows: AsyncIterable<Buffer>,
  { columns }: Pick<TableInBackup, 'columns'>,
  { from, to }: { from: string | null; to: string },
): AsyncGenerator<Buffer> {
  // It takes long to load.
  const { symmetricDecrypt, symmetricEncrypt } = await import('better-auth/crypto')
  for await (const text of wholeLines(rows)) {
    for (const line of text.toString().split('\n').slice(0, -1)) {
      const row = savedRow(columns, line)
      for (const column of encrypted) {
        if (from === null) throw new Error('The file lacks the secret with which two-factor sign-in is encrypted.')
        const data = await symmetricDecrypt({ key: from, data: row[column]! })
        row[column] = await symmetricEncrypt({ key: to, data })
      }
      yield Buffer.from(copyLine(columns.map((column) => row[column]!)))
    }
  }
}
