import { IconCircleX, IconPlugConnectedX } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Overview } from '#contract/overview'
import { counted } from '../ui/money.ts'
import { relative } from '../ui/when.ts'
import { refusedOf } from './Figures.tsx'
import { Panel } from './Panel.tsx'
import styles from './ToMend.module.css'

/** For Admins: what comes in no more, or is refused, and where that is mended. */
export function ToMend({ overview: { refused_deliveries, silent_webhooks } }: { overview: Overview }) {
  const refused = refused_deliveries?.webhooks ?? []
  const silent = silent_webhooks ?? []
  if (refused.length + silent.length === 0) return null
  return (
    <Panel title="To mend" id="to-mend">
      <ul className={styles.list}>
        {refused.map(({ webhook_id, name, refused, newest_at }) => (
          <Item
            key={`refused ${webhook_id}`}
            icon={<IconCircleX size={18} color="var(--red)" aria-hidden />}
            target={refusedOf(webhook_id)}
            name={name}
            note={`${counted(refused, 'delivery', 'deliveries')} refused, newest ${relative(newest_at)}`}
          />
        ))}
        {silent.map(({ webhook_id, name, last_at }) => (
          <Item
            key={`silent ${webhook_id}`}
            icon={<IconPlugConnectedX size={18} color="var(--amber)" aria-hidden />}
            target={{ to: '/settings/webhooks/$webhookId', params: { webhookId: webhook_id } }}
            name={name}
            note={`Silent for longer than usual: last delivery ${relative(last_at)}`}
          />
        ))}
      </ul>
    </Panel>
  )
}

function Item({ icon, target, name, note }: { icon: ReactNode; target: LinkProps; name: string; note: string }) {
  return (
    <li>
      <Link {...target} className={styles.item}>
        {icon}
        <span>
          <span className={styles.name}>{name}</span> <span className={styles.note}>{note}</span>
        </span>
      </Link>
    </li>
  )
}
