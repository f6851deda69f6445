import { ActionIcon, Anchor, Button, Group, Menu, TextInput, Title, Tooltip, UnstyledButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconChevronLeft, IconDots, IconMail, IconPhone, IconPhonePlus, IconTrash, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { spaced } from '../../ui/Phone.tsx'
import { StatusMark } from '../LeadMarks.tsx'
import { DeleteLead } from './DeleteLead.tsx'
import { holdKeys } from './hold-keys.ts'
import styles from './Lead.module.css'
import type { LeadInFull } from './queries.ts'
import { useChangeLead } from './use-change-lead.ts'
import { useInPlace } from './use-in-place.ts'

interface Props {
  lead: LeadInFull
  /** It stands beside the list, which has the page's own heading. */
  beside: boolean
  onLogCall(): void
}

export function LeadHead({ lead, beside, onLogCall }: Props) {
  const [menu, setMenu] = useState(false)
  const [deleting, setDeleting] = useState(false)
  return (
    <header className={styles.head}>
      {!beside && (
        <Anchor
          size="sm"
          className={styles.back}
          renderRoot={(props) => <Link {...props} to="/leads" search={(search) => search} />}
        >
          <IconChevronLeft size={14} aria-hidden />
          Leads
        </Anchor>
      )}
      <div className={styles.headLine}>
        <Name lead={lead} order={beside ? 2 : 1} />
        <div className={styles.status}>
          <StatusMark status={lead.status} />
        </div>
        <Group gap={4} wrap="nowrap">
          {/* biome-ignore lint/a11y/noStaticElementInteractions: it only keeps keys from going further */}
          <div onKeyDown={holdKeys(menu)}>
            <Menu opened={menu} onChange={setMenu} position="bottom-end" transitionProps={{ duration: 0 }}>
              <Menu.Target>
                <ActionIcon variant="subtle" color="gray" size={32} aria-label="More for this lead">
                  <IconDots size={18} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item
                  leftSection={<IconTrash size={16} aria-hidden />}
                  c="var(--red)"
                  onClick={() => setDeleting(true)}
                >
                  Delete lead
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </div>
          {beside && (
            <Tooltip label="Close (Esc)">
              <ActionIcon
                variant="subtle"
                color="gray"
                size={32}
                aria-label="Close"
                renderRoot={(props) => <Link {...props} to="/leads" search={(search) => search} />}
              >
                <IconX size={18} />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      </div>
      <div className={styles.reach}>
        {lead.phone && (
          <Button
            variant="default"
            leftSection={<IconPhone size={16} aria-hidden />}
            component="a"
            href={`tel:${lead.phone.replace(/[^\d+]/g, '')}`}
            aria-label={`Call ${spaced(lead.phone)}`}
          >
            Call
          </Button>
        )}
        {lead.email && (
          <Button
            variant="default"
            leftSection={<IconMail size={16} aria-hidden />}
            component="a"
            href={`mailto:${lead.email}`}
            aria-label={`Mail ${lead.email}`}
          >
            Mail
          </Button>
        )}
        <Button leftSection={<IconPhonePlus size={16} aria-hidden />} onClick={onLogCall}>
          Log call
        </Button>
      </div>
      <DeleteLead lead={lead} opened={deleting} onClose={() => setDeleting(false)} />
    </header>
  )
}

function Name({ lead, order }: { lead: LeadInFull; order: 1 | 2 }) {
  const { mutateAsync } = useChangeLead(lead)
  const { draft, open, opener, change, input } = useInPlace({
    value: lead.name,
    needed: 'A lead needs a name.',
    same: (one, other) => one.trim() === other.trim(),
    save: (name) => mutateAsync({ change: { name: name.trim() }, told: `Name changed to ${name.trim()}` }),
  })
  useHotkeys([['e', open]])

  if (draft !== undefined)
    return (
      <TextInput
        {...input}
        aria-label="Name"
        value={draft}
        onChange={(event) => change(event.currentTarget.value)}
        maxLength={200}
        autoComplete="off"
        className={styles.nameInput}
      />
    )
  return (
    <Title order={order} size="h1" className={styles.name}>
      <UnstyledButton ref={opener} className={styles.nameButton} onClick={open} title="Change the name">
        {lead.name}
      </UnstyledButton>
    </Title>
  )
}
