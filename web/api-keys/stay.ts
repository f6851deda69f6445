import { useBlocker } from '@tanstack/react-router'

/** A key's value is told once: not even Back or a reload leads away unasked, until whoever asked for it has kept it. */
export const useStay = (now: boolean) => useBlocker({ shouldBlockFn: () => true, disabled: !now })
