import { isSilent } from '../../server/intake/webhooks/silence.ts'
import { type DeliveryFrequency, deliveryFrequencies } from '../../server/intake/webhooks/webhook-health.ts'
import { accountActor, readAsActor } from '../../server/platform/database/actor.ts'
import { type Check, type Finding, fine, problem } from './check.ts'
import type { Installation } from './installation.ts'

/** As the overview of each account says it. */
export const webhooks = ({ database, now }: Installation): Check => ({
  name: 'webhooks',
  seconds: 60,
  async run(signal) {
    const opened = database.get()
    const accounts = await opened.directory<{ id: string; name: string }[]>`select id, name from accounts order by name`
    const silent: SilentWebhook[] = []
    let enabled = 0
    for (const { id, name: account } of accounts) {
      signal.throwIfAborted()
      const all = await readAsActor(opened, accountActor(id), (tx) => deliveryFrequencies(tx, id))
      enabled += all.length
      silent.push(...all.filter((one) => isSilent(one, now)).map((one) => ({ ...one, account })))
    }
    return judgeSilence(silent, enabled)
  },
})

interface SilentWebhook extends Pick<DeliveryFrequency, 'name' | 'last_at'> {
  account: string
}

const maxNamed = 5

export function judgeSilence(silent: SilentWebhook[], enabled: number): Finding {
  if (enabled === 0) return fine('No enabled webhook has had a delivery yet.')
  if (silent.length === 0)
    return fine(
      enabled === 1
        ? '1 webhook receives deliveries as often as usual.'
        : `${enabled} webhooks receive deliveries as often as usual.`,
    )
  const oldest = silent.toSorted((one, other) => one.last_at.getTime() - other.last_at.getTime())
  const named = oldest
    .slice(0, maxNamed)
    .map(({ name, account, last_at }) => `${name} of ${account} (since ${last_at.toISOString().slice(0, 10)})`)
  const more = silent.length - named.length
  return problem(
    `Silent for much longer than usual: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
    'Check that the platform still has the URL of the webhook, and its plan. Disable a webhook that is not used any more.',
  )
}
