import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { builtWebApp } from './built.ts'
import { pages } from './contract.ts'

/** What an installed app needs, at fixed URLs. */
const installable = [
  ...['icon.svg', 'icon-180.png', 'icon-192.png', 'icon-512.png'],
  ...['manifest.webmanifest', 'service-worker.js', 'offline.html'],
]

/** Serves the web app: one page for all its paths, and its assets. Returns a function that shows it for unknown paths. */
export async function webApp(app: FastifyInstance) {
  const page = readFileSync(join(builtWebApp, 'index.html'), 'utf8')

  const showPage = (reply: FastifyReply) => {
    // The page passes this nonce to components that create style elements.
    const nonce = randomBytes(16).toString('base64url')
    const policy = String(reply.getHeader('content-security-policy'))
    return reply
      .header('content-security-policy', policy.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`))
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(page.replaceAll('NONCE', nonce))
  }

  for (const url of Object.values(pages))
    app.get(url.replaceAll('$', ':'), { schema: { hide: true } }, async (_request, reply) => showPage(reply))
  for (const file of installable) {
    app.get(`/${file}`, { schema: { hide: true } }, async (_request, reply) =>
      reply.sendFile(file, builtWebApp, { immutable: false, maxAge: 0 }),
    )
  }
  // Their names contain a hash of the content.
  await app.register(fastifyStatic, {
    root: join(builtWebApp, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
  })

  return { showPage, isForPeople }
}

/** Returns whether a browser navigates, rather than a program. */
const isForPeople = ({ method, headers }: FastifyRequest) =>
  method === 'GET' && Boolean(headers.accept?.includes('text/html'))
