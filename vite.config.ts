import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { guidesIn } from './web/webhooks/guide.ts'

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

/** Builds the web app into dist/web. `npm start` runs `server/web-app/build.ts` when it is needed. */
export default defineConfig({
  root: 'web',
  plugins: [react(), guides],
  // The schemas of contracts are for the server.
  resolve: { alias: { typebox: join(import.meta.dirname, 'web/no-schemas.ts') } },
  // The server puts a new nonce in its place for every page it hands out.
  html: { cspNonce: 'NONCE' },
  build: {
    // An image in an address would need a wider content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What many pages share comes in one file: fifty small ones would each wait for a slow network.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
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
})
