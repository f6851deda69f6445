/** The plugin in `vite.config.ts` turns each page into the steps of its guides. */
const pages = import.meta.glob<Record<string, string[]>>('../../docs/webhooks/*.md', { eager: true, import: 'default' })

/** The steps of each guide, by its name. */
export const guideSteps: Readonly<Record<string, string[]>> = Object.assign({}, ...Object.values(pages))
