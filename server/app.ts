import { randomUUID } from 'node:crypto'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyInstance, type FastifyPluginAsync, LogController } from 'fastify'
import manifest from '../package.json' with { type: 'json' }
import { userEmailFormat } from './access/account/user-email.ts'
import { accountAdminRoutes, accountRoutes } from './access/account/web-routes.ts'
import { requireApiKey } from './access/api-keys/authenticate.ts'
import { keyRoutes } from './access/api-keys/web-routes.ts'
import { auditRoutes } from './access/audit/web-routes.ts'
import { profileRoutes } from './access/profile/web-routes.ts'
import { forgottenRoutes } from './access/sign-in/forgotten-routes.ts'
import { joinRoutes } from './access/sign-in/join-routes.ts'
import { requireAdmin, requireSession } from './access/sign-in/require-session.ts'
import { type SignIn, signInRoutes } from './access/sign-in/sign-in.ts'
import { singleSignOnRoutes } from './access/sign-in/single-sign-on-routes.ts'
import { slowGuesses } from './access/sign-in/slow-guesses.ts'
import { webLimits } from './access/sign-in/web-limits.ts'
import type { Config } from './config.ts'
import { availabilityRoutes } from './crm/availability/web-routes.ts'
import { bulkChangeRoutes } from './crm/bulk-changes/web-routes.ts'
import { contactFormat, emailFormat, phoneFormat } from './crm/contacts/contact-formats.ts'
import { distributionRoutes } from './crm/distribution/web-routes.ts'
import { duplicateRoutes } from './crm/duplicates/web-routes.ts'
import { enquiryWebRoutes } from './crm/enquiries/web-routes.ts'
import { createRoute } from './crm/leads/create-route.ts'
import { leadRoutes } from './crm/leads/routes.ts'
import { leadWebRoutes } from './crm/leads/web-routes.ts'
import { viewRoutes } from './crm/views/web-routes.ts'
import { overviewRoutes } from './insight/overview/web-routes.ts'
import { reportAdminRoutes, reportRoutes } from './insight/reports/web-routes.ts'
import { leadImportRoutes } from './intake/lead-import/web-routes.ts'
import { readOtherFields, stopIdleReaders } from './intake/payload/read-payload.ts'
import { openRequestLog } from './intake/request-log/log-requests.ts'
import { requestLogRoutes } from './intake/request-log/web-routes.ts'
import { offerIgnored } from './intake/webhooks/deliveries/dry-run.ts'
import { deliveryReader } from './intake/webhooks/deliveries/read-delivery.ts'
import { receiveWebhooks } from './intake/webhooks/deliveries/receive.ts'
import { limitStorage } from './intake/webhooks/deliveries/storage-quota.ts'
import { deliveryRoutes } from './intake/webhooks/deliveries/web-routes.ts'
import { webhookRoutes } from './intake/webhooks/web-routes.ts'
import type { Database } from './platform/database/connect.ts'
import { findConflict, isAway, isBusy, unwritableBy } from './platform/database/errors.ts'
import { observeCertificate, observeMail, observeRedis } from './platform/health/metrics.ts'
import { makeProof } from './platform/health/proof.ts'
import { healthRoutes, readiness } from './platform/health/routes.ts'
import { answerBadUrl, answerBrokenRequests, answerProblems, type Routes } from './platform/http/answer-problems.ts'
import { renewCertificate } from './platform/http/certificate.ts'
import { cursorFormat } from './platform/http/change-cursor.ts'
import { compressJson } from './platform/http/compress-json.ts'
import { limitConnections } from './platform/http/connections.ts'
import { instantFormat } from './platform/http/instants.ts'
import { normalizeIp } from './platform/http/ip-list.ts'
import { logOptions } from './platform/http/log-format.ts'
import { errorForLog, logRequest, withoutUrls } from './platform/http/log-line.ts'
import { unavailable } from './platform/http/problem.ts'
import type { RateLimits } from './platform/http/rate-limit.ts'
import { describeApi } from './platform/http/reference.ts'
import { sendNoDocuments, sendSecurityHeaders } from './platform/http/security-headers.ts'
import { shedLoad } from './platform/http/shed-load.ts'
import { nameUnknownFields } from './platform/http/unknown-fields.ts'
import { addFormat, validateInput } from './platform/http/validation.ts'
import { sendsApiKey } from './platform/http/where-api-is.ts'
import { liveRoutes } from './platform/live/web-routes.ts'
import { type Mailer, openMailer } from './platform/mail/mailer.ts'
import { webApp } from './platform/web-app/pages.ts'
import { referencePage } from './platform/web-app/reference-page.ts'
import { callQueueRoutes } from './selling/call-queue/web-routes.ts'
import { openPushService, type PushOptions, type PushService } from './selling/notifications/push-service.ts'
import { notificationRoutes } from './selling/notifications/web-routes.ts'
import { offerRoutes } from './selling/offers/web-routes.ts'
import { todayRoutes } from './selling/today/web-routes.ts'
import { sampleRoutes } from './setup/demo/web-routes.ts'
import { firstStartRoutes } from './setup/first-start/web-routes.ts'
import { teamAdminRoutes, teamRoutes } from './setup/team/web-routes.ts'
import { callListRoutes } from './telephony/calls/list-web-routes.ts'
import { callLogRoutes } from './telephony/calls/routes.ts'
import { callWebRoutes } from './telephony/calls/web-routes.ts'
import { ownPhoneLineRoutes, phoneLineAdminRoutes } from './telephony/phone-lines/web-routes.ts'
import { quickReplyAdminRoutes, quickReplyRoutes } from './telephony/quick-replies/web-routes.ts'
import { ringingRoutes } from './telephony/ringing/web-routes.ts'

