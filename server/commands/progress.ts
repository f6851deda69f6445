/** Shows the progress of a long task on standard error: a bar on a terminal, else a line now and then. */
export interface Progress {
  at(done: number): void
  end(): void
}

const width = 30
const millisecondsBetweenLines = 10_000

export function showProgress(total: number, unit: string): Progress {
  const started = performance.now()
  const seconds = () => Math.round((performance.now() - started) / 1000)
  const text = (done: number) =>
    `${done.toLocaleString('en-IN')} of ${total.toLocaleString('en-IN')} ${unit}, ${seconds()} s`
  return process.stderr.isTTY ? bar(total, text) : lines(text)
}

export const noProgress: Progress = { at: () => {}, end: () => {} }

function bar(total: number, text: (done: number) => string): Progress {
  const show = (done: number) => {
    // The total may have grown since the start.
    const filled = Math.min(width, Math.floor((width * done) / total))
    process.stderr.write(`\r\x1b[K${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${text(done)}`)
  }
  show(0)
  return { at: show, end: () => process.stderr.write('\r\x1b[K') }
}

function lines(text: (done: number) => string): Progress {
  let last = performance.now()
  return {
    at(done) {
      if (performance.now() - last < millisecondsBetweenLines) return
      last = performance.now()
      console.error(text(done))
    },
    end: () => {},
  }
}
