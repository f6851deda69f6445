import type { Steps } from '../backup/steps.ts'

/** Shows the progress of a long task on standard error: a bar on a terminal, else a line now and then. */
export interface Progress {
  at(done: number): void
  end(): void
}

const width = 30
const millisecondsBetweenLines = 10_000
const millisecondsBetweenFrames = 50

export function showProgress(total: number, unit: string, title?: string): Progress {
  const started = performance.now()
  const seconds = () => Math.round((performance.now() - started) / 1000)
  const text = (done: number) =>
    `${title ? `${title}: ` : ''}${done.toLocaleString('en-IN')} of ${total.toLocaleString('en-IN')} ${unit}, ${seconds()} s`
  return process.stderr.isTTY ? bar(total, text) : lines(text)
}

export const noProgress: Progress = { at: () => {}, end: () => {} }

function bar(total: number, text: (done: number) => string): Progress {
  let last = Number.NEGATIVE_INFINITY
  const show = (done: number) => {
    // Small steps come thousands of times a second.
    if (performance.now() - last < millisecondsBetweenFrames && done < total) return
    last = performance.now()
    // The total may have grown since the start.
    const filled = Math.min(width, Math.floor((width * done) / Math.max(1, total)))
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

/** Shows a bar for each step of a long task. */
export function showSteps({ json }: { json?: boolean }): Steps {
  let current = noProgress
  const end = () => {
    current.end()
    current = noProgress
  }
  return {
    start(title, total, unit) {
      end()
      const scale = unit === 'bytes' ? 1e6 : 1
      const of = (n: number) => Math.ceil(n / scale)
      current = json ? noProgress : showProgress(of(total), unit === 'bytes' ? 'MB' : unit, title)
      let done = 0
      return (more) => {
        done += more
        current.at(of(done))
      }
    },
    end,
  }
}
