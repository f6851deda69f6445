import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCalendarPlus, IconMail, IconPhone } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ChangedLead } from '#contract/crm/leads'
import type { PromisedCall, PromiseGroup } from '#contract/selling/today'
import { formatPhone, phoneUrl, usePhonePlans } from '../../crm/contacts/phone.ts'
import { formatCallAgain } from '../../crm/leads/call-again.ts'
import { StatusBadge } from '../../crm/leads/LeadBadges.tsx'
import { refreshLeads } from '../../crm/leads/queries.ts'
import { useCallAgainTimes } from '../../crm/leads/use-call-again-times.ts'
import { patch } from '../../platform/api/api.ts'
import { FormModal } from '../../platform/ui/FormModal.tsx'
import { Menu } from '../../platform/ui/Menu.tsx'
import { notify, notifyProblem } from '../../platform/ui/notify.tsx'
import { formatDateTime } from '../../platform/ui/time.ts'
import { toInstant, wallClock } from '../../platform/ui/wall-clock.ts'
import { startCall } from '../../telephony/calls/call-in-progress.ts'
import { notesOfLast, outcomeNameOf } from '../../telephony/calls/call-words.ts'
import styles from './Today.module.css'

interface Props {
  call: PromisedCall
  group: PromiseGroup
  withOwner: boolean
}

/** A promised call: when, who, what was said last, and the buttons to call and to move it. */
export function PromisedCallRow({ call, group, withOwner }: Props) {
  const { id, name, status, owner, call_again_at: at, last_call_at, last_call_outcome, last_call_notes } = call
  const isOfDay = group === 'today' || group === 'tomorrow'
  const notes = notesOfLast(last_call_notes, last_call_at)
  const last = [
    last_call_outcome && outcomeNameOf({ outcome: last_call_outcome, notes }),
    last_call_notes?.notes ?? null,
  ]
    .filter((text) => text !== null)
    .join(': ')
  return (
    <li className={styles.call} data-promised>
      <time
        dateTime={at}
        title={t`${{ time: formatDateTime(at) }} IST`}
        className={styles.time}
        data-overdue={group === 'overdue' || undefined}
      >
        {isOfDay ? wallClock(Date.parse(at)).slice(11) : formatCallAgain(at)}
      </time>
      <div className={styles.lead}>
        <div className={styles.who}>
          <Link to="/leads/$leadId" params={{ leadId: id }} className={styles.name}>
            {name}
          </Link>
          <StatusBadge status={status} />
          {withOwner && (
            <Text span c="dimmed" size="xs">
              {owner ?? t`Unassigned`}
            </Text>
          )}
        </div>
        {last && <p className={styles.notes}>{last}</p>}
      </div>
      <div className={styles.actions}>
        <CallButton call={call} />
        <MoveMenu call={call} />
      </div>
    </li>
  )
}

function CallButton({ call }: { call: PromisedCall }) {
  usePhonePlans()
  const { name, phone, email } = call
  if (phone)
    return (
      <Button
        component="a"
        href={phoneUrl(phone)}
        data-call
        variant="default"
        leftSection={<IconPhone size={16} aria-hidden />}
        aria-label={t`Call ${name}: ${{ number: formatPhone(phone) }}`}
        onClick={() => startCall(call)}
      >
        {formatPhone(phone)}
      </Button>
    )
  if (!email) return null
  return (
    <Button
      component="a"
      href={`mailto:${email}`}
      variant="default"
      leftSection={<IconMail size={16} aria-hidden />}
      aria-label={t`Email ${name}`}
    >
      <Trans>Email</Trans>
    </Button>
  )
}

function MoveMenu({ call: { id, name, call_again_at } }: { call: PromisedCall }) {
  const times = useCallAgainTimes()
  const [asksTime, { open: askTime, close }] = useDisclosure()
  const set = async (at: string | null) => {
    await patch<ChangedLead>(`/web/leads/${id}`, { call_again_at: at })
    await refreshLeads()
  }
  const move = (at: string | null) =>
    set(at)
      .then(() => {
        const done = at
          ? t`Call with ${name} moved to ${{ time: formatCallAgain(at) }}`
          : t`Call with ${name} is no longer planned`
        notify(done, () => set(call_again_at))
      })
      .catch(notifyProblem)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconCalendarPlus size={16} aria-hidden />}
            aria-label={t`Move call with ${name}`}
          >
            <Trans>Move</Trans>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <Trans>Move to</Trans>
          </Menu.Label>
          {times
            .filter(({ at }) => at !== call_again_at)
            .map(({ at, label }) => (
              <Menu.Item key={at} onClick={() => void move(at)}>
                {label}
              </Menu.Item>
            ))}
          <Menu.Item onClick={askTime}>
            <Trans>Other time…</Trans>
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={() => void move(null)}>
            <Trans>Not planned</Trans>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <FormModal opened={asksTime} onClose={close} title={t`Move call with ${name}`}>
        <TimeForm
          at={call_again_at}
          onMove={(at) => {
            close()
            void move(at)
          }}
        />
      </FormModal>
    </>
  )
}

function TimeForm({ at, onMove }: { at: string; onMove(at: string): void }) {
  const [time, setTime] = useState(wallClock(Date.parse(at)))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onMove(toInstant(time))
      }}
    >
      <TextInput
        type="datetime-local"
        label={t`Call again (IST)`}
        required
        withAsterisk={false}
        data-autofocus
        value={time}
        onChange={(event) => setTime(event.currentTarget.value)}
      />
      <Group justify="flex-end" mt={16}>
        <Button type="submit">
          <Trans>Move call</Trans>
        </Button>
      </Group>
    </form>
  )
}
