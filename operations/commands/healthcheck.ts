import type { Command } from 'commander'
import type { Config } from '../../server/config.ts'
import { ask, localUrl } from '../doctor/ask-service.ts'
import { readVariables } from './open.ts'
import { command, print } from './output.ts'

/** For containers and monitoring. It opens no database. */
export function healthcheckCommand(): Command {
  return command('healthcheck', 'ask the service on this machine whether it is ready').action(async (options) => {
    const { config } = readVariables()
    const problem = await whyNotReady(config)
    if (problem) throw new Error(problem)
    print(options, { status: 'ready' }, () => `The service on port ${config.port} is ready.`)
  })
}

async function whyNotReady(config: Config): Promise<string | null> {
  const url = localUrl(config)
  const answered = await ask(`${url}/readyz`, { anyCertificate: true }).catch(
    (error: Error & { code?: string }) => error,
  )
  if (answered instanceof Error) return `Nothing answers at ${url} (${answered.code ?? answered.message}).`
  const body = answered.body as { status?: string; error?: { message?: string } } | null
  if (body?.status === 'ready') return null
  return body?.error?.message
    ? `The service at ${url} is not ready: ${body.error.message}`
    : `Another program answers at ${url}. Set PORT to that of the service.`
}
