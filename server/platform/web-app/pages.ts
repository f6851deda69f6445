import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { encoders } from '../http/compress-json.ts'
import { acceptedEncoding } from '../http/compressed-answer.ts'
import { sendNoDocuments } from '../http/security-headers.ts'
import { type Language, languages } from '../languages/contract.ts'
import { acceptedLanguage, isLanguage } from '../languages/translate.ts'
import { builtWebApp } from './built.ts'
import { pages } from './contract.ts'

/** What an installed app needs, at fixed URLs. */
const installable = [
  ...['icon.svg', 'icon-180.png', 'icon-192.png', 'icon-512.png'],
  ...['manifest.webmanifest', 'service-worker.js'],
]

/**
 * Serves the web app: one page for all its paths, and its assets. Returns a function that shows it for unknown paths.
 * `sendsApiKey`: the request is from a program that looks for the API, at /leads for example.
 */
export async function webApp(app: FastifyInstance, sendsApiKey: (request: FastifyRequest) => boolean) {
  const pageIn = Object.fromEntries(
    Object.keys(languages).map((language) => [language, readFileSync(join(builtWebApp, pageFile(language)), 'utf8')]),
  ) as Record<Language, string>

  const showPage = async (reply: FastifyReply) => {
    const { headers } = reply.request
    const { cookie = '', 'accept-language': accepted } = headers
    const page = pageIn[chosenLanguage(cookie) ?? acceptedLanguage(accepted)]
    // The page passes this nonce to components that create style elements.
    const nonce = randomBytes(16).toString('base64url')
    const policy = String(reply.getHeader('content-security-policy'))
    reply
      .header('content-security-policy', policy.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`))
      .header('cache-control', 'no-store')
      .header('vary', 'accept-encoding')
      .type('text/html; charset=utf-8')
    const encoding = acceptedEncoding(headers)
    const text = page.replaceAll('NONCE', nonce)
    if (!encoding) return reply.send(text)
    return reply.header('content-encoding', encoding).send(await encoders[encoding](text))
  }

  for (const url of Object.values(pages))
    app.get(url.replaceAll('$', ':'), { schema: { hide: true } }, async (request, reply) => {
      return sendsApiKey(request) ? reply.callNotFound() : showPage(reply)
    })
  for (const file of installable) {
    app.get(`/${file}`, { schema: { hide: true } }, async (_request, reply) =>
      reply.sendFile(file, builtWebApp, { immutable: false, maxAge: 0 }),
    )
  }
  await app.register(fastifyStatic, { root: builtWebApp, serve: false, preCompressed: true })
  await app.register(async (assets) => {
    sendNoDocuments(assets)
    // Their names contain a hash of the content.
    await assets.register(fastifyStatic, {
      root: join(builtWebApp, 'assets'),
      prefix: '/assets/',
      preCompressed: true,
      immutable: true,
      maxAge: '365d',
      decorateReply: false,
    })
  })

  /** Whether a browser navigates, rather than a program. */
  const isForPeople = (request: FastifyRequest) =>
    request.method === 'GET' && Boolean(request.headers.accept?.includes('text/html')) && !sendsApiKey(request)

  return { showPage, isForPeople }
}

const pageFile = (language: string) => (language === 'en' ? 'index.html' : `index.${language}.html`)

/** The web app keeps the user's choice in a cookie. */
function chosenLanguage(cookies: string): Language | undefined {
  const [, code = ''] = /(?:^|; )language=(\w+)/.exec(cookies) ?? []
  return isLanguage(code) ? code : undefined
}
