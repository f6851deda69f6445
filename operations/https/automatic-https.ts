import type { FastifyInstance } from 'fastify'
import type { Config } from '../../server/config.ts'
import type { AutomaticHttps } from '../../server/platform/http/automatic-https.ts'
import { listenForHttp } from './http-listener.ts'
import { keepCertificate } from './keep-certificate.ts'

/** Answers HTTP and keeps the certificate for DOMAIN. One process of the service does: all use its file. */
export async function startAutomaticHttps(
  app: FastifyInstance,
  settings: AutomaticHttps,
  { host, baseUrl }: Pick<Config, 'host' | 'baseUrl'>,
) {
  await app.ready()
  const challenges = new Map<string, string>()
  const answerHealth = app.routing
  const listener = await listenForHttp({ host, port: settings.httpPort, baseUrl, challenges, answerHealth })
  const keeper = keepCertificate(settings, { challenges, log: app.log })
  keeper.start()
  return {
    async stop(): Promise<void> {
      await Promise.all([keeper.stop(), listener.close()])
    },
  }
}
