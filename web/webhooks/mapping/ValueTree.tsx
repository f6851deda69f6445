import { NativeSelect, Text } from '@mantine/core'
import type { MappedField } from '#contract/payload'
import { formatShortDate } from '../../ui/time.ts'
import { choosableFields, fieldWord } from '../field-words.ts'
import { LongText } from '../LongText.tsx'
import type { Mapping } from '../queries.ts'
import treeStyles from '../Tree.module.css'
import { entryOf } from './edit-mapping.ts'
import styles from './MappingTab.module.css'
import { type LeafValue, type Node, treeOf } from './value-tree.ts'

export interface ValueTreeProps {
  values: LeafValue[]
  paths: ReadonlySet<string>
  mapping: Mapping
  saved: Mapping
  /** What recognition alone makes of each path. */
  recognised: ReadonlyMap<string, LeafValue>
  /** Paths that came after the first delivery, and when; places in lists stand as `[]`. */
  since: ReadonlyMap<string, string>
  onChoose(leaf: LeafValue, field: MappedField | null): void
}

/** What arrived; at each value the lead field that it goes to. */
export function ValueTree(props: ValueTreeProps) {
  return (
    <div className={treeStyles.tree}>
      <Nodes nodes={treeOf(props.values)} {...props} />
    </div>
  )
}

function Nodes({ nodes, ...props }: ValueTreeProps & { nodes: Node[] }) {
  return (
    <ul>
      {nodes.map((node, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two values may have the same key, and the order stays
        <li key={`${node.key} ${index}`}>
          {'leaf' in node ? (
            <Value name={node.key} leaf={node.leaf} {...props} />
          ) : (
            <details open>
              <summary>
                <span className={treeStyles.key}>{node.key}</span>
              </summary>
              <Nodes nodes={node.children} {...props} />
            </details>
          )}
        </li>
      ))}
    </ul>
  )
}

function Value({
  name,
  leaf,
  mapping,
  saved,
  paths,
  recognised,
  since,
  onChoose,
}: ValueTreeProps & { name: string; leaf: LeafValue }) {
  const entry = entryOf(mapping, leaf, paths)
  const before = saved.find(({ path }) => path === (entry?.path ?? leaf.path))
  const alone = recognised.get(leaf.path)
  const standing = entry ? alone : leaf
  const standingField = standing?.by === 'recognised' ? standing.field : null
  const came = since.get(leaf.path.replace(/\[\d+\]/g, '[]'))
  return (
    <div
      className={styles.row}
      data-changed={before?.field !== entry?.field || undefined}
      data-unused={(entry ? entry.field === 'ignore' : standingField === null) || undefined}
    >
      <span className={treeStyles.key}>
        <span className={treeStyles.clamped}>{name}</span>
        {came && <span className={styles.new}>New since {formatShortDate(came)}</span>}
      </span>
      <div>
        <span className={treeStyles.value} data-kind={leaf.value === '' ? 'nothing' : 'string'}>
          {leaf.value === '' ? 'empty' : <LongText text={leaf.value} />}
        </span>
        <Text size="xs" c="dimmed">
          {reasonOf(leaf, entry, alone, mapping)}
        </Text>
      </div>
      <NativeSelect
        size="xs"
        aria-label={`Lead field for ${leaf.path}`}
        value={entry?.field ?? ''}
        onChange={({ currentTarget: { value } }) => onChoose(leaf, value === '' ? null : (value as MappedField))}
      >
        <option value="">{standingField ? `Recognised: ${fieldWord(standingField)}` : 'Not recognised'}</option>
        {choosableFields.map((field) => (
          <option key={field} value={field}>
            {fieldWord(field)}
          </option>
        ))}
      </NativeSelect>
    </div>
  )
}

function reasonOf(
  leaf: LeafValue,
  entry: Mapping[number] | undefined,
  alone: LeafValue | undefined,
  mapping: Mapping,
): string | null {
  const mapped = entry?.field
  if (mapped === 'ignore') return 'left out by hand'
  if (mapped) {
    const before = mapping.slice(0, mapping.indexOf(entry!)).filter(({ field }) => field === mapped)
    const isAlternative = before.length > 0 && mapped !== 'notes' && mapped !== 'tags'
    if (isAlternative) return `mapped by hand: used if ${before.map(({ path }) => path).join(', ')} has no usable value`
    return leaf.field === mapped || leaf.value.trim() === '' ? 'mapped by hand' : 'mapped by hand, but not usable'
  }
  if (leaf.reason && leaf.by === 'recognised') return leaf.reason
  if (alone?.by === 'recognised' && alone.field) return `${fieldWord(alone.field)} is taken from elsewhere`
  return null
}
