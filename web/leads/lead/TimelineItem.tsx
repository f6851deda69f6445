import { Anchor, Text, UnstyledButton } from '@mantine/core'
import {
  IconArrowMerge,
  IconChevronRight,
  IconInbox,
  IconPencil,
  IconPhone,
  IconPhoneX,
  IconPlus,
  IconUserShare,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { TimelineEntry } from '#contract/leads'
import { When } from '../../ui/When.tsx'
import { ChangeTable } from './ChangeTable.tsx'
import styles from './Lead.module.css'

const icons: Record<string, typeof IconPlus> = {
  created: IconPlus,
  merged: IconArrowMerge,
  changed: IconPencil,
  submitted: IconInbox,
  reassigned: IconUserShare,
  call_logged: IconPhone,
  call_deleted: IconPhoneX,
}

export function TimelineItem({ entry: { kind, at, summary, details } }: { entry: TimelineEntry }) {
  const Sign = icons[kind] ?? IconPencil
  const detailsId = useId()
  const [opened, setOpened] = useState(false)
  const hasDetails = Boolean(details.changes?.length || details.not_taken?.length || details.submitted)

  return (
    <li className={styles.entry}>
      <span className={styles.entrySign}>
        <Sign size={14} aria-hidden />
      </span>
      <div className={styles.entryBody}>
        <div className={styles.sentence}>{summary}</div>
        <Text size="xs" c="dimmed" className={styles.entryFoot}>
          <When at={at} />
          {hasDetails && (
            <UnstyledButton
              className={styles.more}
              aria-expanded={opened}
              aria-controls={detailsId}
              onClick={() => setOpened(!opened)}
            >
              <IconChevronRight size={12} aria-hidden />
              Details
            </UnstyledButton>
          )}
          {details.merged_into && (
            <Anchor
              inherit
              renderRoot={(props) => (
                <Link
                  {...props}
                  to="/leads/$leadId"
                  params={{ leadId: details.merged_into! }}
                  search={(search) => search}
                />
              )}
            >
              Open the other lead
            </Anchor>
          )}
        </Text>
        <div id={detailsId} hidden={!opened}>
          {opened && <ChangeTable details={details} />}
        </div>
      </div>
    </li>
  )
}
