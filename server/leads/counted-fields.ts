import type { TransactionSql } from 'postgres'

/** The fields by which lists are filtered and leads are counted. */
export const countedFields = ['priority', 'source', 'status'] as const
export type CountedField = (typeof countedFields)[number]

const eachField = `lateral (values ${countedFields.map((field) => `('${field}', ${field})`).join(', ')}) as of_field (field, value)`

/** For a FROM clause, after a table with these fields: a row for each of them, with its name as `field` and its `value`. */
export const byCountedField = (tx: TransactionSql) => tx.unsafe(eachField)
