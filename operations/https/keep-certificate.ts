import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { AutomaticHttps } from '../../server/platform/http/automatic-https.ts'
import { AcmeError } from './acme-error.ts'
import { certificateFolder } from './certificate-folder.ts'
import { dnsHint, explainFailure } from './explain-failure.ts'
import { orderCertificate } from './order-certificate.ts'
import { addAttempt, nextTry, renewalTime } from './schedule.ts'

interface Circumstances {
  /** Answers of HTTP-01 challenges, by token. */
  challenges: Map<string, string>
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  clock?: () => Date
  /** Returns the IP addresses of a host name; none if it has no DNS record. */
  resolve?: (domain: string) => Promise<string[]>
}

const minute = 60_000
/** Timers are not exact over days, and the clock may change. */
const maxWait = 60 * minute
const minWait = 1000

/** Gets a certificate for the host name if there is none, and renews it in time. Errors are logged, and never end the service. */
export function keepCertificate(settings: AutomaticHttps, circumstances: Circumstances) {
  const { challenges, log, clock = () => new Date(), resolve = ipsOf } = circumstances
  const { domain } = settings
  const authority = new URL(settings.directoryUrl).host
  const folder = certificateFolder(settings)
  const stopping = new AbortController()
  const { signal } = stopping
  let isRestarted = true
  let lastSaid = ''

  const inMs = (ms: number) => new Date(clock().getTime() + ms)

  /** Does what is due now. Returns when to look again. */
  async function look(): Promise<Date> {
    const certificate = folder.certificate()
    const attempts = folder.attempts()
    const allowed = nextTry(attempts, { isRestarted })
    const due = certificate ? renewalTime(certificate) : clock()
    if (due > clock()) return due
    const state = stateOf(certificate?.validToDate ?? null)
    if (allowed > clock()) {
      say('warn', `${state} ${authority} is asked again at ${minuteOf(allowed)}.`)
      return allowed
    }
    const records = await resolve(domain)
    if (records.length === 0) {
      say(
        'warn',
        `${state} ${domain} has no DNS record: create one (A, or AAAA for IPv6) with the IP address of this machine. The service looks again every minute.`,
      )
      return inMs(minute)
    }
    const lock = folder.lock()
    if (!lock) return inMs(minute / 2)
    try {
      // Another process may have got it since.
      if (folder.certificate()?.fingerprint256 !== certificate?.fingerprint256) return clock()
      isRestarted = false
      // Written first: an attempt whose process is killed counts, and nothing is asked for that could not be kept.
      folder.saveAttempts(addAttempt(attempts, clock(), { failed: attempts.failed + 1, retryAt: null }))
      const accountKey = folder.accountKey()
      say('info', `${state} ${authority} is asked for a certificate.`)
      try {
        folder.saveCertificate(await orderCertificate({ ...settings, accountKey, challenges, signal }))
        const renewed = folder.certificate()!
        folder.saveAttempts(addAttempt(attempts, clock(), { failed: 0, retryAt: null }))
        log.info(`${domain} has a certificate of ${authority}, valid until ${minuteOf(renewed.validToDate)}.`)
        return renewalTime(renewed)
      } catch (error) {
        if (signal.aborted) return clock()
        const retryAt = error instanceof AcmeError ? error.retryAt : null
        const failed = addAttempt(attempts, clock(), { failed: attempts.failed + 1, retryAt })
        folder.saveAttempts(failed)
        const next = nextTry(failed, { isRestarted })
        const hint = dnsHint(domain, records, ownIps())
        const restart = nextTry(failed, { isRestarted: true }) < next ? ', or when the service is restarted' : ''
        const again = `It is asked again at ${minuteOf(next)}${restart}.`
        say(
          'error',
          [state, explainFailure(error, { domain, authority }), ...(hint ? [`Hint: ${hint}`] : []), again].join(' '),
        )
        return next
      }
    } finally {
      lock.release()
    }
  }

  const stateOf = (validTo: Date | null) =>
    validTo === null
      ? `HTTPS waits for the certificate of ${domain}.`
      : validTo > clock()
        ? `The certificate of ${domain} is valid until ${minuteOf(validTo)} and has to be renewed.`
        : `The certificate of ${domain} has expired.`

  function say(level: 'info' | 'warn' | 'error', text: string): void {
    if (text !== lastSaid) log[level](text)
    lastSaid = text
  }

  async function lookAgainAndAgain(): Promise<void> {
    while (!signal.aborted) {
      const next = await look().catch((err) => {
        log.error({ err }, `The certificate of ${domain} cannot be kept in ${settings.folder}.`)
        return inMs(5 * minute)
      })
      const wait = Math.min(Math.max(next.getTime() - clock().getTime(), minWait), maxWait)
      await sleep(wait, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  let running = Promise.resolve()
  return {
    look,
    start() {
      running = lookAgainAndAgain()
    },
    stop(): Promise<void> {
      stopping.abort()
      return running
    },
  }
}

/** To the minute, in UTC: `2026-11-29 19:00 UTC`. */
const minuteOf = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`

async function ipsOf(domain: string): Promise<string[]> {
  try {
    return (await lookup(domain, { all: true })).map((found) => found.address)
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOTFOUND') return []
    throw error
  }
}

const ownIps = () => Object.values(networkInterfaces()).flatMap((ips = []) => ips.map((found) => found.address))
