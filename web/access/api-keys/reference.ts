import { useEffect } from 'react'

/** The API reference asks the page that opened it for a key. It is answered while the page knows one, and nothing stores it. */
export function useKeyForReference(key: string | undefined): void {
  useEffect(() => {
    if (key === undefined) return
    const answer = ({ origin, source, data }: MessageEvent) => {
      if (origin === location.origin && data === 'api-key')
        source?.postMessage({ apiKey: key }, { targetOrigin: origin })
    }
    window.addEventListener('message', answer)
    return () => window.removeEventListener('message', answer)
  }, [key])
}

export const openReference = () => void window.open('/docs')
