import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { fonts } from './server/platform/web-app/build-fonts.ts'
import { texts } from './server/platform/web-app/build-texts.ts'
import { guidesIn } from './web/intake/webhooks/guide.ts'

const service = 'http://127.0.0.1:8080'

/** Turns a page into its guides, so that the web app does not contain the whole page. */
const guides: Plugin = {
  name: 'guides',
  transform: {
    filter: { id: /\/(docs\/webhooks\/[\w-]+|senders\/[\w-]+\/guide)\.md$/ },
    handler(page, id) {
      const isSender = id.endsWith('/guide.md')
      const sender = isSender ? JSON.parse(readFileSync(join(dirname(id), 'sender.json'), 'utf8')).guide : undefined
      const own = guidesIn(relative(import.meta.dirname, id), page, sender)
      return { code: `export default ${JSON.stringify(own)}`, moduleType: 'js' }
    },
  },
}

/** Asks for the app's code and style with the page itself. `web/load.ts` imports them when it runs. */
const preloads: Plugin = {
  name: 'preloads',
  transformIndexHtml: {
    order: 'post',
    handler(_page, { bundle = {} }) {
      const app = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'app')
      if (app?.type !== 'chunk') return []
      const styles = [...(app.viteMetadata?.importedCss ?? [])]
      const link = (rel: string, file: string) => ({
        tag: 'link',
        attrs: { rel, href: `/${file}`, crossorigin: true, nonce: 'NONCE' },
      })
      return [link('modulepreload', app.fileName), ...styles.map((file) => link('stylesheet', file))]
    },
  },
}

/** Builds the web app into dist/web. `npm start` runs `server/platform/web-app/build.ts` when it is needed. */
export default defineConfig(({ command }) => ({
  root: 'web',
  publicDir: 'platform/web-app/public',
  plugins: [...texts(command === 'build'), react(), guides, fonts, preloads],
  // The schemas of contracts are for the server.
  resolve: { alias: { typebox: join(import.meta.dirname, 'web/platform/web-app/no-schemas.ts') } },
  // The server puts a new nonce in its place for every page it hands out.
  html: { cspNonce: 'NONCE' },
  build: {
    // An image in an address would need a wider content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // A few files: each one waits for a slow network. A group has what its modules import, except for that of groups before it.
    rolldownOptions: {
      // Schemas that no page uses are left out.
      treeshake: {
        manualPureFunctions: [
          ...['Type', 'Line', 'Lines', 'Uuid', 'Instant', 'Nullable', 'ChangeParameters'],
          ...['Outcome', 'Status', 'Priority', 'Rupees', 'CalendarDay'],
          ...['AnyOf', 'Name', 'Flag', 'TextLine', 'everyText'],
        ],
      },
      output: {
        codeSplitting: {
          groups: [
            { name: 'load', tags: ['$initial'], priority: 4 },
            { name: 'app', test: /\/web\/(main|access\/sign-in\/SignInPage)\.tsx$/, priority: 3 },
            { name: 'start', test: /\/(Frame|CallQueuePage)\.tsx$/, priority: 2 },
            {
              name: 'shared',
              test: /node_modules\/(@mantine\/(core|hooks|form)|@floating-ui|@tabler)\/|\/web\/ui\//,
              minShareCount: 3,
            },
          ],
        },
      },
    },
  },
  // For work on the pages, over a service that runs on its usual port.
  server: {
    proxy: Object.fromEntries(
      ['/web/', '/web-public/', '/auth/', '/docs', '/api/', '/readyz'].map((path) => [
        path,
        { target: service, headers: { origin: service } },
      ]),
    ),
  },
}))
