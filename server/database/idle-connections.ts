import type { Sql } from 'postgres'

/**
 * Empties the driver's list of idle connections, which it shortens only when the last one is taken. With more connections than are
 * in use, the list grows with each statement, and each statement searches all of it. `open`: how many connections there are.
 */
export async function emptyIdleList(sql: Sql, open: number): Promise<void> {
  if (open < 2) return
  const reserved = Array.from({ length: open }, () => sql.reserve())
  await Promise.all(reserved.map(async (one) => (await one).release()))
}
