import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Button, Group, TextInput, Title, Tooltip, UnstyledButton } from '@mantine/core'
import { IconArrowMerge, IconDots, IconMail, IconTrash, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type MouseEvent, useState } from 'react'
import type { LeadInFull } from '#contract/crm/leads'
import { useMe } from '../../access/account/me.ts'
import { PhoneLink } from '../../crm/contacts/ContactLink.tsx'
import { FindOtherLead } from '../../crm/duplicates/FindOtherLead.tsx'
import { useGoBack } from '../../crm/leads/close-back.ts'
import { StatusBadge } from '../../crm/leads/LeadBadges.tsx'
import { BackLink } from '../../platform/ui/BackLink.tsx'
import { Menu } from '../../platform/ui/Menu.tsx'
import { usePageKeys } from '../../platform/ui/page-keys.ts'
import { useReturnFocus } from '../../platform/ui/return-focus.ts'
import { useNarrow } from '../../platform/ui/screen-size.ts'
import { startCall } from '../../telephony/calls/call-in-progress.ts'
import { nameOfPerson } from '../../telephony/quick-replies/fill-reply.ts'
import { WhatsAppButton } from '../../telephony/quick-replies/WhatsAppButton.tsx'
import { CallActions } from './CallActions.tsx'
import { DeleteLead } from './DeleteLead.tsx'
import styles from './Lead.module.css'
import { useChangeLead } from './use-change-lead.ts'
import { useInlineEdit } from './use-inline-edit.ts'

interface Props {
  lead: LeadInFull
  /** It is beside the list, which has the heading of the page. */
  beside: boolean
  onLogCall(): void
}

export function LeadHead({ lead, beside, onLogCall }: Props) {
  const { may_delete, role } = useMe()
  const mayMerge = role !== 'Agent'
  const [deleting, setDeleting] = useState(false)
  const [merging, setMerging] = useState(false)
  const noteOpener = useReturnFocus(deleting || merging)
  const onPhone = useNarrow()
  const goBack = useGoBack()
  const close = (event: MouseEvent) => {
    const isHere = !(event.ctrlKey || event.metaKey || event.shiftKey)
    if (isHere && goBack()) event.preventDefault()
  }
  return (
    <header className={styles.head}>
      {!beside && (
        <BackLink renderRoot={(props) => <Link {...props} to="/leads" search={true} />}>
          <Trans>Leads</Trans>
        </BackLink>
      )}
      <div className={styles.headLine}>
        <Name lead={lead} order={beside ? 2 : 1} />
        <div className={styles.status}>
          <StatusBadge status={lead.status} />
          {onPhone && lead.phone && <PhoneLink number={lead.phone} onCall={() => startCall(lead)} />}
        </div>
        <Group gap={4} wrap="nowrap">
          {(may_delete || mayMerge) && (
            <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
              <Menu.Target>
                <ActionIcon variant="subtle" color="gray" size={32} aria-label={t`More actions`}>
                  <IconDots size={18} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                {mayMerge && (
                  <Menu.Item
                    leftSection={<IconArrowMerge size={16} aria-hidden />}
                    onClick={() => {
                      noteOpener()
                      setMerging(true)
                    }}
                  >
                    <Trans>Merge with another lead…</Trans>
                  </Menu.Item>
                )}
                {may_delete && (
                  <Menu.Item
                    leftSection={<IconTrash size={16} aria-hidden />}
                    c="var(--red)"
                    onClick={() => {
                      noteOpener()
                      setDeleting(true)
                    }}
                  >
                    <Trans>Delete lead</Trans>
                  </Menu.Item>
                )}
              </Menu.Dropdown>
            </Menu>
          )}
          {beside && (
            <Tooltip label={t`Close (Esc)`}>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={32}
                aria-label={t`Close`}
                renderRoot={(props) => <Link {...props} to="/leads" search={true} onClick={close} />}
              >
                <IconX size={18} />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      </div>
      <div className={styles.reach} data-phone={onPhone || undefined}>
        {!onPhone && <CallActions lead={lead} onLogCall={onLogCall} />}
        <WhatsAppButton lead={lead} />
        {lead.email && (
          <Button
            variant="default"
            leftSection={<IconMail size={16} aria-hidden />}
            component="a"
            href={`mailto:${lead.email}`}
            aria-label={t`Email ${{ email: lead.email }}`}
          >
            <Trans>Email</Trans>
          </Button>
        )}
      </div>
      {mayMerge && <FindOtherLead lead={lead} opened={merging} onClose={() => setMerging(false)} />}
      <DeleteLead lead={lead} opened={deleting} onClose={() => setDeleting(false)} />
    </header>
  )
}

function Name({ lead, order }: { lead: LeadInFull; order: 1 | 2 }) {
  const { mutateAsync } = useChangeLead(lead)
  // "Caller +91 98…" is no name to correct: the field starts empty, and keeps it if it stays so.
  const isNamed = nameOfPerson(lead.name) !== null
  const { draft, open, opener, change, input } = useInlineEdit({
    value: isNamed ? lead.name : '',
    validate: (name) => (name.trim() ? undefined : t`A lead needs a name.`),
    same: (one, other) => one.trim() === other.trim(),
    save: (name) =>
      mutateAsync({ change: { name: name.trim() }, message: t`Name changed to ${{ name: name.trim() }}` }),
  })
  usePageKeys([['e', open]])

  if (draft !== undefined)
    return (
      <TextInput
        {...input}
        aria-label={t`Name`}
        value={draft}
        placeholder={isNamed ? undefined : lead.name}
        onChange={(event) => change(event.currentTarget.value)}
        maxLength={200}
        autoComplete="off"
        className={styles.nameInput}
      />
    )
  return (
    <Title order={order} size="h1" className={styles.name}>
      <UnstyledButton ref={opener} className={styles.nameButton} onClick={open} title={t`Edit name`}>
        {lead.name}
      </UnstyledButton>
    </Title>
  )
}
