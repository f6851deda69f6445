import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from './lead-engine.mjs'

const file = 'lead-engine.json'
const { EVERY_SECONDS = 60, CHECK_EVERY_SECONDS = 86_400 } = process.env
const lists = ['leads', 'call-logs']
const store = existsSync(file)
  ? JSON.parse(readFileSync(file, 'utf8'))
  : { leads: {}, 'call-logs': {}, cursors: {}, checked: 0 }

// Without a cursor, reads everything, and removes what the service no longer has. Returns the next cursor.
async function read(list, cursor = '') {
  const items = store[list]
  const missing = new Set(cursor ? [] : Object.keys(items))
  for (let more = true; more; ) {
    const query = `limit=500&updated_since=1900-01-01T00:00:00Z&cursor=${cursor}`
    const { data, pagination } = await request('GET', `/${list}?${query}`)
    for (const item of data) {
      missing.delete(item.id)
      if (JSON.stringify(item) === JSON.stringify(items[item.id])) continue
      items[item.id] = item
      console.log(list, JSON.stringify(item))
    }
    more = pagination.has_more
    cursor = pagination.next_cursor
  }
  for (const id of missing) {
    delete items[id]
    console.log(list, 'deleted', id)
  }
  return cursor
}

async function sync() {
  const isCheck = Date.now() - store.checked >= 1000 * CHECK_EVERY_SECONDS
  for (const list of lists) store.cursors[list] = await read(list, isCheck ? '' : store.cursors[list])
  if (isCheck) store.checked = Date.now()
  writeFileSync(`${file}.new`, JSON.stringify(store))
  renameSync(`${file}.new`, file)
}

for (;;) {
  await sync().catch(console.error)
  await sleep(1000 * EVERY_SECONDS)
}
