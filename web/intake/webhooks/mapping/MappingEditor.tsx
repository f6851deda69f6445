import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSparkles } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useMemo } from 'react'
import type { ShownWebhook } from '#contract/intake/webhooks'
import { isNotFound } from '../../../platform/api/api.ts'
import { useConnected } from '../../../platform/api/connection.ts'
import { formatList } from '../../../platform/ui/lists.ts'
import { Problem } from '../../../platform/ui/Problem.tsx'
import { formatShortDate } from '../../../platform/ui/time.ts'
import { type Mapping, previewQuery } from '../queries.ts'
import { DeliveryNotFound } from './DeliveryNotFound.tsx'
import { entriesWithout, findEntry, withField } from './edit-mapping.ts'
import { MappedElsewhere } from './MappedElsewhere.tsx'
import { MappingSkeleton } from './MappingSkeleton.tsx'
import styles from './MappingTab.module.css'
import { ResultingCall } from './ResultingCall.tsx'
import { ResultingEnquiry } from './ResultingEnquiry.tsx'
import { ResultingLead } from './ResultingLead.tsx'
import { usePreview } from './use-preview.ts'
import { ValueTree } from './ValueTree.tsx'

interface Props {
  webhook: ShownWebhook
  deliveryId: string
  mapping: Mapping
  /** Gets the focus when the bar below closes. */
  title: RefObject<HTMLHeadingElement | null>
  onChange(mapping: Mapping): void
  onNewest(): void
}

const maxNamed = 5

/** A field that is older than the stored deliveries is no longer new. */
const isRecent = ({ since }: { since: string }) => Date.now() - Date.parse(since) < 30 * 86_400_000

function newFieldsText(later: ShownWebhook['new_fields']): string {
  const count = later.length
  const more = count - maxNamed
  const named = formatList(later.slice(0, maxNamed).map(({ path, since }) => `${path} (${formatShortDate(since)})`))
  return more > 0
    ? t`${count} new fields since the first delivery: ${named} and ${more} more`
    : plural(count, {
        one: `New field since the first delivery: ${named}`,
        other: `# new fields since the first delivery: ${named}`,
      })
}

/** The payload on the left and the resulting lead on the right, updated while the mapping is edited. */
export function MappingEditor({ webhook, deliveryId, mapping, title, onChange, onNewest }: Props) {
  const [checked] = useDebouncedValue(mapping, 250)
  const { preview, error, retry } = usePreview(deliveryId, checked)
  const connected = useConnected()
  const { data: automatic } = useQuery(previewQuery(deliveryId, []))
  const paths = useMemo(() => new Set(preview?.values.map(({ path }) => path)), [preview])
  const recognised = useMemo(() => new Map(automatic?.values.map((value) => [value.path, value])), [automatic])
  const later = useMemo(() => webhook.new_fields.filter(isRecent), [webhook.new_fields])
  const since = useMemo(() => new Map(later.map((field) => [field.path, field.since])), [later])

  const problem = (
    <div className={styles.problem}>
      <Problem error={error} retry={retry} />
    </div>
  )
  if (isNotFound(error)) return <DeliveryNotFound onNewest={onNewest} />
  if (!preview) return error ? problem : <MappingSkeleton />
  const { values } = preview
  const elsewhere = entriesWithout(mapping, values, paths)

  return (
    <>
      {/* The connection bar shows a lost connection. */}
      {error && connected && problem}
      {later.length > 0 && (
        <Alert variant="default" p={12} mt={16} icon={<IconSparkles />}>
          <Text inherit>{newFieldsText(later)}</Text>
        </Alert>
      )}
      <div className={styles.split}>
        <section aria-label={t`Payload`}>
          <Group justify="space-between" mb={8} gap={8} mih={30}>
            <Title order={2} ref={title} tabIndex={-1}>
              <Trans>Payload</Trans>
            </Title>
            {mapping.length > 0 && (
              <Button variant="subtle" color="gray" size="xs" onClick={() => onChange([])}>
                <Trans>Reset to automatic</Trans>
              </Button>
            )}
          </Group>
          {values.length === 0 ? (
            <Text c="dimmed">
              <Trans>This delivery has no values to map.</Trans>
            </Text>
          ) : (
            <ValueTree
              values={values}
              paths={paths}
              mapping={mapping}
              saved={webhook.mapping}
              recognised={recognised}
              since={since}
              onChoose={(leaf, field) =>
                onChange(withField(mapping, findEntry(mapping, leaf, paths), leaf.path, field))
              }
            />
          )}
          <MappedElsewhere entries={elsewhere} onRemove={(entry) => onChange(mapping.filter((one) => one !== entry))} />
        </section>
        <div className={styles.result}>
          <ResultingLead preview={preview} />
          {preview.enquiry && <ResultingEnquiry enquiry={preview.enquiry} />}
          {preview.call && <ResultingCall call={preview.call} />}
        </div>
      </div>
    </>
  )
}
