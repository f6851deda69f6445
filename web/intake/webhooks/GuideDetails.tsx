import { Trans } from '@lingui/react/macro'
import { Box, Button, Code, List, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Problem } from '../../platform/ui/Problem.tsx'
import { type Block, detailsIn } from './details-in.ts'
import { formatted } from './formatted.tsx'
import styles from './GuideDetails.module.css'

/** The guides of senders. Each is loaded when its details are opened. */
const pages = import.meta.glob<string>('../../../server/intake/payload/senders/*/guide.md', {
  query: '?raw',
  import: 'default',
})

const loaderOf = (page: string) => pages[`../../../${page}`]

/** The sample payload of a platform, its fields and its limits. */
export function GuideDetails({ page }: { page: string }) {
  const [opened, { toggle }] = useDisclosure()
  const id = useId()
  const load = loaderOf(page)
  const { data, error, refetch } = useQuery({
    queryKey: ['guide', page],
    queryFn: async () => detailsIn((await load?.()) ?? ''),
    enabled: opened,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!load) return null
  const Chevron = opened ? IconChevronDown : IconChevronRight
  return (
    <Box mt={12}>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<Chevron size={14} aria-hidden />}
        aria-expanded={opened}
        aria-controls={id}
        onClick={toggle}
      >
        <Trans>Sample payload, fields and limits</Trans>
      </Button>
      <div id={id}>
        {opened && error && <Problem error={error} retry={() => void refetch()} />}
        {opened && !error && !data && <Skeleton height={160} mt={12} />}
        {opened && data && (
          <Stack gap={12} mt={12}>
            {data.map((block, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a page does not change
              <Shown key={index} block={block} />
            ))}
          </Stack>
        )}
      </div>
    </Box>
  )
}

function Shown({ block }: { block: Block }) {
  if (block.kind === 'list')
    return (
      <List spacing={8} pr={8}>
        {block.items.map((item) => (
          <List.Item key={item}>{formatted(item)}</List.Item>
        ))}
      </List>
    )
  if (block.kind === 'title') return <Title order={3}>{block.text}</Title>
  if (block.kind === 'code')
    return (
      <Code block className={styles.payload!}>
        {block.text}
      </Code>
    )
  return <Text>{formatted(block.text)}</Text>
}
