import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import styles from './CutText.module.css'
import { Problem } from './Problem.tsx'
import { WaitingButton } from './WaitingButton.tsx'

interface Props {
  /** What is shown of the text at first. */
  shown: string
  isCut: boolean
  load(): Promise<string | null>
}

/** A part of a long text, and all of it on demand. */
export function CutText({ shown, isCut, load }: Props) {
  const all = useMutation({ mutationFn: load })
  return (
    <>
      <div className={styles.text}>{all.data ?? shown}</div>
      {isCut && !all.isSuccess && (
        <WaitingButton variant="subtle" size="compact-sm" mih={32} waiting={all.isPending} onClick={() => all.mutate()}>
          <Trans>Show all</Trans>
        </WaitingButton>
      )}
      <Problem error={all.error} />
    </>
  )
}
