import { useSyncExternalStore } from 'react'

function watch(changed: () => void) {
  const observer = new MutationObserver(changed)
  observer.observe(document.body, { subtree: true, attributeFilter: ['open'] })
  return () => observer.disconnect()
}

const find = () => document.querySelector('dialog[open]')

/** The native dialog that is open. The browser lets nothing outside of it be seen above it or pressed. */
export const useOpenDialog = () => useSyncExternalStore(watch, find)
