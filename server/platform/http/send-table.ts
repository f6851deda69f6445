import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { csvOf } from './csv.ts'
import type { Table } from './table.ts'
import { xlsxOf } from './xlsx.ts'

/** The formats of a table, which are also the ends of its URLs. */
export const tableFormats = ['csv', 'xlsx'] as const
export type TableFormat = (typeof tableFormats)[number]

const types: Record<TableFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** Sends a table as a file with a name such as leads-2026-11-21. */
export function sendTable<Row>(reply: FastifyReply, format: TableFormat, file: string, table: Table<Row>) {
  return reply
    .type(types[format])
    .header('content-disposition', `attachment; filename="${file}.${format}"`)
    .send(format === 'csv' ? Readable.from(csvOf(table)) : xlsxOf(table))
}
