import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CompiledMessage, compileMessage } from '@lingui/message-utils/compileMessage'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { parsePo } from 'pofile-ts'
import type { Language } from './contract.ts'

/** The file of a language in `languages/`. */
export const readCatalog = (language: Language) =>
  readFileSync(join(import.meta.dirname, `../../../languages/${language}.po`), 'utf8')

/** The translations of such a file, by the id that Lingui gives their English texts. */
export const translationsIn = (catalog: string) =>
  new Map<string, CompiledMessage>(
    parsePo(catalog)
      .items.filter(({ msgstr }) => msgstr[0])
      .map(({ msgid, msgctxt, msgstr }) => [
        generateMessageId(msgid, msgctxt ?? undefined),
        compileMessage(msgstr[0]!),
      ]),
  )
