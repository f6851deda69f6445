import { totalmem } from 'node:os'
import type { DataFolder } from './data-folder.ts'

/** For commands, backups and PostgreSQL itself. */
const furtherConnections = 20

/** Passed on the command line, not in postgresql.conf, so that new settings reach existing installations. */
export function settings(
  socketDir: string,
  { durable, connections, further }: Pick<DataFolder, 'durable' | 'connections' | 'further'>,
): string[] {
  const values = {
    listen_addresses: '',
    port: 5432,
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    fsync: durable ? 'on' : 'off',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    wal_compression: 'on',
    max_wal_size: '2GB',
    // While the continuous backup cannot be written to, and until it has been off for a day.
    max_slot_wal_keep_size: '2GB',
    idle_replication_slot_timeout: '1d',
    max_connections: Math.max(100, connections + furtherConnections),
    shared_buffers: `${sharedBuffers()}MB`,
    // With `try`, PostgreSQL dies of SIGBUS in containers that may not use the huge pages they see.
    huge_pages: 'off',
    random_page_cost: 1.1,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The service gets rejected statements as errors. The log would contain personal data.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    ...further,
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** In megabytes: an eighth of the available memory, at most 256. */
function sharedBuffers(): number {
  const allowed = process.constrainedMemory() || Number.POSITIVE_INFINITY
  const megabytes = Math.min(totalmem(), allowed) / 1024 / 1024
  return Math.max(16, Math.min(256, Math.floor(megabytes / 8)))
}
