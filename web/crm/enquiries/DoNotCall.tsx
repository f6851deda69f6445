import { t } from '@lingui/core/macro'
import { IconPhoneOff } from '@tabler/icons-react'
import styles from './Enquiry.module.css'

/** The sender's mark that the person must not be called, in the sender's words. */
export function DoNotCall({ mark }: { mark: string }) {
  return (
    <p className={styles.doNotCall}>
      <IconPhoneOff size={16} aria-hidden />
      <span>
        <strong>{t`Do not call`}</strong> · {mark}
      </span>
    </p>
  )
}
