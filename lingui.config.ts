import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'
import { languages } from './server/platform/languages/contract.ts'

/** Where the texts of the web app, of emails, notifications and error messages are, and where their translations. */
export default defineConfig({
  sourceLocale: 'en',
  locales: Object.keys(languages),
  catalogs: [
    {
      path: '<rootDir>/languages/{locale}',
      include: ['web', 'server', 'operations'],
      exclude: ['**/*.test.ts', '**/node_modules/**'],
    },
  ],
  // Nothing transforms the code of the server: it uses the macros that need no transformation.
  macro: { corePackage: ['@lingui/core/macro', '@lingui/core/runtime-macro'] },
  format: formatter({ lineNumbers: false }),
})
