import { Button, type ButtonProps } from '@mantine/core'

interface Props extends ButtonProps {
  waiting: boolean
  onClick(): void
}

/** Keeps the focus while it waits, which `loading` alone would take from it by disabling it. */
export const WaitingButton = ({ waiting, onClick, ...props }: Props) => (
  <Button
    {...props}
    loading={waiting}
    onClick={() => !waiting && onClick()}
    renderRoot={({ disabled, ...root }) => <button {...root} aria-disabled={disabled || undefined} />}
  />
)
