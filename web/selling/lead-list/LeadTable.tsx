import { t } from '@lingui/core/macro'
import { ActionIcon } from '@mantine/core'
import { IconMail, IconPhone } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import type { LeadSort, ListedLead } from '#contract/crm/leads'
import { useMe } from '../../access/account/me.ts'
import { formatPhone, phoneUrl, usePhonePlans } from '../../crm/contacts/phone.ts'
import { StatusBadge } from '../../crm/leads/LeadBadges.tsx'
import { choicesQuery } from '../../crm/leads/queries.ts'
import { noteFitting, useShownColumns } from '../../crm/views/use-shown-columns.ts'
import { questionsOf } from '../../crm/views/view-search.ts'
import { DataTable, type RowSelection } from '../../platform/ui/DataTable.tsx'
import { formatMoney } from '../../platform/ui/numbers.ts'
import { useNarrow, useWide } from '../../platform/ui/screen-size.ts'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { useWidth } from '../../platform/ui/use-width.ts'
import { startCall } from '../../telephony/calls/call-in-progress.ts'
import { LeadLink } from './LeadLink.tsx'
import styles from './LeadTable.module.css'
import { leadColumns } from './lead-columns.tsx'

/** In pixels. */
const checkboxWidth = 40

interface Props {
  leads: ListedLead[] | undefined
  openId: string | undefined
  showsEnquiries: boolean
  sorted: Parameters<typeof leadColumns>[0]['sorted']
  busy: boolean
  onBeyond(by: 1 | -1): void
  selection: RowSelection<ListedLead>
  empty: ReactNode
}

export function LeadTable({ leads, openId, showsEnquiries, sorted, busy, onBeyond, selection, empty }: Props) {
  usePhonePlans()
  const navigate = useNavigate()
  const wide = useWide()
  const isAgent = useMe().role === 'Agent'
  const { data: choices } = useQuery(choicesQuery)
  const names = isAgent ? null : new Map(choices?.people.map(({ name, email }) => [email, name]))
  const { chosen, shown } = useShownColumns()
  const narrow = useNarrow()
  const { ref, width } = useWidth(openId === undefined)
  const available = width - checkboxWidth
  const wanted = { names, showsEnquiries, shown, questions: questionsOf(shown), sorted }
  // Chosen columns are all shown, except beside an open lead: the table scrolls.
  const widest = chosen && openId === undefined ? widthOf(leadColumns({ ...wanted, width: null })) : 0
  const columns = leadColumns({ ...wanted, width: Math.max(available, widest) })
  const fit = columns.flatMap(({ key }) => key ?? [])
  useEffect(() => {
    if (!chosen && !narrow && openId === undefined && width > 0) noteFitting(fit)
  })

  return (
    <div ref={ref}>
      <DataTable
        label={t`Leads`}
        columns={columns}
        minWidth={widest > available ? widest + checkboxWidth : 0}
        rows={leads}
        rowKey={({ id }) => id}
        narrow={(lead) => ({ first: firstLine(lead), second: secondLine(lead, sorted.sort, showsEnquiries) })}
        onOpen={({ id }) =>
          void navigate({
            to: '/leads/$leadId',
            params: { leadId: id },
            search: true,
            replace: openId !== undefined,
            resetScroll: !wide,
          })
        }
        openKey={openId}
        busy={busy}
        onBeyond={onBeyond}
        selection={selection}
        empty={empty}
        expected={15}
      />
    </div>
  )
}

const widthOf = (columns: { width: number }[]) => columns.reduce((sum, { width }) => sum + width, 0)

function firstLine(lead: ListedLead) {
  const { name, phone, email, status } = lead
  const [label, href, Sign] =
    phone === null ? [t`Write to ${name}`, `mailto:${email}`, IconMail] : [t`Call ${name}`, phoneUrl(phone), IconPhone]
  return (
    <>
      <div className={styles.nameOfTwo}>
        <LeadLink lead={lead} className={styles.line} />
      </div>
      <div className={styles.marks}>
        <StatusBadge status={status} />
        <ActionIcon
          component="a"
          href={href}
          aria-label={label}
          variant="subtle"
          size={36}
          onClick={() => phone !== null && startCall(lead)}
        >
          <Sign size={18} />
        </ActionIcon>
      </div>
    </>
  )
}

function secondLine(lead: ListedLead, sort: LeadSort, showsEnquiries: boolean) {
  const { phone, email, product, city, source, deal_value, created_at, last_call_at, enquired_again_at } = lead
  const times: Partial<Record<LeadSort, string | null>> = {
    updated: lead.updated_at,
    last_call: last_call_at,
    closed: lead.closed_at ?? created_at,
  }
  const bySort = sort in times ? times[sort]! : created_at
  const at = showsEnquiries && sort === 'newest' ? enquired_again_at : bySort
  return (
    <>
      <div className={styles.line}>
        {[phone === null ? email : formatPhone(phone), product, city, source]
          .filter((part) => part !== null)
          .join(' · ')}
      </div>
      <div className={styles.marks}>
        {sort === 'value' ? (
          deal_value !== null && formatMoney(deal_value)
        ) : at === null ? (
          t`Uncalled`
        ) : (
          <Timestamp at={at} short />
        )}
      </div>
    </>
  )
}
