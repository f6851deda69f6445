import { useLocalStorage } from '@mantine/hooks'

const maxKept = 50

/** The calls whose cards were dismissed in this browser. */
export function useDismissed() {
  const [ids, setIds] = useLocalStorage<string[]>({
    key: 'dismissed-calls',
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  return {
    isDismissed: (id: string) => ids.includes(id),
    dismiss: (id: string) => setIds((before) => [id, ...before.filter((one) => one !== id)].slice(0, maxKept)),
  }
}
