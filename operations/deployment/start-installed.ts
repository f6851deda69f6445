import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../server/config.ts'
import { localUrl } from '../doctor/ask-service.ts'
import { readUnit, serviceEnvironment } from './parts.ts'
import { type Places, serviceName } from './places.ts'
import { readRelease } from './releases.ts'
import { serviceUnit, whyNotReady } from './service.ts'

export interface Started {
  baseUrl: string
  hasCertificate: boolean
  /** Null if the service has users already, or ran before. */
  setUpLink: string | null
}

/** Starts the service with DOMAIN for the first time. Waits until it is ready, and so many seconds for its certificate. */
export async function startInstalled(places: Places, release: string, { maxSeconds = 60 } = {}): Promise<Started> {
  const read = () => readConfig(serviceEnvironment(places, readUnit(release)))
  const unit = serviceUnit(places)
  const since = new Date()
  unit.enable()
  const problem = await whyNotReady(localUrl(read()), readRelease(release).name, unit.isActive)
  if (problem) throw new Error(`The service is not ready: ${problem}.`)
  const hasCertificate = () => read().tls?.cert !== null
  const end = performance.now() + maxSeconds * 1000
  while (!hasCertificate() && performance.now() < end) await sleep(500)
  return { baseUrl: read().baseUrl, hasCertificate: hasCertificate(), setUpLink: findSetUpLink(since) }
}

function findSetUpLink(since: Date): string | null {
  const seconds = Math.floor(since.getTime() / 1000)
  const lines = execFileSync('journalctl', ['-u', serviceName, '--output', 'cat', '--since', `@${seconds}`], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return [...lines.matchAll(/Set up +(https:\S+)/g)].at(-1)?.[1] ?? null
}
