import { t } from '@lingui/core/macro'
import { Skeleton } from '@mantine/core'
import styles from './Lead.module.css'

const lines = Array.from({ length: 12 }, (_, index) => index)

/** A placeholder of the size of the lead. */
export function LeadSkeleton({ beside }: { beside: boolean }) {
  return (
    <div className={styles.lead} aria-busy="true" role="status" aria-label={t`Loading lead`}>
      <div className={styles.head}>
        {!beside && <Skeleton height={16} width={64} mb={4} />}
        <Skeleton height={29} width="55%" mb={4} />
        <Skeleton height={36} width={280} mt={4} />
      </div>
      <div className={styles.columns}>
        <div>
          {lines.map((line) => (
            <Skeleton key={line} height={18} width={`${40 + ((line * 23) % 45)}%`} mt={9} mb={18} />
          ))}
        </div>
        <div>
          <Skeleton height={22} width={90} mb={20} />
          {lines.slice(0, 5).map((line) => (
            <Skeleton key={line} height={40} mb={16} />
          ))}
        </div>
      </div>
    </div>
  )
}
