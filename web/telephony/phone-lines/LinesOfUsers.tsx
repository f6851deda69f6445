import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListedUser } from '#contract/access/account'
import type { PendingPhoneLine, UserPhoneLine } from '#contract/telephony/phone-lines'
import { notify, notifyProblem } from '../../platform/ui/notify.tsx'
import { Section } from '../../platform/ui/Section.tsx'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { phoneLinesLabel } from './PhoneLinesField.tsx'
import { confirmLine, phoneLinesQuery, removeLine } from './queries.ts'
import { RemoveLineDialog } from './RemoveLineDialog.tsx'
import styles from './UnknownAgents.module.css'

const shownAtOnce = 20

/** Lines that users ask for, and those that they have. */
export function LinesOfUsers({ users }: { users: ListedUser[] }) {
  const { data } = useQuery(phoneLinesQuery)
  const [shown, setShown] = useState(shownAtOnce)
  const [asked, setAsked] = useState<{ line: UserPhoneLine; opened: boolean } | null>(null)
  const nameOf = (userId: string) => users.find(({ id }) => id === userId)?.name ?? ''
  const { pending = [], users: lines = [] } = data ?? {}
  return (
    <>
      {pending.length > 0 && (
        <div className={styles.section}>
          <Section
            title={t`Numbers to confirm`}
            about={t`Users added these numbers and extensions. No call counts for them until you confirm that they are theirs.`}
          >
            <ul className={styles.agents} aria-label={t`Numbers to confirm`}>
              {pending.map((line) => (
                <PendingLine key={`${line.user_id} ${line.line}`} line={line} name={nameOf(line.user_id)} />
              ))}
            </ul>
          </Section>
        </div>
      )}
      {lines.length > 0 && (
        <div className={styles.section}>
          <Section title={phoneLinesLabel} about={t`Calls that name one of them are shown as calls of its user.`}>
            <ul className={styles.agents} aria-label={phoneLinesLabel}>
              {lines.slice(0, shown).map((line) => (
                <li key={line.line}>
                  <LineText written={line.written} about={nameOf(line.user_id)} />
                  <Button
                    variant="default"
                    aria-label={t`Remove ${{ name: line.written }}`}
                    onClick={() => setAsked({ line, opened: true })}
                  >
                    <Trans>Remove</Trans>
                  </Button>
                </li>
              ))}
            </ul>
            {lines.length > shown && (
              <Button variant="default" mt={8} onClick={() => setShown(shown + shownAtOnce)}>
                {t`Show more (${{ count: lines.length - shown }})`}
              </Button>
            )}
          </Section>
        </div>
      )}
      {asked && (
        <RemoveLineDialog
          key={asked.line.line}
          {...asked}
          name={nameOf(asked.line.user_id)}
          onClose={() => setAsked({ ...asked, opened: false })}
        />
      )}
    </>
  )
}

function PendingLine({ line, name }: { line: PendingPhoneLine; name: string }) {
  const { written } = line
  const confirm = useMutation({
    mutationFn: () => confirmLine(line),
    onSuccess: ({ calls }) =>
      notify(t`${written} is connected to ${name}, with ${plural(calls, { one: '# call', other: '# calls' })}`),
    onError: notifyProblem,
  })
  const decline = useMutation({
    mutationFn: () => removeLine(line, false),
    onSuccess: () => notify(t`${written} of ${name} declined`),
    onError: notifyProblem,
  })
  const isBusy = confirm.isPending || decline.isPending
  return (
    <li>
      <LineText written={written} about={name} at={line.added_at} />
      <Group gap={8} wrap="nowrap">
        <Button
          aria-label={t`Confirm ${written} of ${name}`}
          disabled={isBusy}
          loading={confirm.isPending}
          onClick={() => confirm.mutate()}
        >
          <Trans>Confirm</Trans>
        </Button>
        <Button
          variant="default"
          aria-label={t`Decline ${written} of ${name}`}
          disabled={isBusy}
          loading={decline.isPending}
          onClick={() => decline.mutate()}
        >
          <Trans>Decline</Trans>
        </Button>
      </Group>
    </li>
  )
}

function LineText({ written, about, at }: { written: string; about: string; at?: string }) {
  return (
    <div className={styles.agent}>
      <Text fw={500} className={styles.written}>
        {written}
      </Text>
      <Text size="xs" c="dimmed">
        {about}
        {at && (
          <>
            {' · '}
            <Timestamp at={at} short />
          </>
        )}
      </Text>
    </div>
  )
}
