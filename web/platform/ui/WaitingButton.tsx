import { Button, type ButtonProps } from '@mantine/core'

interface Props extends ButtonProps {
  waiting: boolean
  onClick(): void
}

/** A button that keeps the focus while it loads. `loading` alone would disable it. */
export const WaitingButton = ({ waiting, onClick, ...props }: Props) => (
  <Button
    {...props}
    loading={waiting}
    onClick={() => !waiting && onClick()}
    renderRoot={({ disabled, ...root }) => <button {...root} aria-disabled={disabled || undefined} />}
  />
)
