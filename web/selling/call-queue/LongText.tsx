import { Trans } from '@lingui/react/macro'
import { Anchor } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Problem } from '../../platform/ui/Problem.tsx'
import styles from './CallQueue.module.css'

interface Props {
  /** What is shown of the text at first. */
  shown: string
  isCut: boolean
  load(): Promise<string | null>
}

/** A part of a long text, and all of it on demand. */
export function LongText({ shown, isCut, load }: Props) {
  const all = useMutation({ mutationFn: load })
  return (
    <div>
      <span className={all.data ? styles.text : undefined}>{all.data ?? shown}</span>{' '}
      {isCut && !all.isSuccess && (
        <Anchor
          component="button"
          type="button"
          className={styles.more}
          aria-busy={all.isPending}
          onClick={() => !all.isPending && all.mutate()}
        >
          <Trans>Show more</Trans>
        </Anchor>
      )}
      <Problem error={all.error} />
    </div>
  )
}
