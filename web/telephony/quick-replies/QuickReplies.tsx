import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Button, Skeleton, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconDots, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { maxOfAccount, maxOfUser, type QuickReply } from '#contract/telephony/quick-replies'
import { ConfirmDialog } from '../../platform/ui/ConfirmDialog.tsx'
import { Menu } from '../../platform/ui/Menu.tsx'
import { notify, notifyProblem } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useReturnFocus } from '../../platform/ui/return-focus.ts'
import { Section } from '../../platform/ui/Section.tsx'
import styles from './QuickReplies.module.css'
import { QuickReplyDialog } from './QuickReplyDialog.tsx'
import { type Holder, quickRepliesQuery, quickReplyChanges } from './queries.ts'

const about: Record<Holder, ReactNode> = {
  account: t`Texts that all users can send when they open WhatsApp for a lead.`,
  own: t`Texts that you can send when you open WhatsApp for a lead, beside those of the account. Only you see them.`,
}
const maxReplies: Record<Holder, number> = { account: maxOfAccount, own: maxOfUser }

/** Manages the quick replies of the account, or your own. */
export function QuickReplies({ of }: { of: Holder }) {
  const { data, error, refetch } = useQuery(quickRepliesQuery)
  const replies = data?.[of]
  const [edited, setEdited] = useState<QuickReply | 'new'>()
  const [deleted, setDeleted] = useState<QuickReply>()
  const [isDeleting, setDeleting] = useState(false)
  const noteOpener = useReturnFocus(edited !== undefined || isDeleting)
  const { move, remove } = quickReplyChanges(of)
  const max = maxReplies[of]
  const isFull = replies !== undefined && replies.length >= max
  const deletedTitle = deleted?.title

  return (
    <div id="quick-replies">
      <Section title={t`Quick replies`} about={about[of]}>
        <Problem error={replies ? null : error} retry={() => void refetch()} />
        {!replies && !error && <Skeleton height={88} />}
        {replies && replies.length > 0 && (
          <ol className={styles.replies} aria-label={t`Quick replies`}>
            {replies.map((reply, index) => (
              <li key={reply.id} className={styles.reply}>
                <div>
                  <div className={styles.title}>{reply.title}</div>
                  <Text size="xs" c="dimmed" lineClamp={2} className={styles.text}>
                    {reply.text}
                  </Text>
                </div>
                <ReplyMenu
                  title={reply.title}
                  isFirst={index === 0}
                  isLast={index === replies.length - 1}
                  onEdit={() => {
                    noteOpener()
                    setEdited(reply)
                  }}
                  onMove={(by) => void move(reply.id, index + 1 + by).catch(notifyProblem)}
                  onDelete={() => {
                    noteOpener()
                    setDeleted(reply)
                    setDeleting(true)
                  }}
                />
              </li>
            ))}
          </ol>
        )}
        {replies && (
          <Button
            mt={16}
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={isFull}
            onClick={() => {
              noteOpener()
              setEdited('new')
            }}
          >
            <Trans>Add quick reply</Trans>
          </Button>
        )}
        {isFull && (
          <Text c="dimmed" mt={8}>
            <Trans>{max} quick replies at most. Delete one to add another.</Trans>
          </Text>
        )}
      </Section>
      <QuickReplyDialog of={of} edited={edited} onClose={() => setEdited(undefined)} />
      <ConfirmDialog
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        title={t`Delete quick reply`}
        action={t`Delete quick reply`}
        onConfirm={async () => {
          await remove(deleted!.id)
          notify(t`Deleted “${{ title: deleted!.title }}”`)
        }}
      >
        <Trans>“{deletedTitle}” will be permanently deleted. Timelines keep what was noted.</Trans>
      </ConfirmDialog>
    </div>
  )
}

interface MenuProps {
  title: string
  isFirst: boolean
  isLast: boolean
  onEdit(): void
  onMove(by: 1 | -1): void
  onDelete(): void
}

function ReplyMenu({ title, isFirst, isLast, onEdit, onMove, onDelete }: MenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={32} aria-label={t`Actions for ${title}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
          <Trans>Edit</Trans>
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowUp size={16} aria-hidden />} disabled={isFirst} onClick={() => onMove(-1)}>
          <Trans>Move up</Trans>
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowDown size={16} aria-hidden />} disabled={isLast} onClick={() => onMove(1)}>
          <Trans>Move down</Trans>
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
          <Trans>Delete</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
