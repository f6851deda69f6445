import { type Guide, sorted } from './guide.ts'

/** The plugin in `vite.config.ts` turns each page into its guides. */
const pages = import.meta.glob<Guide[]>(
  ['../../../server/intake/payload/senders/*/guide.md', '../../../docs/webhooks/{zapier-make-n8n-pabbly,README}.md'],
  { eager: true, import: 'default' },
)

export const guides = sorted(Object.values(pages).flat())
