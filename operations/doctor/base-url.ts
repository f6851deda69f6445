import type { Config } from '../../server/config.ts'
import type { ServiceView } from '../../server/platform/health/proof.ts'
import { type Answered, askService } from './ask-service.ts'
import { judgeExpiry } from './certificate.ts'
import { type Check, errorMessage, type Finding, fine, problem } from './check.ts'
import type { Installation } from './installation.ts'

/** Opens BASE_URL as users do, and compares it with what the service sees of the request. */
export const baseUrl = ({ config, proof, isRunning, now }: Installation): Check => ({
  name: 'base_url',
  async run(signal) {
    const { baseUrl } = config.get()
    const known = proof.orNull()
    const isStopped = !isRunning.get()
    try {
      const answered = await askService(baseUrl, { proof: known, signal })
      if (isStopped && isBadGateway(answered.status)) return notRunning(baseUrl)
      const finding = judgeBaseUrl(config.get(), answered, { isProved: known !== null, now })
      const { certificateUntil: until } = answered
      const expiry = until && finding.ok ? judgeExpiry(`The certificate of ${baseUrl}`, until, now) : null
      if (expiry || !finding.ok || !answered.seen?.forwarded) return expiry || finding
      return (await judgeLargeBody(baseUrl, signal)) ?? finding
    } catch (error) {
      if (isStopped && (error as { code?: string }).code === 'ECONNREFUSED') return notRunning(baseUrl)
      return unreachable(baseUrl, error)
    }
  },
})

const isBadGateway = (status: number) => status >= 502 && status <= 504
const notRunning = (baseUrl: string) => fine(`${baseUrl} does not answer, because the service does not run.`)

interface Circumstances {
  isProved: boolean
  now: Date
}

export function judgeBaseUrl(
  { baseUrl, port }: Pick<Config, 'baseUrl' | 'port'>,
  { status, isLeadEngine, seen, location }: Answered,
  { isProved, now }: Circumstances,
): Finding {
  if (location !== null && status >= 300 && status < 400) {
    const target = URL.canParse(location, baseUrl)
      ? new URL(location, baseUrl).href.replace(/\/healthz$/, '')
      : location
    const reason = `BASE_URL is ${baseUrl}, which redirects to ${target}.`
    return target === (URL.canParse(target) && new URL(target).origin)
      ? problem(reason, `Set BASE_URL to ${target} for the service.`)
      : problem(reason, 'Let the proxy pass all paths of BASE_URL to the service: it needs a host name without a path.')
  }
  if (isBadGateway(status)) {
    return problem(
      `The proxy at ${baseUrl} answers ${status}: it does not reach the service.`,
      `Start the service, and let the proxy pass requests to port ${port}.`,
    )
  }
  if (!isLeadEngine) {
    return problem(
      `${baseUrl} is not answered by Lead Engine (status ${status}).`,
      'Set BASE_URL to the URL that users open, and let the proxy pass all paths to the service.',
    )
  }
  if (!seen) {
    if (!isProved) return fine(`A Lead Engine answers at ${baseUrl}.`)
    return problem(
      `${baseUrl} is answered by another Lead Engine, with another database.`,
      'Correct BASE_URL, or the target of the proxy.',
    )
  }
  return judgeView({ baseUrl, port }, seen, now)
}

const day = 86_400_000

function judgeView({ baseUrl, port }: Pick<Config, 'baseUrl' | 'port'>, seen: ServiceView, now: Date): Finding {
  if (seen.base_url !== baseUrl) {
    return problem(
      `The service runs with BASE_URL ${seen.base_url}, and here it is ${baseUrl}.`,
      'Set the same BASE_URL for the service and its commands, to the URL that users open.',
    )
  }
  const { rejected_origin: rejected } = seen
  if (rejected && now.getTime() - Date.parse(rejected.at) < day) {
    return problem(
      `Users open ${rejected.origin}, and BASE_URL is ${baseUrl}: they cannot sign in there.`,
      `Set BASE_URL to ${rejected.origin} for the service, or redirect that URL to ${baseUrl}.`,
    )
  }
  if (seen.forwarded && !seen.trusted) {
    return problem(
      `Requests come through the proxy ${seen.peer}, which TRUST_PROXY does not name: all users have its IP address.`,
      `Set TRUST_PROXY=${seen.peer} for the service. Otherwise limits and IP whitelists apply to the proxy.`,
    )
  }
  const isDirect = Number(new URL(baseUrl).port || (baseUrl.startsWith('https:') ? 443 : 80)) === port
  if (!seen.forwarded && !isDirect) {
    return problem(
      `The proxy at ${baseUrl} does not pass X-Forwarded-For: all users have its IP address, ${seen.peer}.`,
      `Let the proxy set X-Forwarded-For, and set TRUST_PROXY=${seen.peer} for the service.`,
    )
  }
  return fine(`${baseUrl} leads to the service.`)
}

const largeBytes = 4 * 1024 ** 2

/** Sends what no webhook takes: each answer of the service has the id of its request, that of a proxy has none. */
async function judgeLargeBody(baseUrl: string, signal: AbortSignal): Promise<Finding | null> {
  // Some servers end the connection meanwhile.
  const response = await fetch(`${baseUrl}/webhook/doctor`, {
    method: 'POST',
    body: ' '.repeat(largeBytes),
    signal,
  }).catch(() => null)
  await response?.body?.cancel()
  if (response?.status !== 413 || response.headers.has('x-request-id')) return null
  return problem(
    `The proxy at ${baseUrl} rejects bodies of 4 MB before the service sees them: imports and large deliveries are lost.`,
    'Raise its limit, and reload it. For nginx: client_max_body_size 32m;',
  )
}

function unreachable(baseUrl: string, error: unknown): Finding {
  const code = String((error as { code?: unknown }).code)
  const reason = `${baseUrl} cannot be opened from here: ${errorMessage(error)}.`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return problem(reason, 'Correct the host in BASE_URL, or create its DNS record.')
  }
  if (/CERT|SSL|UNABLE_TO|SELF_SIGNED|ALTNAME/.test(code)) {
    return problem(reason, 'Renew or correct the certificate of this host: browsers and platforms reject it.')
  }
  return problem(reason, 'Start the service and the proxy, or correct BASE_URL.')
}
