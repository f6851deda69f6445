import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Spoiler, Stack, Text, Textarea, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type LeadInFull, leadFields } from '#contract/crm/leads'
import { notesBeside } from '../../crm/enquiries/notes-beside.ts'
import { leadQuery } from '../../crm/leads/queries.ts'
import { ApiProblem } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { createDrafts } from '../../platform/ui/drafts.ts'
import { Problem } from '../../platform/ui/Problem.tsx'
import styles from './Lead.module.css'
import { useAddNote, useChangeLead } from './use-change-lead.ts'

interface Props {
  lead: LeadInFull
  headings: 2 | 3
  /** Messages of enquiries, which are shown above: webhooks add them to the notes, too. */
  messages: (string | null)[]
  /** The form that is open. */
  writing: 'new' | 'all' | null
  onWriting(writing: Props['writing']): void
}

export function Notes({ lead, headings, messages, writing, onWriting }: Props) {
  const shown = notesBeside(lead.notes, messages)
  const adder = useRef<HTMLButtonElement>(null)
  const close = () => {
    onWriting(null)
    setTimeout(() => adder.current?.focus())
  }
  return (
    <section>
      <Group justify="space-between" mb={8} mih={30} gap={4}>
        <Title order={headings} size="h2">
          <Trans>Notes</Trans>
        </Title>
        {!writing && (
          <Group gap={4}>
            {lead.notes !== null && (
              <Button variant="subtle" color="gray" size="compact-sm" mih={32} onClick={() => onWriting('all')}>
                <Trans>Edit notes</Trans>
              </Button>
            )}
            <Button ref={adder} variant="subtle" size="compact-sm" mih={32} onClick={() => onWriting('new')}>
              <Trans>Add note</Trans>
            </Button>
          </Group>
        )}
      </Group>
      {writing === 'new' && <NewNote lead={lead} onClose={close} />}
      {writing === 'all' ? (
        <AllNotes lead={lead} onClose={close} />
      ) : shown === null ? (
        !writing && (
          <Text c="dimmed">{lead.notes === null ? t`No notes yet.` : t`Only the message of the enquiry.`}</Text>
        )
      ) : (
        <Spoiler
          maxHeight={260}
          classNames={{ control: styles.unfold! }}
          showLabel={t`Show all notes`}
          hideLabel={t`Show less`}
          transitionDuration={0}
        >
          <div className={styles.notes}>
            {shown.split('\n').map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
              <div key={index} className={isTime(line) ? styles.noteTime : undefined}>
                {line || ' '}
              </div>
            ))}
          </div>
        </Spoiler>
      )}
    </section>
  )
}

/** The page shows a sign-in dialog for this. */
const sessionEnded = (error: unknown) => error instanceof ApiProblem && error.status === 401

/** The line above each added note: [21 Nov 2026, 10:30]. */
const isTime = (line: string) => /^\[\d{1,2} \w{3,4} \d{4}, \d\d:\d\d.*\]$/.test(line)

function NewNote({ lead, onClose }: { lead: LeadInFull; onClose(): void }) {
  const add = useAddNote(lead)
  return (
    <Writing leadId={lead.id} of="new" label={t`New note`} begin="" action={t`Add note`} save={add} onClose={onClose} />
  )
}

/** Replaces the notes that were read. If another user changed them meanwhile, both versions are shown. */
function AllNotes({ lead, onClose }: { lead: LeadInFull; onClose(): void }) {
  const { mutateAsync } = useChangeLead(lead)
  const draft = drafts.get(lead.id)
  const [read, setRead] = useState(draft?.read ?? { notes: lead.notes, version: lead.notes_version })
  const [isBehind, setBehind] = useState(false)
  const save = async (text: string) => {
    try {
      const change = { notes: text.trim() || null, notes_version: read.version }
      await mutateAsync({ change, message: text.trim() ? t`Notes changed` : t`Notes removed` })
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 409) {
        const now = await queryClient.fetchQuery({ ...leadQuery(lead.id), staleTime: 0 })
        setRead({ notes: now.notes, version: now.notes_version })
        setBehind(true)
      }
      throw error
    }
  }
  return (
    <>
      {isBehind && (
        <section aria-label={t`Current notes`}>
          <Text fw={600}>{t`Current notes`}</Text>
          <Spoiler
            mb={12}
            maxHeight={160}
            classNames={{ control: styles.unfold! }}
            showLabel={t`Show all notes`}
            hideLabel={t`Show less`}
            transitionDuration={0}
          >
            <div className={styles.notes}>{read.notes ?? t`No notes`}</div>
          </Spoiler>
          <Text fw={600}>{t`Your version`}</Text>
        </section>
      )}
      <Writing
        leadId={lead.id}
        of="all"
        label={t`Notes`}
        begin={read.notes ?? ''}
        read={read}
        action={t`Save notes`}
        save={save}
        onClose={onClose}
        mayBeEmpty
      />
    </>
  )
}

/** The notes that the user started from. */
interface ReadNotes {
  notes: string | null
  version: string
}

/** Unsaved drafts by lead. */
const drafts = createDrafts<{ of: 'new' | 'all'; text: string; read?: ReadNotes | undefined }>('notes')

export const draftLeadId = (leadId: string) => drafts.get(leadId)?.of ?? null

interface WritingProps {
  leadId: string
  of: 'new' | 'all'
  label: string
  begin: string
  read?: ReadNotes
  action: string
  save(text: string): Promise<unknown>
  onClose(): void
  mayBeEmpty?: boolean
}

function Writing({ leadId, of, label, begin, read, action, save, onClose, mayBeEmpty = false }: WritingProps) {
  const draft = drafts.get(leadId)
  const [text, setText] = useState(draft?.of === of ? draft.text : begin)
  const end = () => {
    drafts.delete(leadId)
    onClose()
  }
  const saving = useMutation({ mutationFn: save, onSuccess: end })
  const submit = () => {
    if (text.trim() === begin.trim()) return end()
    if (!saving.isPending) saving.mutate(text)
  }
  return (
    <Stack gap={8} mb={16}>
      <Textarea
        aria-label={label}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          drafts.set(leadId, { of, text: event.currentTarget.value, read })
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation()
            // Only Cancel discards a draft.
            if (text.trim() === begin.trim()) end()
          }
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
        }}
        autoFocus
        autosize
        minRows={3}
        maxRows={16}
        maxLength={leadFields.notes.maxLength}
      />
      {!sessionEnded(saving.error) && <Problem error={saving.error} />}
      <Group gap={8} justify="flex-end">
        <Button variant="default" size="xs" mih={32} onClick={end}>
          <Trans>Cancel</Trans>
        </Button>
        <Button size="xs" mih={32} onClick={submit} loading={saving.isPending} disabled={!mayBeEmpty && !text.trim()}>
          {action}
        </Button>
      </Group>
    </Stack>
  )
}
