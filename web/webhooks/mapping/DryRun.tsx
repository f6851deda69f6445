import { Button, Group, Modal, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useConnected } from '../../connection.ts'
import { grouped } from '../../ui/money.ts'
import { sentenceOf } from '../../ui/Problem.tsx'
import { When } from '../../ui/When.tsx'
import { fieldWord } from '../field-words.ts'
import { LongText } from '../LongText.tsx'
import { type Mapping, trialQuery } from '../queries.ts'
import type { Trials } from '../shapes.ts'
import styles from './MappingTab.module.css'

/** What a mapping that is not saved would change in what came before. */
export function DryRun({ webhookId, mapping }: { webhookId: string; mapping: Mapping }) {
  const [tried] = useDebouncedValue(mapping, 400)
  const { data, error, isFetching } = useQuery(trialQuery(webhookId, tried))
  const [opened, { open, close }] = useDisclosure()
  const connected = useConnected()
  // Of a lost connection the frame tells.
  if (error && !connected) return <Text c="dimmed">It is tried on past deliveries once the server answers.</Text>
  if (error && !isFetching) return <Text c="red">{sentenceOf(error)}</Text>
  if (!data) return <Text c="dimmed">Trying it on past deliveries…</Text>
  if (data.tried === 0) return <Text c="dimmed">There are no past deliveries to try it on.</Text>
  const past = data.tried === 1 ? 'one past delivery' : `the last ${grouped(data.tried)} deliveries`
  const words = data.tried === 1 ? `Would change the ${past}` : `Would change ${grouped(data.changed)} of ${past}`
  return (
    <Group gap={8} wrap="nowrap">
      <Text role="status">
        {data.changed > 0 ? words : data.tried === 1 ? `Changes nothing in the ${past}` : `Changes none of ${past}`}
      </Text>
      {data.changed > 0 && (
        <Button variant="default" size="xs" onClick={open} style={{ flexShrink: 0 }}>
          See them
        </Button>
      )}
      <Modal opened={opened} onClose={close} size="xl" title={words}>
        <Stack gap={24}>
          <Text c="dimmed">
            Leads that are there already do not change by themselves. Replay a delivery to have it read again.
          </Text>
          {data.deliveries.map((trial) => (
            <Changes key={trial.delivery_id} trial={trial} />
          ))}
        </Stack>
      </Modal>
    </Group>
  )
}

function Changes({ trial: { received_at, changed, before, after } }: { trial: Trials['deliveries'][number] }) {
  return (
    <section>
      <Title order={3} mb={4}>
        <When at={received_at} />
      </Title>
      <dl className={styles.fields}>
        {changed.map((field) => (
          <div key={field}>
            <dt>{fieldWord(field)}</dt>
            <dd>
              <span className={styles.change}>
                <Text span inherit c="dimmed">
                  <LongText text={textOf(before[field])} />
                </Text>{' '}
                <span aria-hidden>→</span>
                <VisuallyHidden>becomes</VisuallyHidden> <LongText text={textOf(after[field])} />
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'nothing'
  return Array.isArray(value) ? value.join(', ') : String(value)
}
