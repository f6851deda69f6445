import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../doctor/ask-service.ts'
import { isSystemdRunning } from './parts.ts'
import { type Places, serviceName } from './places.ts'

/** The unit of the service, where systemd runs. */
export function serviceUnit(places: Places) {
  const systemctl = (...args: string[]) =>
    execFileSync('systemctl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  const state = () =>
    isSystemdRunning(places) ? systemctl('show', '--property=ActiveState', '--value', serviceName) : 'inactive'
  return {
    /** A unit that fails and is started again and again counts too. */
    isStarted: () => ['active', 'activating', 'reloading'].includes(state()),
    isActive: () => state() === 'active',
    start: () => systemctl('start', serviceName),
    stop: () => systemctl('stop', serviceName),
    /** Starts it now, and whenever the machine starts. */
    enable: () => systemctl('enable', '--now', serviceName),
  }
}

/** Returns the version that is ready there, or null. */
async function readyVersion(url: string): Promise<string | null> {
  const answered = await ask(`${url}/readyz`, { anyCertificate: true }).catch(() => null)
  const { status, version, commit } = (answered?.body ?? {}) as { status?: string; version?: string; commit?: string }
  if (status !== 'ready') return null
  return commit ? `${version}+${commit}` : (version ?? '')
}

/** How long the service may take until it is ready, in seconds. */
const maxStartSeconds = 120

/** Returns why the service is not ready in time, or null. Versions before 0.3 do not say which they are. */
export async function whyNotReady(url: string, name: string, isActive: () => boolean): Promise<string | null> {
  const end = performance.now() + maxStartSeconds * 1000
  while (performance.now() < end) {
    const version = await readyVersion(url)
    if (version === name || version === '') return null
    if (!isActive()) return 'the service ended: journalctl -u lead-engine says why'
    await sleep(200)
  }
  return `${url}/readyz did not answer as ready within ${maxStartSeconds} seconds`
}