export interface AppParts {
  config: Config
  database: Database
  rateLimits: RateLimits
  signIn: SignIn
  clock?: () => Date
  logStream?: { write(line: string): void }
  tracing?: { observeRequests(app: FastifyInstance, isTrusted: (ip: string) => boolean): void } | null
  /** What Admins see of the operation of the service, such as its backups. */
  operationRoutes?: FastifyPluginAsync
  /** Returns the metrics of all processes of the service, if this is not the only one. */
  metricsOfAll?: (() => Promise<string>) | null
  /** How push services are reached. */
  pushOptions?: PushOptions
  /** In milliseconds: how long the connections of clients may last when the service stops. */
  maxDrainMs?: number
}

declare module 'fastify' {
  interface FastifyInstance {
    /** For notifications, which are sent apart from requests. */
    mailer: Mailer | null
    push: PushService
  }
}

for (const format of [phoneFormat, emailFormat, contactFormat, userEmailFormat, instantFormat, cursorFormat])
  addFormat(format)

/** Builds the service: every route, and what guards it. `main.ts` and the tests use the same function. */
export async function buildApp({
  config,
  database,
  rateLimits,
  signIn,
  clock = () => new Date(),
  logStream,
  tracing = null,
  metricsOfAll = null,
  operationRoutes,
  pushOptions,
  maxDrainMs = 0,
}: AppParts) {
  const routes: Routes = new Map()
  const app = fastify({
    logger: {
      ...logOptions(config, logStream),
      serializers: { err: errorForLog },
      hooks: { logMethod: withoutUrls },
    },
    // Fastify's lines contain URLs with webhook tokens: logRequest writes instead.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: (ip: string) => config.trustProxy?.includes(ip) ?? false,
    bodyLimit: 1024 * 1024,
    // A client has this long to send its request, headers and body.
    requestTimeout: 20_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2000, requireHostHeader: false },
    // An id that is too long is answered like any other invalid id. URLs may end in a slash.
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: true },
    ...(config.tls ? { https: { cert: config.tls.cert, key: config.tls.key, handshakeTimeout: 10_000 } } : {}),
    clientErrorHandler: answerBrokenRequests(routes),
    frameworkErrors: answerBadUrl,
    forceCloseConnections: 'idle',
    // A stopping service answers the requests that still come on open connections.
    return503OnClosing: false,
  } as object).withTypeProvider<TypeBoxTypeProvider>() as unknown as FastifyInstance

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    // On `::`, IPv4 clients come as ::ffff:203.0.113.7.
    if (request.ip.startsWith('::ffff:')) Object.defineProperty(request, 'ip', { value: normalizeIp(request.ip) })
    done()
  })
  sendSecurityHeaders(app, config.baseUrl.startsWith('https:'))
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply)
    done()
  })
  app.addHook('onClose', async () => stopIdleReaders())
  const isProxy = (ip: string) => config.trustProxy?.includes(ip) ?? false
  tracing?.observeRequests(app, isProxy)
  const connections = limitConnections(app, isProxy)
  if (config.tls) renewCertificate(app, config.tls)
  validateInput(app)
  shedLoad(app)
  const { notFoundHandler } = answerProblems(app, routes, {
    unwritableBy,
    isAway,
    isBusy,
    isLocked: (error) => findConflict(error) !== undefined,
  })
  await describeApi(app, {
    baseUrl: config.baseUrl,
    version: manifest.version,
    requestsPerMinute: config.rateLimitPerMinute,
  })
  const { showPage, isForPeople } = await webApp(app, sendsApiKey)
  referencePage(app)
  app.setNotFoundHandler((request, reply) =>
    isForPeople(request) ? showPage(reply.code(404)) : notFoundHandler(request, reply),
  )
  healthRoutes(app, database, { ...config, metricsOfAll, proof: makeProof(signIn.secret) })
  observeRedis(app.metrics, rateLimits)
  if (config.tls) observeCertificate(app.metrics, config.tls.certFile)
  const mailer = observeMail(app.metrics, await openMailer(config.mail))
  app.decorate('mailer', mailer)
  const push = await openPushService(database.directory, config.baseUrl, pushOptions)
  app.decorate('push', push)

  const requestLog = openRequestLog(database, {
    metrics: app.metrics,
    onError: (error) => app.log.warn({ err: error }, 'the request log was not saved'),
  })
  app.addHook('onClose', requestLog.close)

  await app.register(
    async (api) => {
      requestLog.observe(api, ({ caller }) => caller ?? null)
      needDatabase(api, database)
      requireApiKey(api, database, rateLimits.limit('api', config.rateLimitPerMinute))
      api.setNotFoundHandler(notFoundHandler)
      nameUnknownFields(api)
      compressJson(api)
      await api.register(createRoute(database, clock, readOtherFields))
      await api.register(leadRoutes(database, clock))
      await api.register(callLogRoutes(database, clock))
    },
    { prefix: '/api/v1' },
  )

  await app.register(async (part) => {
    requestLog.observe(part, ({ webhookCall }) => {
      const webhook = webhookCall?.webhook
      return webhook ? { account_id: webhook.account_id, via: 'webhook', via_id: webhook.id } : null
    })
    const storage = limitStorage(database, config.webhookStorageMbPerDay, (error) =>
      app.log.warn({ err: error }, 'stored bodies were not counted'),
    )
    app.addHook('onClose', storage.flush)
    const perMinute = rateLimits.limit('webhook', config.webhookLimitPerMinute)
    await part.register(receiveWebhooks({ database, reader: deliveryReader, limit: perMinute, storage, clock }))
  })

  await app.register(async (part) => {
    needDatabase(part, database)
    readiness(part, database)
    await part.register(
      signInRoutes(signIn, rateLimits.limit('sign-in', 10), slowGuesses(database.directory, rateLimits)),
    )
    if (config.singleSignOn)
      await part.register(singleSignOnRoutes({ signIn, limit: rateLimits.limit('single-sign-on', 120) }))
  })

  await app.register(
    async (web) => {
      needDatabase(web, database)
      const limits = webLimits(rateLimits, config.webLimitPerMinute)
      requireSession(web, { database, signIn, limits, baseUrl: config.baseUrl })
      web.setNotFoundHandler(notFoundHandler)
      compressJson(web, { tagged: true })
      sendNoDocuments(web)
      // One line for the routes of each slice.
      await web.register(profileRoutes(database, { mailer, limits: rateLimits, secret: signIn.secret, clock }))
      await web.register(ownPhoneLineRoutes(database, clock))
      await web.register(quickReplyRoutes(database, clock))
      await web.register(accountRoutes(database, config))
      await web.register(teamRoutes(database))
      await web.register(availabilityRoutes(database, clock))
      await web.register(leadWebRoutes(database, clock))
      await web.register(enquiryWebRoutes(database))
      await web.register(duplicateRoutes(database, clock))
      await web.register(bulkChangeRoutes(database, clock))
      await web.register(viewRoutes(database, clock))
      await web.register(leadImportRoutes(database, clock))
      await web.register(callListRoutes(database, clock))
      await web.register(callWebRoutes(database, clock))
      await web.register(callQueueRoutes(database, clock))
      await web.register(offerRoutes(database, clock))
      await web.register(todayRoutes(database, clock))
      await web.register(overviewRoutes(database, clock))
      await web.register(reportRoutes(database, clock))
      await web.register(liveRoutes(database))
      await web.register(ringingRoutes(database, clock))
      await web.register(notificationRoutes(database, { push, canMail: mailer !== null, clock }))

      await web.register(async (admin) => {
        requireAdmin(admin)
        await admin.register(accountAdminRoutes(database, config))
        await admin.register(firstStartRoutes(database))
        await admin.register(sampleRoutes(database, clock))
        await admin.register(teamAdminRoutes(database, config, mailer))
        await admin.register(phoneLineAdminRoutes(database, clock))
        await admin.register(quickReplyAdminRoutes(database))
        await admin.register(keyRoutes(database))
        await admin.register(
          webhookRoutes(database, {
            baseUrl: config.baseUrl,
            storageMb: config.webhookStorageMbPerDay,
            onMapped: (actor, webhookId) => offerIgnored(database, actor, webhookId),
            clock,
          }),
        )
        await admin.register(deliveryRoutes(database, clock))
        await admin.register(requestLogRoutes(database))
        await admin.register(distributionRoutes(database, clock))
        await admin.register(auditRoutes(database, clock))
        await admin.register(reportAdminRoutes(database))
        if (operationRoutes) await admin.register(operationRoutes)
      })
    },
    { prefix: '/web' },
  )

  // For users without a session: by a one-time link, or by their email.
  await app.register(
    async (part) => {
      needDatabase(part, database)
      await part.register(joinRoutes(database, rateLimits.limit('join', 20), config))
      await part.register(forgottenRoutes(database, mailer, rateLimits, config))
    },
    { prefix: '/web-public' },
  )
  // The last of these hooks: those of the parts above end streams and waits.
  await app.register(async (last) => last.addHook('preClose', () => connections.drain(maxDrainMs)))
  return app
}

/**
 * Answers 503 at once while the database is unavailable. If nothing is heard from it, current requests are answered too;
 * otherwise their connections may still work, and one that is lost fails by itself.
 */
function needDatabase(app: FastifyInstance, database: Database) {
  const running = new Set<() => void>()
  database.watch?.onAway((away) => {
    if (away === 'silent') for (const give of running) give()
  })
  app.addHook('onRequest', (_request, reply, done) => {
    if (database.watch?.away) return done(unavailable())
    const give = () => {
      if (!reply.sent) void reply.send(unavailable())
    }
    running.add(give)
    reply.raw.once('close', () => running.delete(give))
    done()
  })
}
