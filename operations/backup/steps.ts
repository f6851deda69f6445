/** Shows what a long task is doing. */
export interface Steps {
  /** Starts the next step. The returned function is called with how much more is done. */
  start(title: string, total: number, unit: 'bytes' | 'rows' | 'indexes'): (more: number) => void
  end(): void
}

export const noSteps: Steps = { start: () => () => {}, end: () => {} }
