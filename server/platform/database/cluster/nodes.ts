import { setTimeout as pause } from 'node:timers/promises'
import { Unavailable } from '../errors.ts'
import { repeat } from '../repeat.ts'
import type { Sql } from '../sql.ts'

/** The machines of a Citus cluster. */
export interface Nodes {
  /** How many have rows of accounts. */
  readonly all: number
  /** How many of these do not answer. */
  readonly away: number
  /** Whether a machine does not answer that has a copy of the directory, which changes on all or none. */
  readonly directoryAway: boolean
  /** Throws if the machine with the rows of this account does not answer. Citus would wait for it. */
  check(accountId: string): Promise<void>
  close(): Promise<void>
}

interface Node {
  host: string
  port: number
  has_rows: boolean
}

/** What a machine answered. */
interface Answers {
  /** The question that has no answer yet, and since when. */
  question: Promise<void> | null
  since: number
  /** How many questions in a row failed. */
  failures: number
}

/** In milliseconds. */
const checkEvery = 1000
const answerWithin = 1000
/** A machine that is only busy may take this long. */
const silentAfter = 10_000
const maxFailures = 3

/**
 * Asks every second through the coordinator whether each machine answers. `sql` has connections of its own: one, and one more
 * for each machine that is silent. `onSilent` runs when one becomes so: statements for it may never be answered.
 */
export function watchNodes(sql: Sql, log: (message: string) => void, onSilent: () => void): Nodes {
  const answers = new Map<string, Answers>()
  let all = 0
  let away: Node[] = []
  /** The machines of accounts, while one is away. An account may be moved to another. */
  let machines = new Map<string, Promise<string | null>>()

  async function check() {
    // A machine may have rows although Citus is set to place no more there.
    const nodes = await sql<Node[]>`select nodename as host, nodeport as port,
        exists (select from pg_dist_placement join pg_dist_shard using (shardid)
          where logicalrelid = 'leads'::regclass and pg_dist_placement.groupid = pg_dist_node.groupid) as has_rows
      from pg_dist_node where isactive and noderole = 'primary'`
    const found: Node[] = []
    for (const node of nodes) if (await isNodeAway(node)) found.push(node)
    const before = away
    away = found
    machines = new Map()
    if (without(away, before).some((node) => answers.get(nameOf(node))?.question)) onSilent()
    all = nodes.filter((node) => node.has_rows).length
    for (const node of without(away, before)) log(`The database node ${nameOf(node)} does not answer.`)
    for (const node of without(before, away)) log(`The database node ${nameOf(node)} answers again.`)
  }

  /** A question keeps its connection until it is answered: Citus waits for the machine even to cancel it. */
  async function isNodeAway(node: Node): Promise<boolean> {
    const name = nameOf(node)
    const state = answers.get(name) ?? { question: null, since: 0, failures: 0 }
    answers.set(name, state)
    if (!state.question) {
      state.since = performance.now()
      state.question = ask(node)
        .then((connected) => {
          state.failures = connected ? 0 : state.failures + 1
        })
        // The coordinator is away.
        .catch(() => {})
        .finally(() => {
          state.question = null
        })
    }
    await Promise.race([state.question, pause(answerWithin, undefined, { ref: false })])
    const isSilent = state.question !== null && performance.now() - state.since >= silentAfter
    return isSilent || state.failures >= maxFailures
  }

  async function ask({ host, port }: Node): Promise<boolean> {
    const [row] = await sql<{ answers: boolean }[]>`
      select citus_check_connection_to_node(${host}, ${port}) as answers`
    return row!.answers
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

  // The watch of the database says when the coordinator is away.
  const checking = repeat(check, { every: checkEvery, first: 0, onError: () => {} })

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
    check: async (accountId) => {
      if (away.length === 0) return
      const machine = await machineOf(accountId).catch(() => null)
      if (away.some((node) => nameOf(node) === machine)) throw new Unavailable()
    },
    close: checking.stop,
  }
}

/** Whether all accounts are on machines that do not answer. */
export const servesNoAccount = (nodes: Nodes | null) => nodes !== null && nodes.all > 0 && nodes.away === nodes.all

/** Returns what fails meanwhile, for everyone: without names of machines, which the log has. */
export function affectedBy(nodes: Nodes | null): { affected?: string[] } {
  if (!nodes?.directoryAway) return {}
  const settings = 'Settings of all accounts can be read, but not changed.'
  if (nodes.away === 0) return { affected: [settings] }
  const accounts = `The leads, calls and deliveries of the accounts on ${nodes.away} of ${nodes.all} database nodes are unavailable.`
  return { affected: [accounts, settings] }
}

const nameOf = ({ host, port }: Pick<Node, 'host' | 'port'>) => `${host}:${port}`

const without = (nodes: Node[], others: Node[]) =>
  nodes.filter((node) => !others.some((other) => nameOf(other) === nameOf(node)))
