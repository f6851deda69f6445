import type { FastifyInstance } from 'fastify'

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lead Engine</title>
<link rel="stylesheet" href="/home.css">
<main>
<h1>Lead Engine</h1>
<p>Leads come in over a REST interface and from any platform's webhook; one person stays one lead; everyone sees just what is theirs.</p>
<p><a href="/docs/">API reference</a> · <a href="/api/v1/openapi.json">OpenAPI description</a></p>
<p>Keys, webhooks, people and distribution rules are set up with the <code>lead-engine</code> command.</p>
</main>
</html>
`

const style = `:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif }
main { max-width: 36rem; margin: 15vh auto 0; padding: 0 1.5rem }
h1 { font-size: 1.75rem; margin: 0 0 .5rem }
code { font-size: .95em }
a { color: light-dark(#3b5bdb, #91a7ff) }
`

/** What stands at / until the web app does. */
export function homePage(app: FastifyInstance) {
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.type('text/html; charset=utf-8').send(page))
  app.get('/home.css', { schema: { hide: true } }, async (_request, reply) => reply.type('text/css').send(style))
}
