import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from 'postgres'

/** The machines of a Citus cluster. */
export interface Nodes {
  /** How many have rows of accounts. */
  readonly all: number
  /** How many of these do not answer. */
  readonly away: number
  /** Whether a machine does not answer that has a copy of the directory, which changes on all or none. */
  readonly directoryAway: boolean
  close(): Promise<void>
}

interface Node {
  host: string
  port: number
  has_rows: boolean
}

/** In milliseconds. */
const checkEvery = 2000
const answerWithin = 1000

/**
 * Asks every two seconds through the coordinator whether each machine answers. `sql` has connections of its own: one, and one more
 * for each machine that is silent.
 */
export function watchNodes(sql: Sql, log: (message: string) => void): Nodes {
  const closing = new AbortController()
  /** Questions without an answer. No other can take their connection, because Citus waits for the machine even to cancel them. */
  const asked = new Map<string, Promise<boolean>>()
  let all = 0
  let away: Node[] = []

  async function check() {
    const nodes = await sql<Node[]>`select nodename as host, nodeport as port, shouldhaveshards as has_rows
      from pg_dist_node where isactive and noderole = 'primary'`
    const silent: Node[] = []
    for (const node of nodes) if (!(await answers(node))) silent.push(node)
    const before = away
    away = silent
    all = nodes.filter((node) => node.has_rows).length
    for (const node of without(away, before)) log(`The database node ${node.host}:${node.port} does not answer.`)
    for (const node of without(before, away)) log(`The database node ${node.host}:${node.port} answers again.`)
  }

  /** Citus answers false if a connection fails. */
  async function answers({ host, port }: Node): Promise<boolean> {
    const name = `${host}:${port}`
    const question =
      asked.get(name) ??
      sql<{ answers: boolean }[]>`select citus_check_connection_to_node(${host}, ${port}) as answers`.then(
        ([row]) => row!.answers,
      )
    asked.set(name, question)
    const answered = question.finally(() => asked.delete(name))
    // It may fail after the time limit.
    answered.catch(() => {})
    return Promise.race([answered, pause(answerWithin, false, { ref: false })])
  }

  async function run() {
    while (!closing.signal.aborted) {
      // The watch of the database says when the coordinator is away.
      await check().catch(() => {})
      await pause(checkEvery, undefined, { ref: false, signal: closing.signal }).catch(() => {})
    }
  }
  const running = run()

  return {
    get all() {
      return all
    },
    get away() {
      return away.filter((node) => node.has_rows).length
    },
    get directoryAway() {
      return away.length > 0
    },
    close: async () => {
      closing.abort()
      await running
    },
  }
}

const without = (nodes: Node[], others: Node[]) =>
  nodes.filter((node) => !others.some(({ host, port }) => host === node.host && port === node.port))
