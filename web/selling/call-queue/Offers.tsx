import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Text, Title } from '@mantine/core'
import { IconHandGrab } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Offer } from '#contract/selling/offers'
import { leadKeys } from '../../crm/leads/keys.ts'
import { post } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { notify, notifyProblem } from '../../platform/ui/notify.tsx'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import styles from './CallQueue.module.css'
import { offersQuery } from './queries.ts'

/** The others are one press away, so that the lead to call stays near. */
const shownAtFirst = 3

/** Leads that are offered to the user and colleagues. The first to claim one owns it. */
export function Offers({ onClaimed }: { onClaimed(leadId: string): void }) {
  const { data: offers = [] } = useQuery(offersQuery)
  const [showsAll, setShowsAll] = useState(false)
  const claim = useMutation({
    mutationFn: (offer: Offer) => post(`/web/offers/${offer.lead_id}/claim`),
    onSuccess: (_answer, offer) => notify(t`You own “${{ name: offer.name }}” now`),
    // Who was not first sees who was, and the card goes away.
    onError: notifyProblem,
    onSettled: async (_answer, error, offer) => {
      const shown = [leadKeys.queues, leadKeys.offers]
      await Promise.all(shown.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
      if (!error) onClaimed(offer.lead_id)
    },
  })
  if (offers.length === 0) return null
  const shown = showsAll ? offers : offers.slice(0, shownAtFirst)
  return (
    <section aria-labelledby="to-claim" className={styles.offers}>
      <Title order={2} id="to-claim">
        {plural({ leads: offers.length }, { one: '# lead to claim', other: '# leads to claim' })}
      </Title>
      <ul>
        {shown.map((offer) => (
          <li key={offer.lead_id}>
            <div>
              <Text fw={600} className={styles.otherName}>
                {offer.name}
              </Text>
              <Text size="xs" c="dimmed">
                {[offer.source, offer.city].map((part) => part && `${part} · `)}
                <Timestamp at={offer.offered_at} short />
              </Text>
              {offer.product && <Text className={styles.wanted}>{offer.product}</Text>}
            </div>
            <Button
              leftSection={<IconHandGrab size={16} aria-hidden />}
              aria-label={t`Claim ${{ name: offer.name }}`}
              loading={claim.isPending && claim.variables.lead_id === offer.lead_id}
              onClick={() => claim.mutate(offer)}
            >
              <Trans>Claim</Trans>
            </Button>
          </li>
        ))}
      </ul>
      {offers.length > shown.length && (
        <Button size="xs" variant="subtle" onClick={() => setShowsAll(true)}>
          {t`Show ${{ more: offers.length - shown.length }} more`}
        </Button>
      )}
    </section>
  )
}
