import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, type ButtonProps, NativeSelect, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconBrandWhatsapp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { LeadInFull } from '#contract/crm/leads'
import type { QuickReply } from '#contract/telephony/quick-replies'
import { useMe } from '../../access/account/me.ts'
import { formatPhone, usePhonePlans, whatsappUrl } from '../../crm/contacts/phone.ts'
import { leadQuery } from '../../crm/leads/queries.ts'
import { Drawer } from '../../platform/ui/Dialog.tsx'
import { notifyProblem } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useNarrow } from '../../platform/ui/screen-size.ts'
import { fillReply, nameOfPerson } from './fill-reply.ts'
import styles from './QuickReplies.module.css'
import { noteWhatsAppOpened, quickRepliesQuery } from './queries.ts'

interface Lead {
  id: string
  name: string
  phone: string | null
  /** Loaded with the choices if they are missing. */
  other_contacts?: LeadInFull['other_contacts']
}

interface Props extends Pick<ButtonProps, 'size'> {
  lead: Lead
}

/** Opens WhatsApp: at once if there is nothing to choose, else with a quick reply and for one of several numbers. */
export function WhatsAppButton({ lead, size }: Props) {
  usePhonePlans()
  const [opened, setOpened] = useState(false)
  const { data: replies } = useQuery(quickRepliesQuery)
  const numbers = numbersOf(lead)
  const [first] = numbers
  if (first === undefined) return null
  const look = {
    size,
    variant: 'default',
    leftSection: <IconBrandWhatsapp size={size ? 18 : 16} aria-hidden />,
  } as const
  const offersNothing = replies && replies.account.length + replies.own.length === 0 && numbers.length === 1
  if (offersNothing)
    return (
      <Button {...look} component="a" {...linkTo(lead, first, null, undefined)}>
        WhatsApp
      </Button>
    )
  return (
    <>
      <Button {...look} aria-haspopup="dialog" onClick={() => setOpened(true)}>
        WhatsApp
      </Button>
      <Choices lead={lead} opened={opened} onClose={() => setOpened(false)} />
    </>
  )
}

/** Those that WhatsApp can open: it opens no chat by the id of a user who hides the number. */
function numbersOf({ phone, other_contacts = [] }: Lead): string[] {
  const others = other_contacts.flatMap(({ kind, value }) => (kind === 'phone' ? value : []))
  return [phone, ...others].filter((number) => number !== null && whatsappUrl(number) !== null) as string[]
}

/** The link notes on the timeline that it was opened. */
function linkTo(lead: Lead, number: string, reply: QuickReply | null, text: string | undefined) {
  return {
    href: whatsappUrl(number, text) ?? '',
    target: '_blank',
    rel: 'noreferrer',
    onClick: () => {
      noteWhatsAppOpened(lead.id, { quick_reply_id: reply?.id ?? null, ...(text ? { text } : {}) }).catch(notifyProblem)
    },
  }
}

interface ChoicesProps {
  lead: Lead
  opened: boolean
  onClose(): void
}

function Choices({ lead, opened, onClose }: ChoicesProps) {
  usePhonePlans()
  const narrow = useNarrow()
  const me = useMe()
  const { data: replies, error, refetch } = useQuery(quickRepliesQuery)
  const [chosen, setChosen] = useState<string>()
  const isPart = lead.other_contacts === undefined
  const { data: whole } = useQuery({ ...leadQuery(lead.id), enabled: opened && isPart, placeholderData: undefined })
  const numbers = numbersOf({ ...lead, ...(whole && { other_contacts: whole.other_contacts }) })
  const number = numbers.find((one) => one === chosen) ?? numbers[0]!
  const values = { name: nameOfPerson(lead.name), agent: me.name, company: me.account.name }

  const choice = (title: string, reply: QuickReply | null, text?: string) => {
    const { onClick, ...link } = linkTo(lead, number, reply, text)
    return (
      <li key={reply?.id ?? 'plain'}>
        <UnstyledButton
          component="a"
          {...link}
          className={styles.choice}
          {...(reply ? {} : { 'data-autofocus': true })}
          onClick={() => {
            onClick()
            onClose()
          }}
        >
          <span className={styles.title}>{title}</span>
          {text && (
            <Text span size="xs" c="dimmed" lineClamp={2} className={styles.text}>
              {text}
            </Text>
          )}
        </UnstyledButton>
      </li>
    )
  }

  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position={narrow ? 'bottom' : 'right'}
      size={narrow ? 'auto' : 400}
      title={t`WhatsApp to ${{ name: lead.name }}`}
      overlayProps={{ backgroundOpacity: 0.2 }}
    >
      <Stack gap={12} pb={16}>
        {/* Other numbers that are loaded do not move what follows. */}
        {numbers.length > 1 || isPart ? (
          <NativeSelect
            label={t`Number`}
            data={numbers.map((value) => ({ value, label: formatPhone(value) }))}
            value={number}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
        ) : (
          <Text c="dimmed">{formatPhone(number)}</Text>
        )}
        <ul className={styles.choices} aria-label={t`Messages`}>
          {choice(t`Open WhatsApp`, null)}
          {[...(replies?.account ?? []), ...(replies?.own ?? [])].map((reply) =>
            choice(reply.title, reply, fillReply(reply.text, values)),
          )}
        </ul>
        {error && !replies ? (
          <Problem error={error} retry={() => void refetch()} />
        ) : (
          !replies && <Skeleton height={56} />
        )}
        <Button
          variant="subtle"
          size="compact-sm"
          mih={32}
          renderRoot={(props) => <Link {...props} to="/profile" hash="quick-replies" />}
        >
          <Trans>Edit your quick replies</Trans>
        </Button>
      </Stack>
    </Drawer>
  )
}
