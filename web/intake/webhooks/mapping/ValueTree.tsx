import { plural, t } from '@lingui/core/macro'
import { Button, NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import type { EnquiryPart, MappedField } from '#contract/intake/payload'
import { formatShortDate } from '../../../platform/ui/time.ts'
import { choosableFields, enquiryPartLabel, mappedFieldLabel } from '../field-labels.ts'
import { LongText } from '../LongText.tsx'
import type { Mapping } from '../queries.ts'
import treeStyles from '../Tree.module.css'
import { Confidence } from './Confidence.tsx'
import { findEntry } from './edit-mapping.ts'
import styles from './MappingTab.module.css'
import { buildTree, type LeafValue, type Node } from './value-tree.ts'

export interface ValueTreeProps {
  values: LeafValue[]
  paths: ReadonlySet<string>
  mapping: Mapping
  saved: Mapping
  /** What recognition finds at each path without the mapping. */
  recognised: ReadonlyMap<string, LeafValue>
  /** Paths that are new since the first delivery, and since when; the index of a list is written as `[]`. */
  since: ReadonlyMap<string, string>
  onChoose(leaf: LeafValue, field: MappedField | null): void
}

/** Fewer values that no person typed are not folded. */
const maxUnfolded = 5

/** The payload, with what each value becomes: a lead field, a part of the enquiry, or nothing. */
export function ValueTree(props: ValueTreeProps) {
  const { values, paths, mapping, since } = props
  const [showsAll, setShowsAll] = useState(false)
  const isFolded = (leaf: LeafValue) =>
    leaf.part === 'left_out' && !findEntry(mapping, leaf, paths) && !since.has(pathOfList(leaf.path))
  const folded = values.filter(isFolded).length
  const folds = folded > maxUnfolded && folded < values.length
  return (
    <div className={treeStyles.tree}>
      <Nodes nodes={buildTree(folds && !showsAll ? values.filter((leaf) => !isFolded(leaf)) : values)} {...props} />
      {folds && (
        <Button mt={8} size="xs" variant="subtle" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll
            ? t`Hide what no person typed`
            : plural(
                { folded },
                { one: 'Show # value that no person typed', other: 'Show # values that no person typed' },
              )}
        </Button>
      )}
    </div>
  )
}

/** The path with the index of a list as `[]`. */
const pathOfList = (path: string) => path.replace(/\[\d+\]/g, '[]')

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
  const entry = findEntry(mapping, leaf, paths)
  const before = saved.find(({ path }) => path === (entry?.path ?? leaf.path))
  const automatic = recognised.get(leaf.path)
  const shown = entry ? automatic : leaf
  const automaticField = shown?.by === 'owner' ? null : (shown?.field ?? null)
  const automaticPart = shown?.by === 'owner' ? null : (shown?.part ?? null)
  const newSince = since.get(pathOfList(leaf.path))
  return (
    <div
      className={styles.row}
      data-changed={before?.field !== entry?.field || undefined}
      data-unused={(entry ? entry.field === 'ignore' : isUnused(automaticField, automaticPart)) || undefined}
    >
      <span className={treeStyles.key}>
        <span className={treeStyles.clamped}>{name}</span>
        {newSince && <span className={styles.new}>{t`New since ${{ date: formatShortDate(newSince) }}`}</span>}
      </span>
      <div>
        <span className={treeStyles.value} data-kind={leaf.value === '' ? 'nothing' : 'string'}>
          {leaf.value === '' ? t`empty` : <LongText text={leaf.value} />}
        </span>
        <Text size="xs" c="dimmed">
          {reasonOf(leaf, entry, automatic, mapping)}
          {!entry && leaf.confidence && <Confidence word={leaf.confidence} />}
        </Text>
      </div>
      <NativeSelect
        size="xs"
        aria-label={t`Lead field for ${{ path: leaf.path }}`}
        value={entry?.field ?? ''}
        onChange={({ currentTarget: { value } }) => onChoose(leaf, value === '' ? null : (value as MappedField))}
      >
        <option value="">{automaticLabel(automaticField, automaticPart)}</option>
        <option value="ignore">{mappedFieldLabel('ignore')}</option>
        {choosableFields.map(({ group, fields }) => (
          <optgroup key={group} label={group}>
            {fields.map((field) => (
              <option key={field} value={field}>
                {mappedFieldLabel(field)}
              </option>
            ))}
          </optgroup>
        ))}
      </NativeSelect>
    </div>
  )
}

const isUnused = (field: MappedField | null, part: EnquiryPart | null) =>
  field === null ? part === null || part === 'left_out' : field === 'ignore'

function automaticLabel(field: MappedField | null, part: EnquiryPart | null): string {
  if (field === null && part === null) return t`Not mapped`
  const isField = field !== null && field !== 'ignore'
  return t`${{ field: isField ? mappedFieldLabel(field) : enquiryPartLabel(part ?? 'left_out') }} · auto`
}

function reasonOf(
  leaf: LeafValue,
  entry: Mapping[number] | undefined,
  automatic: LeafValue | undefined,
  mapping: Mapping,
): string | null {
  const mapped = entry?.field
  if (mapped === 'ignore') return t`Left out manually`
  if (mapped) {
    const before = mapping.slice(0, mapping.indexOf(entry!)).filter(({ field }) => field === mapped)
    const isAlternative = before.length > 0 && mapped !== 'notes' && mapped !== 'tags'
    if (isAlternative)
      return t`Mapped manually: used if ${{ paths: before.map(({ path }) => path).join(', ') }} has no usable value`
    return leaf.field === mapped || leaf.part === mapped || leaf.value.trim() === ''
      ? t`Mapped manually`
      : t`Mapped manually, but not usable`
  }
  if (leaf.reason && leaf.by !== 'owner') return leaf.reason
  if (automatic && automatic.by !== 'owner' && automatic.field)
    return t`${{ field: mappedFieldLabel(automatic.field) }} is set by another value`
  return null
}
