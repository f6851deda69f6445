import { select, t } from '@lingui/core/macro'
import { Select, Trans } from '@lingui/react/macro'
import { ActionIcon, Text } from '@mantine/core'
import { IconDots, IconNote, IconPencil, IconThumbUp, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { CallPreview } from '#contract/telephony/calls'
import { useMe } from '../../access/account/me.ts'
import { refreshLeads } from '../../crm/leads/queries.ts'
import { remove } from '../../platform/api/api.ts'
import { ConfirmDialog } from '../../platform/ui/ConfirmDialog.tsx'
import { Modal } from '../../platform/ui/Dialog.tsx'
import { Menu } from '../../platform/ui/Menu.tsx'
import { notify } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useReturnFocus } from '../../platform/ui/return-focus.ts'
import { formatDateTime } from '../../platform/ui/time.ts'
import styles from './CallsPage.module.css'
import { CorrectCall } from './CorrectCall.tsx'
import { mayCorrect, mayReview } from './may-correct.ts'
import { callQuery } from './queries.ts'

const ReviewDialog = lazy(() => import('./ReviewDialog.tsx'))

/** The actions of one call: read its notes, review it, correct it, delete it. */
export function CallMenu({
  call,
  withNotes = true,
}: {
  call: CallPreview & { lead_name: string }
  withNotes?: boolean
}) {
  const me = useMe()
  const { may_delete } = me
  const [asked, setAsked] = useState<'notes' | 'review' | 'correction' | 'deletion' | null>(null)
  const whole = useQuery({ ...callQuery(call.id), enabled: asked === 'notes' && call.notes_cut })
  const [wasAsked, setWasAsked] = useState(false)
  const noteOpener = useReturnFocus(asked !== null)
  const ask = (what: typeof asked) => () => {
    noteOpener()
    setWasAsked(true)
    setAsked(what)
  }
  const close = () => setAsked(null)
  const { call_type, lead_name } = call
  const calledAt = formatDateTime(call.called_at)

  const deleteCall = async () => {
    await remove(`/web/calls/${call.id}`)
    notify(t`Call deleted`)
    await refreshLeads()
  }

  const hasNotes = withNotes && call.notes !== null
  const hasReview = mayReview(me) || call.review !== null
  if (!hasNotes && !hasReview && !may_delete && !mayCorrect(me, call)) return null
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            aria-label={t`Actions for the ${select(call_type, { Inbound: 'inbound', other: 'outbound' })} call with ${lead_name}`}
          >
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {hasNotes && (
            <Menu.Item leftSection={<IconNote size={16} aria-hidden />} onClick={ask('notes')}>
              <Trans>Read notes</Trans>
            </Menu.Item>
          )}
          {hasReview && (
            <Menu.Item leftSection={<IconThumbUp size={16} aria-hidden />} onClick={ask('review')}>
              {!mayReview(me) ? t`Read review` : call.review ? t`Change review` : t`Review call`}
            </Menu.Item>
          )}
          {mayCorrect(me, call) && (
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={ask('correction')}>
              <Trans>Correct call</Trans>
            </Menu.Item>
          )}
          {may_delete && (
            <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={ask('deletion')} color="var(--red)">
              <Trans>Delete call</Trans>
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {/* A list has fifty menus. */}
      {wasAsked && (
        <>
          <Modal opened={asked === 'notes'} onClose={close} title={t`Notes of the call on ${calledAt}`}>
            <Text className={styles.allNotes}>{whole.data?.notes ?? call.notes}</Text>
            <Problem error={whole.error} retry={() => void whole.refetch()} />
          </Modal>
          <Suspense>
            {hasReview && (
              <ReviewDialog
                call={call}
                title={t`Review of the call on ${calledAt}`}
                opened={asked === 'review'}
                onClose={close}
              />
            )}
          </Suspense>
          <CorrectCall call={call} opened={asked === 'correction'} onClose={close} />
          <ConfirmDialog
            opened={asked === 'deletion'}
            onClose={close}
            title={t`Delete call?`}
            action={t`Delete call`}
            onConfirm={deleteCall}
          >
            <Trans>
              The <Select value={call_type} _Inbound="inbound" other="outbound" /> call with {lead_name} on {calledAt}{' '}
              and its notes will be permanently deleted. The overview no longer counts it. The lead stays.
            </Trans>
          </ConfirmDialog>
        </>
      )}
    </>
  )
}
