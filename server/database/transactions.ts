import type { Sql, TransactionSql } from 'postgres'

type Work = (tx: TransactionSql) => unknown

/**
 * Makes transactions safe against a lost connection. The driver would still send `rollback` or `commit`: to a closed
 * socket, which ends the process, or on a connection that another transaction uses by then. Here nothing more is sent,
 * and `begin` fails with the driver's error.
 */
export function guardTransactions(sql: Sql): Sql {
  const begin = sql.begin.bind(sql)

  async function guarded(...given: [Work] | [string, Work]) {
    const work = given.at(-1) as Work
    const mode = given.length === 2 ? given[0] : ''
    const connection = { lost: false }
    try {
      return await begin(mode, (tx) => whileHeld(connection, tx, work))
    } catch (error) {
      connection.lost = true
      throw error
    }
  }
  return Object.assign(sql, { begin: guarded })
}

/** Never settles after the connection is lost, so that the driver does not end the transaction or savepoint. */
function whileHeld(connection: { lost: boolean }, tx: TransactionSql, work: Work): Promise<unknown> {
  return new Promise((resolve, reject) => {
    Promise.try(work, rejectingWhenLost(connection, tx)).then(
      (value) => !connection.lost && resolve(value),
      (error) => !connection.lost && !isLoss(error) && reject(error),
    )
  })
}

/** Returns the transaction, which rejects further statements when its connection is lost. */
function rejectingWhenLost(connection: { lost: boolean }, tx: TransactionSql): TransactionSql {
  const reject = () => {
    if (connection.lost) throw Object.assign(new Error('the connection is lost'), { code: 'CONNECTION_CLOSED' })
  }
  return new Proxy(tx, {
    apply(target, self, args) {
      reject()
      return Reflect.apply(target, self, args)
    },
    get(target, name) {
      if (name === 'unsafe' || name === 'savepoint') reject()
      if (name === 'savepoint') return (work: Work) => target.savepoint((part) => whileHeld(connection, part, work))
      return Reflect.get(target, name)
    },
  })
}

const losses = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  // After these codes the server closes the connection.
  '57P01',
  '57P02',
  '57P05',
  '25P03',
])

const isLoss = (error: unknown) => losses.has(String((error as { code?: unknown } | null)?.code))
