import { type Actor, asActor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { cleanLine } from '../../platform/text/clean-line.ts'
import { folded } from '../../platform/text/contract.ts'
import type { Submission } from './lead.ts'

/** An account has so many: further ones are kept as they come. */
const maxSources = 10_000

/**
 * Returns a source as the account writes it. Sources that a search finds alike, as in upper and lower case, are one, in the spelling
 * that a webhook or a lead had first.
 */
export async function sourceName(database: Database, actor: Actor, source: string): Promise<string> {
  const { account_id } = actor
  const key = `source:${account_id}:${folded(cleanLine(source))}`
  const load = async () => {
    const [known] = await readAsActor(database, actor, (tx) => readSources(tx, account_id, [source]))
    const [value = source] = known
      ? [known]
      : await asActor(database, actor, (tx) => addSources(tx, account_id, [source]))
    return { account_id, value }
  }
  const name = await database.cache.get(key, () => {
    const loaded = loading.get(key) ?? load().finally(() => loading.delete(key))
    loading.set(key, loaded)
    return loaded
  })
  return name ?? source
}

/** Many deliveries at once ask for one source: they wait for the same statement. */
const loading = new Map<string, Promise<{ account_id: string; value: string }>>()

/** The source of a submission, or the default one, as sourceName returns it. */
export async function withSourceName(database: Database, actor: Actor, submission: Submission): Promise<Submission> {
  return named(submission, await sourceName(database, actor, sourceOf(submission)))
}

/** The same for the rows of a file. */
export async function withSourceNames(
  database: Database,
  actor: Actor,
  submissions: Submission[],
): Promise<Submission[]> {
  const sources = [...new Set(submissions.map(sourceOf))]
  const names =
    sources.length === 1
      ? [await sourceName(database, actor, sources[0]!)]
      : await asActor(database, actor, (tx) => addSources(tx, actor.account_id, sources))
  const nameOf = new Map(sources.map((source, at) => [source, names[at]!]))
  return submissions.map((submission) => named(submission, nameOf.get(sourceOf(submission))!))
}

/** Returns the sources as their leads have them, for filters. */
export async function findSources(database: Database, actor: Actor, sources: string[]): Promise<string[]> {
  if (sources.length === 0) return []
  const names = await readAsActor(database, actor, (tx) => readSources(tx, actor.account_id, sources))
  return [...new Set(names.map((name, at) => name ?? sources[at]!))]
}

const sourceOf = ({ given, defaults }: Submission) => given.source ?? defaults.source

const named = (submission: Submission, source: string): Submission =>
  submission.given.source === undefined
    ? { ...submission, defaults: { ...submission.defaults, source } }
    : { ...submission, given: { ...submission.given, source } }

/** Adds those that the account does not know. Of two at the same time, one waits for the other, and finds its spelling. */
export async function addSources(tx: TransactionSql, accountId: string, sources: string[]): Promise<string[]> {
  const known = await readSources(tx, accountId, sources)
  const added = sources.filter((_, at) => known[at] === null)
  if (added.length === 0) return known as string[]
  await tx`insert into lead_sources (account_id, key, name)
    select ${accountId}, key, name from (
      select distinct on (search_key(name)) search_key(name) as key, name
      from unnest(${added.map(cleanLine)}::text[]) with ordinality as added (name, place) order by search_key(name), place
    ) added
    where (select count(*) from lead_sources where account_id = ${accountId}) < ${maxSources}
    order by key on conflict do nothing returning key`
  const found = await readSources(tx, accountId, sources)
  return found.map((name, at) => name ?? sources[at]!)
}

async function readSources(tx: TransactionSql, accountId: string, sources: string[]): Promise<(string | null)[]> {
  const rows = await tx<{ name: string | null }[]>`
    select (select name from lead_sources where account_id = ${accountId} and key = search_key(given.name)) as name
    from unnest(${sources.map(cleanLine)}::text[]) with ordinality as given (name, place) order by place`
  return rows.map(({ name }) => name)
}
