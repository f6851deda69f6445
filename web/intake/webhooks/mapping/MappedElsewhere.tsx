import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { CloseButton, Group, Text, Title } from '@mantine/core'
import { Arrows } from '../../../platform/ui/Arrows.tsx'
import { mappedFieldLabel } from '../field-labels.ts'
import type { Mapping } from '../queries.ts'
import treeStyles from '../Tree.module.css'

interface Props {
  entries: Mapping
  onRemove(entry: Mapping[number]): void
}

/** Lists the mapped paths that the sample delivery does not have. */
export function MappedElsewhere({ entries, onRemove }: Props) {
  if (entries.length === 0) return null
  return (
    <>
      <Title order={3} mt={20} mb={4}>
        <Trans>Mapped, but not in this delivery</Trans>
      </Title>
      {entries.map((entry) => (
        <Group key={`${entry.path} ${entry.field}`} gap={8} wrap="nowrap" justify="space-between">
          <Text component="div">
            <span className={treeStyles.key}>{entry.path}</span> <Arrows text={`→ ${mappedFieldLabel(entry.field)}`} />
          </Text>
          <CloseButton
            aria-label={t`Remove ${{ path: entry.path }} from the mapping`}
            onClick={() => onRemove(entry)}
          />
        </Group>
      ))}
    </>
  )
}
