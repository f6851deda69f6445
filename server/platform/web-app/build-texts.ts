import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { NodePath, PluginObj, types as Types } from '@babel/core'
import lingui from '@lingui/babel-plugin-lingui-macro'
import { type CompiledMessage, compileMessage } from '@lingui/message-utils/compileMessage'
import babel from '@rolldown/plugin-babel'
import type { Plugin } from 'vite'
import { readCatalog, translationsIn } from '../languages/catalog.ts'
import { type Language, languages } from '../languages/contract.ts'

/**
 * The build of the texts: each script is written once for each language, with its texts in it. Thus no page loads texts of another
 * language, nor of other pages. English is in `assets/`, another language in a folder of its own there, with the same file names and its
 * own `index.<language>.html`.
 */
export const texts = (isBuild: boolean) => [markTexts(isBuild), writeLanguages]

/** English texts by the id that Lingui gives them. */
const english = new Map<string, CompiledMessage>()

/** Stands for a text in scripts until they are written: minifiers keep the names of globals. */
const placeholderOf = (id: string) => `__text_${id.replaceAll('-', '$')}__`
const placeholder = /__text_([\w$]{6})__/g

/** Lingui's macros make objects such as `{ id: 'dEgA5A', message: 'Cancel' }`, and mark them with a comment. */
function takeMessages({ types: t }: { types: typeof Types }, { isBuild }: { isBuild?: boolean }): PluginObj {
  const isMessage = ({ leadingComments }: Types.ObjectExpression) =>
    leadingComments?.some(({ value }) => value.trim().replace(/^\*\s*/, '') === 'i18n')
  const propertyOf = (node: Types.ObjectExpression, name: string) =>
    node.properties.filter((property) => t.isObjectProperty(property)).find(({ key }) => t.isIdentifier(key, { name }))
  const take = ({ node }: NodePath<Types.ObjectExpression>) => {
    const [id, message] = [propertyOf(node, 'id'), propertyOf(node, 'message')]
    if (!isMessage(node) || !t.isStringLiteral(id?.value) || !t.isStringLiteral(message?.value)) return
    const text = compileMessage(message.value.value)
    english.set(id.value.value, text)
    message.value = isBuild ? t.identifier(placeholderOf(id.value.value)) : t.valueToNode(text)
  }
  return { visitor: { Program: { exit: (program) => program.traverse({ ObjectExpression: take }) } } }
}

/** While developing, texts are in English. */
const markTexts = (isBuild: boolean) =>
  babel({
    presets: [
      {
        preset: {
          plugins: [
            [lingui, { descriptorFields: 'message' }],
            [takeMessages, { isBuild }],
          ],
        },
        rolldown: { filter: { code: /from '@lingui\/(core|react)\/macro'/ } },
      },
    ],
  })

const writeLanguages: Plugin = {
  name: 'write-languages',
  // Vite itself still changes scripts before they are written.
  writeBundle({ dir = '' }, bundle) {
    const write = (file: string, content: string) => {
      mkdirSync(dirname(join(dir, file)), { recursive: true })
      writeFileSync(join(dir, file), content)
    }
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    const page = readFileSync(join(dir, 'index.html'), 'utf8')
    for (const language of (Object.keys(languages) as Language[]).filter((one) => one !== 'en')) {
      const catalog = readCatalog(language)
      const translations = translationsIn(catalog)
      // Names of scripts have a hash of their code, without its texts.
      const folder = `assets/${language}-${createHash('sha256').update(catalog).digest('hex').slice(0, 8)}/`
      const inFolder = (code: string) => code.replace(/(["'/])assets\/([\w-]+\.js)/g, `$1${folder}$2`)
      for (const { fileName, code } of chunks)
        write(fileName.replace('assets/', folder), inFolder(withTexts(code, translations)))
      write(`index.${language}.html`, inFolder(page).replace('lang="en-IN"', `lang="${language}-IN"`))
    }
    for (const { fileName, code } of chunks) write(fileName, withTexts(code, english))
  },
}

const withTexts = (code: string, texts: Map<string, CompiledMessage>) =>
  code.replace(placeholder, (_, name: string) => {
    const id = name.replaceAll('$', '-')
    return JSON.stringify(texts.get(id) ?? english.get(id))
  })
