import type { Config } from '../../server/config.ts'
import { maxConnections, tryToListen } from '../../server/platform/http/connections.ts'
import { type Answered, askService, localUrl } from './ask-service.ts'
import { type Check, errorMessage, type Finding, fine, problem } from './check.ts'
import type { Installation } from './installation.ts'

/** A port in use is fine if this installation's service uses it. */
export const port = ({ config, proof, isRunning }: Installation): Check => ({
  name: 'port',
  async run(signal) {
    if (config.get().port === 0) return fine('PORT is 0: the service takes any free port.')
    try {
      const answered = await askAtPort(config.get(), { proof: proof.orNull(), signal, anyCertificate: true })
      if (answered.isLeadEngine) isRunning.set(true)
      if (answered.isStarting) {
        isRunning.set(false)
        return fine(`The service starts on port ${config.get().port}. Its log says what it waits for.`)
      }
      return judgeAnswer(config.get(), answered, proof.orNull() !== null)
    } catch (error) {
      if ((error as { code?: string }).code !== 'ECONNREFUSED') return byAnotherProgram(config.get())
    }
    isRunning.set(false)
    return judgePort(config.get())
  },
})

/** A service that starts answers over HTTP, also if it will serve HTTPS. */
async function askAtPort(config: Config, options: Parameters<typeof askService>[1]): Promise<Answered> {
  try {
    return await askService(localUrl(config), options)
  } catch (error) {
    if (!config.tls || (error as { code?: string }).code === 'ECONNREFUSED') throw error
    return askService(localUrl({ ...config, tls: null }), options)
  }
}

export function judgeAnswer(config: Pick<Config, 'host' | 'port'>, answered: Answered, isProved: boolean): Finding {
  const files = answered.seen?.max_files
  if (files && files < maxConnections.inAll + 500) {
    return problem(
      `The service on port ${config.port} may open ${files} files, and takes up to ${maxConnections.inAll} connections.`,
      'Set LimitNOFILE=65536 in its unit (systemctl edit lead-engine), or run ulimit -n 65536 before the start. Then restart it.',
    )
  }
  if (answered.seen) return fine(`The service runs on port ${config.port}.`)
  if (!answered.isLeadEngine) return byAnotherProgram(config)
  if (!isProved) return fine(`A Lead Engine runs on port ${config.port}.`)
  return problem(
    `Port ${config.port} on ${config.host} is in use by another Lead Engine, with another database.`,
    'Set PORT to another one, or set DATA_DIR or DATABASE_URL as for the service that runs there.',
  )
}

const byAnotherProgram = ({ host, port }: Pick<Config, 'host' | 'port'>) =>
  problem(`Port ${port} on ${host} is in use by another program.`, `Set PORT to another one, or stop that program.`)

async function judgePort(config: Config): Promise<Finding> {
  const { host, port } = config
  try {
    await tryToListen(config)
    return fine(`Port ${port} is free: the service does not run.`)
  } catch (error) {
    switch ((error as { code?: string }).code) {
      case 'EADDRINUSE':
        return byAnotherProgram(config)
      case 'EACCES':
        return problem(`Port ${port} is not allowed for this user.`, 'Set PORT to one above 1023.')
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
        return problem(`HOST is ${host}, which is no IP address of this machine.`, 'Set HOST to one, or to 0.0.0.0.')
    }
    return problem(`The service cannot listen on ${host}:${port}: ${errorMessage(error)}.`, 'Check HOST and PORT.')
  }
}
