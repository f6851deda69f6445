import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { builtWebApp } from './build.ts'

/** The addresses at which the web app has a page; `web/routes.tsx` says which. */
const places = [
  ...['/', '/sign-in', '/forgotten', '/join/:token', '/leads', '/leads/:id', '/calls', '/profile', '/first-request'],
  '/settings/:matter',
  '/settings/:matter/:id',
]

/** The web app: one page for all its addresses, and what that page loads. Answers how to show it where nothing is. */
export async function webApp(app: FastifyInstance) {
  const page = readFileSync(join(builtWebApp, 'index.html'), 'utf8')

  const showPage = (reply: FastifyReply) => {
    // Style elements that components make are allowed by a nonce, which the page hands to them.
    const nonce = randomBytes(16).toString('base64url')
    const policy = String(reply.getHeader('content-security-policy'))
    return reply
      .header('content-security-policy', policy.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`))
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(page.replaceAll('NONCE', nonce))
  }

  for (const url of places) app.get(url, { schema: { hide: true } }, async (_request, reply) => showPage(reply))
  app.get('/icon.svg', { schema: { hide: true } }, async (_request, reply) => reply.sendFile('icon.svg', builtWebApp))
  // Their names hold a hash of what is in them.
  await app.register(fastifyStatic, {
    root: join(builtWebApp, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
  })

  return { showPage, isForPeople }
}

/** A person's browser goes somewhere, and no program asks. */
const isForPeople = ({ method, headers }: FastifyRequest) =>
  method === 'GET' && Boolean(headers.accept?.includes('text/html'))
