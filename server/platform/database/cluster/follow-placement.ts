import type { Sql } from '../sql.ts'
import { isUnplanned } from './errors.ts'
import { type Nodes, watchNodes } from './nodes.ts'

/** Whether the rows are on the nodes of a Citus cluster, which may begin while the service runs. */
export interface Placement {
  readonly isPlaced: boolean
  /** Null in short commands, and on one PostgreSQL. */
  readonly nodes: Nodes | null
  /** Notices by the error of a statement that `lead-engine distribute` placed the tables. */
  note(error: unknown): void
}

interface Surroundings {
  isPlaced: boolean
  isWatched: boolean
  /** Opens connections for questions about nodes. */
  openPool(): Sql
  /** Closes the connections for requests. */
  dropForRequests(): void
  /** Closes all connections: those from before the tables were placed cannot plan their statements. */
  drop(): void
  log(message: string): void
}

export function followPlacement(surroundings: Surroundings): Placement {
  const { isWatched, openPool, dropForRequests, drop, log } = surroundings
  let isPlaced = surroundings.isPlaced
  const watch = () => (isPlaced && isWatched ? watchNodes(openPool(), log, dropForRequests) : null)
  let nodes = watch()
  return {
    get isPlaced() {
      return isPlaced
    },
    get nodes() {
      return nodes
    },
    note(error) {
      if (isPlaced || !isUnplanned(error)) return
      isPlaced = true
      drop()
      nodes = watch()
      log('The tables are placed on the nodes of a Citus cluster.')
    },
  }
}
