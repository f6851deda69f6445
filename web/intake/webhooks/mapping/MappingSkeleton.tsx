import { Skeleton, Stack } from '@mantine/core'
import styles from './MappingTab.module.css'

const rows = [72, 58, 80, 64, 50, 76]

export const MappingSkeleton = () => (
  <div className={styles.split}>
    <Stack gap={16}>
      {rows.map((width) => (
        <Skeleton key={width} height={30} width={`${width}%`} />
      ))}
    </Stack>
    <Skeleton height={320} />
  </div>
)
