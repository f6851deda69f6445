import { Alert, Button, Group, Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSparkles } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useMemo } from 'react'
import type { ShownWebhook } from '#contract/webhooks'
import { ApiProblem } from '../../api.ts'
import { useConnected } from '../../connection.ts'
import { Problem } from '../../ui/Problem.tsx'
import { formatShortDate } from '../../ui/time.ts'
import { type Mapping, readingQuery } from '../queries.ts'
import { entriesWithout, entryOf, withField } from './edit-mapping.ts'
import { LeadMade } from './LeadMade.tsx'
import { MappedElsewhere } from './MappedElsewhere.tsx'
import { MappingSkeleton } from './MappingSkeleton.tsx'
import styles from './MappingTab.module.css'
import { NoSuchDelivery } from './NoSuchDelivery.tsx'
import { useReading } from './use-reading.ts'
import { ValueTree } from './ValueTree.tsx'

interface Props {
  webhook: ShownWebhook
  deliveryId: string
  mapping: Mapping
  /** Gets the focus when a bar below has gone. */
  title: RefObject<HTMLHeadingElement | null>
  onChange(mapping: Mapping): void
  onNewest(): void
}

const mostNamed = 5

/** What has come for longer than deliveries are kept is no news. */
const isRecent = ({ since }: { since: string }) => Date.now() - Date.parse(since) < 30 * 86_400_000

/** A payload at the left, the lead that it makes at the right, live under the mapping that is edited. */
export function MappingEditor({ webhook, deliveryId, mapping, title, onChange, onNewest }: Props) {
  const [asked] = useDebouncedValue(mapping, 250)
  const { reading, error, retry } = useReading(deliveryId, asked)
  const connected = useConnected()
  const { data: alone } = useQuery(readingQuery(deliveryId, []))
  const paths = useMemo(() => new Set(reading?.values.map(({ path }) => path)), [reading])
  const recognised = useMemo(() => new Map(alone?.values.map((value) => [value.path, value])), [alone])
  const later = useMemo(() => webhook.new_fields.filter(isRecent), [webhook.new_fields])
  const since = useMemo(() => new Map(later.map((field) => [field.path, field.since])), [later])

  const problem = (
    <div className={styles.problem}>
      <Problem error={error} retry={retry} />
    </div>
  )
  if (error instanceof ApiProblem && error.status === 404) return <NoSuchDelivery onNewest={onNewest} />
  if (!reading) return error ? problem : <MappingSkeleton />
  const { values } = reading
  const elsewhere = entriesWithout(mapping, values, paths)

  return (
    <>
      {/* Of a lost connection the frame tells. */}
      {error && connected && problem}
      {later.length > 0 && (
        <Alert variant="default" p={12} mt={16} icon={<IconSparkles />}>
          <Text inherit>
            {later.length === 1 ? 'A field' : `${later.length} fields`} came after the first delivery:{' '}
            {later
              .slice(0, mostNamed)
              .map(({ path, since: day }) => `${path} (${formatShortDate(day)})`)
              .join(', ')}
            {later.length > mostNamed && ` and ${later.length - mostNamed} more`}
          </Text>
        </Alert>
      )}
      <div className={styles.split}>
        <section aria-label="What arrived">
          <Group justify="space-between" mb={8} gap={8} mih={30}>
            <Title order={2} ref={title} tabIndex={-1}>
              What arrived
            </Title>
            {mapping.length > 0 && (
              <Button variant="subtle" color="gray" size="xs" onClick={() => onChange([])}>
                Clear the mapping
              </Button>
            )}
          </Group>
          {values.length === 0 ? (
            <Text c="dimmed">There is nothing in this delivery that could be mapped.</Text>
          ) : (
            <ValueTree
              values={values}
              paths={paths}
              mapping={mapping}
              saved={webhook.mapping}
              recognised={recognised}
              since={since}
              onChoose={(leaf, field) => onChange(withField(mapping, entryOf(mapping, leaf, paths), leaf.path, field))}
            />
          )}
          <MappedElsewhere entries={elsewhere} onRemove={(entry) => onChange(mapping.filter((one) => one !== entry))} />
        </section>
        <LeadMade reading={reading} />
      </div>
    </>
  )
}
