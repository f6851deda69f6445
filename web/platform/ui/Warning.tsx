import { Box, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** A sentence that needs attention. */
export function Warning({ children }: { children: ReactNode }) {
  return (
    <Group gap={8} mt={4} wrap="nowrap">
      <Box flex="none" h={18}>
        <IconAlertTriangle size={18} color="var(--red)" aria-hidden />
      </Box>
      <Text>{children}</Text>
    </Group>
  )
}
