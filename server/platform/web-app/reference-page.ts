import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type {} from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { builtWebApp } from './built.ts'

const folder = join(builtWebApp, 'docs')

/** Serves the API reference: a page and its script, streamed from a compressed file. */
export function referencePage(app: FastifyInstance) {
  const nonce = randomBytes(16).toString('base64url')
  // The page contains no user input, so one nonce per process is as safe as one per request.
  const page = readFileSync(join(folder, 'index.html'), 'utf8').replaceAll('NONCE', nonce)
  const policy = [
    "default-src 'self'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ')

  app.get('/docs', { schema: { hide: true } }, (_request, reply) =>
    reply
      .headers({ 'content-security-policy': policy, 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(page),
  )
  app.get('/docs/js/scalar.js', { schema: { hide: true } }, (_request, reply) =>
    reply.sendFile('scalar.js', folder, { maxAge: '1h', immutable: false }),
  )
}
