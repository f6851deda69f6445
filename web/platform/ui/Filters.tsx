import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Select, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFilter } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Drawer } from './Dialog.tsx'
import { ManyFilter } from './ManyFilter.tsx'
import { useNarrow } from './screen-size.ts'

interface Common {
  label: string
  options: readonly (string | { value: string; label: string })[]
  /** In pixels, of a field whose values are longer than usual. The drawer gives it the whole width. */
  width?: number
}

interface OneOf extends Common {
  several?: undefined
  value: string | undefined
  onChange(value: string | undefined): void
}

interface SomeOf extends Common {
  several: true
  /** A row has one of them. */
  values: readonly string[] | undefined
  /** Whether other values may be typed. */
  open?: boolean
  onChange(values: string[] | undefined): void
}

export type Filter = OneOf | SomeOf

interface Props {
  filters: Filter[]
  /** Filters that are in the drawer on wide screens too, and further ones that are not from a list. */
  more?: Filter[]
  moreChildren?: ReactNode
  /** The number of filters in `moreChildren` that are set. */
  moreSet?: number
  /** More filters, such as the dates. */
  children?: ReactNode
  /** The number of filters in `children` that are set. */
  childrenSet?: number
  /** Shows a button and a drawer, as on a narrow screen. */
  folded?: boolean
  onClear(): void
}

/** The filters above a list; on a narrow screen a button that opens a drawer. */
export function Filters({
  filters,
  more = [],
  moreChildren,
  moreSet = 0,
  children,
  childrenSet = 0,
  folded = false,
  onClear,
}: Props) {
  const narrow = useNarrow()
  const inDrawer = narrow || folded
  const [opened, { open, close }] = useDisclosure()
  const setOfMore = more.filter(isSet).length + moreSet
  const set = filters.filter(isSet).length + childrenSet + setOfMore
  const fields = (some: Filter[], width?: number) =>
    some.map(({ width: ownWidth, ...filter }) => (
      <FilterField key={filter.label} filter={filter} width={width === undefined ? '100%' : (ownWidth ?? width)} />
    ))
  const clear = (
    <Button variant="subtle" color="gray" onClick={onClear} disabled={set === 0}>
      <Trans>Clear</Trans>
    </Button>
  )
  const drawer = (
    <Drawer
      opened={opened}
      onClose={close}
      position={narrow ? 'bottom' : folded ? 'left' : 'right'}
      title={t`Filters`}
      size={narrow ? 'auto' : 360}
    >
      <Stack gap={12} pb={16}>
        {inDrawer && fields(filters)}
        {fields(more)}
        {moreChildren}
        {inDrawer && children}
        <Group justify="space-between">
          {clear}
          <Button onClick={close}>{t`Show results`}</Button>
        </Group>
      </Stack>
    </Drawer>
  )

  if (inDrawer)
    return (
      <>
        <Button variant="default" leftSection={<IconFilter size={16} />} onClick={open} flex="none">
          {set > 0 ? t`Filters · ${set}` : t`Filters`}
        </Button>
        {drawer}
      </>
    )
  return (
    <Group gap={8} role="group" aria-label={t`Filters`}>
      {fields(filters, more.length > 0 ? 116 : 150)}
      {children}
      {more.length > 0 && (
        <Button variant="default" fw={400} leftSection={<IconFilter size={16} />} onClick={open}>
          {setOfMore > 0 ? t`More · ${setOfMore}` : t`More`}
        </Button>
      )}
      {set > 0 && clear}
      {drawer}
    </Group>
  )
}

const isSet = (filter: Filter) => (filter.several ? filter.values : filter.value) !== undefined

function FilterField({ filter, width }: { filter: Filter; width: number | string }) {
  if (filter.several) {
    const { several, values = [], onChange, ...rest } = filter
    return (
      <ManyFilter
        {...rest}
        values={values}
        width={width}
        onChange={(chosen) => onChange(chosen.length > 0 ? chosen : undefined)}
      />
    )
  }
  const { label, value, options, onChange } = filter
  return (
    <Select
      aria-label={label}
      placeholder={label}
      data={[...options]}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      clearable
      clearSectionMode="clear"
      clearButtonProps={{ 'aria-label': t`Clear ${{ filter: label.toLowerCase() }}` }}
      searchable={options.length > 8}
      nothingFoundMessage={t`No matches`}
      w={width}
    />
  )
}
