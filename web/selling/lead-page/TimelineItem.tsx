import { Trans } from '@lingui/react/macro'
import { Anchor, Text, UnstyledButton } from '@mantine/core'
import {
  IconArrowMerge,
  IconBrandWhatsapp,
  IconChevronRight,
  IconInbox,
  IconPencil,
  IconPhone,
  IconPhoneX,
  IconPlus,
  IconUserShare,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { TimelineEntry } from '#contract/crm/leads'
import { Arrows } from '../../platform/ui/Arrows.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { WaitingButton } from '../../platform/ui/WaitingButton.tsx'
import { CallNotes } from './CallNotes.tsx'
import { ChangeTable } from './ChangeTable.tsx'
import styles from './Lead.module.css'
import { entryQuery } from './queries.ts'

const icons: Record<string, typeof IconPlus> = {
  created: IconPlus,
  merged: IconArrowMerge,
  changed: IconPencil,
  submitted: IconInbox,
  reassigned: IconUserShare,
  call_logged: IconPhone,
  call_changed: IconPencil,
  call_deleted: IconPhoneX,
  whatsapp_opened: IconBrandWhatsapp,
}

interface Props {
  leadId: string
  entry: TimelineEntry
  /** What the same save changed. */
  changes: TimelineEntry[]
}

export function TimelineItem({ leadId, entry, changes }: Props) {
  const { kind, at, cut } = entry
  const [isWhole, setWhole] = useState(false)
  const whole = useQuery({ ...entryQuery(leadId, entry.id), enabled: isWhole })
  const { summary, details } = whole.data ?? entry
  const otherLead = details.merged_into ?? details.unmerged_lead ?? details.unmerged_from
  const Sign = icons[kind] ?? IconPencil
  const detailsId = useId()
  const [opened, setOpened] = useState(false)
  const hasDetails = Boolean(
    details.changes?.length || details.not_taken?.length || details.submitted || details.message || cut,
  )

  return (
    <li className={styles.entry}>
      <span className={styles.entrySign}>
        <Sign size={14} aria-hidden />
      </span>
      <div className={styles.entryBody}>
        <div className={styles.sentence}>
          <Arrows text={summary} />
        </div>
        {changes.map((change) => (
          <div key={change.id} className={styles.sentence}>
            <Arrows text={change.summary} />
          </div>
        ))}
        {entry.call && <CallNotes call={entry.call} />}
        <Text size="xs" c="dimmed" className={styles.entryFoot}>
          <Timestamp at={entry.call?.called_at ?? at} />
          {hasDetails && (
            <UnstyledButton
              className={styles.more}
              aria-expanded={opened}
              aria-controls={detailsId}
              onClick={() => setOpened(!opened)}
            >
              <IconChevronRight size={12} aria-hidden />
              <Trans>Details</Trans>
            </UnstyledButton>
          )}
          {otherLead && (
            <Anchor
              inherit
              renderRoot={(props) => (
                <Link {...props} to="/leads/$leadId" params={{ leadId: otherLead }} search={(search) => search} />
              )}
            >
              <Trans>Open the other lead</Trans>
            </Anchor>
          )}
        </Text>
        <div id={detailsId} hidden={!opened}>
          {opened && <ChangeTable details={details} shown={cut ? 'unfolded' : 'folded'} />}
          {opened && cut && !whole.data && (
            <WaitingButton
              variant="subtle"
              size="compact-sm"
              mih={32}
              waiting={whole.isFetching}
              onClick={() => (isWhole ? void whole.refetch() : setWhole(true))}
            >
              <Trans>Show all</Trans>
            </WaitingButton>
          )}
          {opened && <Problem error={whole.error} />}
        </div>
      </div>
    </li>
  )
}
