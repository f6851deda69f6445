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
  /** Returns whether the machine with the rows of this account does not answer. */
  isAway(accountId: string): Promise<boolean>
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
 * for each machine that is silent. `onSilent` runs when one becomes so: statements for it may never be answered.
 */
export function watchNodes(sql: Sql, log: (message: string) => void, onSilent: () => void): Nodes {
  const closing = new AbortController()
  /** Questions without an answer. No other can take their connection, because Citus waits for the machine even to cancel them. */
  const asked = new Map<string, Promise<boolean>>()
  let all = 0
  let away: Node[] = []
  /** The machines of accounts, while one is away. An account may be moved to another. */
  let machines = new Map<string, Promise<string | null>>()

  async function check() {
    const nodes = await sql<Node[]>`select nodename as host, nodeport as port, shouldhaveshards as has_rows
      from pg_dist_node where isactive and noderole = 'primary'`
    const silent: Node[] = []
    for (const node of nodes) if (!(await answers(node))) silent.push(node)
    const before = away
    away = silent
    machines = new Map()
    if (without(away, before).some((node) => asked.has(nameOf(node)))) onSilent()
    all = nodes.filter((node) => node.has_rows).length
    for (const node of without(away, before)) log(`The database node ${nameOf(node)} does not answer.`)
    for (const node of without(before, away)) log(`The database node ${nameOf(node)} answers again.`)
  }

  /** Citus answers false if a connection fails. */
  async function answers({ host, port }: Node): Promise<boolean> {
    const name = nameOf({ host, port })
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

  async function readMachine(accountId: string): Promise<string | null> {
    // The service's role may not read leads, which get_shard_id_for_distribution_column demands.
    const [node] = await sql<Pick<Node, 'host' | 'port'>[]>`select nodename as host, nodeport as port
      from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
      where logicalrelid = 'leads'::regclass and noderole = 'primary'
        and worker_hash(${accountId}::uuid) between shardminvalue::int and shardmaxvalue::int`
    return node ? nameOf(node) : null
  }

  function machineOf(accountId: string): Promise<string | null> {
    const machine = machines.get(accountId) ?? readMachine(accountId)
    machines.set(accountId, machine)
    return machine
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
    isAway: async (accountId) => {
      if (away.length === 0) return false
      const machine = await machineOf(accountId).catch(() => null)
      return away.some((node) => nameOf(node) === machine)
    },
    close: async () => {
      closing.abort()
      await running
    },
  }
}

const nameOf = ({ host, port }: Pick<Node, 'host' | 'port'>) => `${host}:${port}`

const without = (nodes: Node[], others: Node[]) =>
  nodes.filter((node) => !others.some((other) => nameOf(other) === nameOf(node)))
