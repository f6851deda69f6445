import { Button, Group, Spoiler, Stack, Text, Textarea, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { LeadInFull } from '#contract/leads'
import { ApiProblem } from '../../api.ts'
import { useMe } from '../../me.ts'
import { Problem } from '../../ui/Problem.tsx'
import { inIst } from '../../ui/when.ts'
import styles from './Lead.module.css'
import { leadQuery } from './queries.ts'
import { useChangeLead } from './use-change-lead.ts'

interface Props {
  lead: LeadInFull
  headings: 2 | 3
  /** Which of the two is written just now. */
  writing: 'new' | 'all' | null
  onWriting(writing: Props['writing']): void
}

export function Notes({ lead, headings, writing, onWriting }: Props) {
  return (
    <section>
      <Group justify="space-between" mb={8} mih={30} gap={4}>
        <Title order={headings} size="h2">
          Notes
        </Title>
        {!writing && (
          <Group gap={4}>
            {lead.notes !== null && (
              <Button variant="subtle" color="gray" size="compact-sm" mih={32} onClick={() => onWriting('all')}>
                Change notes
              </Button>
            )}
            <Button variant="subtle" size="compact-sm" mih={32} onClick={() => onWriting('new')}>
              Add note
            </Button>
          </Group>
        )}
      </Group>
      {writing === 'new' && <NewNote lead={lead} onClose={() => onWriting(null)} />}
      {writing === 'all' ? (
        <AllNotes lead={lead} onClose={() => onWriting(null)} />
      ) : lead.notes === null ? (
        !writing && <Text c="dimmed">Nothing noted yet.</Text>
      ) : (
        <Spoiler
          maxHeight={260}
          classNames={{ control: styles.unfold! }}
          showLabel="Show all notes"
          hideLabel="Show less"
          transitionDuration={0}
        >
          <div className={styles.notes}>
            {lead.notes.split('\n').map((line, index) => (
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

/** The line that stands above what was added later: [21 Nov 2026, 10:30]. */
const isTime = (line: string) => /^\[\d{1,2} \w{3,4} \d{4}, \d\d:\d\d.*\]$/.test(line)

function NewNote({ lead, onClose }: { lead: LeadInFull; onClose(): void }) {
  const me = useMe()
  const client = useQueryClient()
  const { mutateAsync } = useChangeLead(lead)
  // What others added in the meantime stays.
  const add = async (text: string) => {
    const { notes } = await client.fetchQuery({ ...leadQuery(lead.id), staleTime: 0 })
    const dated = `[${inIst(new Date())}, ${me.name}]\n${text.trim()}`
    await mutateAsync({ change: { notes: notes === null ? dated : `${notes}\n\n${dated}` }, told: 'Note added' })
  }
  return <Writing label="New note" begin="" action="Add note" save={add} onClose={onClose} />
}

function AllNotes({ lead, onClose }: { lead: LeadInFull; onClose(): void }) {
  const client = useQueryClient()
  const { mutateAsync } = useChangeLead(lead)
  const [begun, setBegun] = useState(lead.notes)
  const save = async (text: string) => {
    const { notes } = await client.fetchQuery({ ...leadQuery(lead.id), staleTime: 0 })
    if (notes !== begun) {
      setBegun(notes)
      throw new ApiProblem(409, {
        code: 'CHANGED',
        message: 'Somebody changed these notes while you wrote. Save again to replace theirs with yours.',
      })
    }
    await mutateAsync({ change: { notes: text.trim() || null }, told: text.trim() ? 'Notes changed' : 'Notes removed' })
  }
  return <Writing label="Notes" begin={lead.notes ?? ''} action="Save notes" save={save} onClose={onClose} mayBeEmpty />
}

interface WritingProps {
  label: string
  begin: string
  action: string
  save(text: string): Promise<unknown>
  onClose(): void
  mayBeEmpty?: boolean
}

function Writing({ label, begin, action, save, onClose, mayBeEmpty = false }: WritingProps) {
  const [text, setText] = useState(begin)
  const saving = useMutation({ mutationFn: save, onSuccess: onClose })
  const submit = () => {
    if (text.trim() === begin.trim()) return onClose()
    if (!saving.isPending) saving.mutate(text)
  }
  return (
    <Stack gap={8} mb={16}>
      <Textarea
        aria-label={label}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation()
            // What was written is thrown away by Cancel alone.
            if (text.trim() === begin.trim()) onClose()
          }
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
        }}
        autoFocus
        autosize
        minRows={3}
        maxRows={16}
        maxLength={20_000}
      />
      <Problem error={saving.error} />
      <Group gap={8} justify="flex-end">
        <Button variant="default" size="xs" mih={32} onClick={onClose}>
          Cancel
        </Button>
        <Button size="xs" mih={32} onClick={submit} loading={saving.isPending} disabled={!mayBeEmpty && !text.trim()}>
          {action}
        </Button>
      </Group>
    </Stack>
  )
}
