import { Button } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import styles from './NewRows.module.css'

interface Props {
  /** What came: "3 new leads". */
  label: string | null
  onShow(): void
}

/** Offers rows that came while a list was read. It lies over the head of the list, which does not move. */
export function NewRows({ label, onShow }: Props) {
  const show = () => {
    onShow()
    window.scrollTo({ top: 0 })
  }
  return (
    <div role="status" className={styles.place}>
      {label !== null && (
        <Button size="compact-sm" radius="xl" leftSection={<IconArrowUp size={14} aria-hidden />} onClick={show}>
          {label}
        </Button>
      )}
    </div>
  )
}
