import type { Sql } from '../../server/platform/database/sql.ts'

/** Saves the BASE_URL of a service that has started, for commands, which may have other variables. */
export async function saveServiceUrl(directory: Sql, url: string): Promise<void> {
  if ((await readServiceUrl(directory)) === url) return
  await directory`
    insert into installation_secrets (name, value) values ('base_url', ${url})
    on conflict (name) do update set value = excluded.value`
}

/** Returns the BASE_URL of the service that started last, or null if none has. */
export async function readServiceUrl(directory: Sql): Promise<string | null> {
  const [found] = await directory<{ value: string }[]>`select value from installation_secrets where name = 'base_url'`
  return found?.value ?? null
}
