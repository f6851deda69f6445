/** Lets a command end in order on Ctrl-C and SIGTERM. A second signal does not wait. */
export function abortOnSignals() {
  const stopping = new AbortController()
  const stop = () => (stopping.signal.aborted ? process.exit(1) : stopping.abort())
  process.on('SIGINT', stop).on('SIGTERM', stop)
  return { signal: stopping.signal, end: () => process.off('SIGINT', stop).off('SIGTERM', stop) }
}
