import { CloseButton, Group, Text, Title } from '@mantine/core'
import { fieldWord } from '../field-words.ts'
import type { Mapping } from '../queries.ts'
import treeStyles from '../Tree.module.css'

interface Props {
  entries: Mapping
  onRemove(entry: Mapping[number]): void
}

/** What is mapped but does not stand in the delivery that is shown. */
export function MappedElsewhere({ entries, onRemove }: Props) {
  if (entries.length === 0) return null
  return (
    <>
      <Title order={3} mt={20} mb={4}>
        Mapped, not in this delivery
      </Title>
      {entries.map((entry) => (
        <Group key={`${entry.path} ${entry.field}`} gap={8} wrap="nowrap" justify="space-between">
          <Text component="div">
            <span className={treeStyles.key}>{entry.path}</span> → {fieldWord(entry.field)}
          </Text>
          <CloseButton aria-label={`Take ${entry.path} out of the mapping`} onClick={() => onRemove(entry)} />
        </Group>
      ))}
    </>
  )
}
