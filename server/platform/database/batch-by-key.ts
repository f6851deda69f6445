/** Runs `work` for an item and the others of its key that arrive while the key's last batch is running. */
export type BatchByKey = <Item, Result>(
  key: string,
  item: Item,
  work: (items: Item[]) => Promise<Result[]>,
) => Promise<Result>

interface Waiting {
  item: unknown
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** Simultaneous requests share a statement and its commit. */
export function createBatchByKey(): BatchByKey {
  const waitingOf = new Map<string, Waiting[]>()
  return (key, item, work) =>
    new Promise((resolve, reject) => {
      const one: Waiting = { item, resolve: resolve as Waiting['resolve'], reject }
      const waiting = waitingOf.get(key)
      if (waiting) waiting.push(one)
      else void runAll(key, [one], work as (items: unknown[]) => Promise<unknown[]>)
    })

  async function runAll(key: string, first: Waiting[], work: (items: unknown[]) => Promise<unknown[]>) {
    for (let items = first; items.length > 0; items = waitingOf.get(key)!) {
      waitingOf.set(key, [])
      try {
        const results = await work(items.map(({ item }) => item))
        for (const [index, { resolve }] of items.entries()) resolve(results[index])
      } catch (error) {
        for (const { reject } of items) reject(error)
      }
    }
    waitingOf.delete(key)
  }
}
