import type { TransactionSql } from '../../../platform/database/sql.ts'
import { storable } from '../../../platform/database/storable.ts'
import type { Delivery } from './delivery.ts'

export interface Receipt {
  platform_id: string
  reading_hash: Buffer
}

/**
 * Claims a receipt until the transaction ends and returns null, or returns the lead that the first delivery made. The
 * update changes nothing, but locks the existing row and returns it.
 */
export async function claimReceipt(
  tx: TransactionSql,
  { account_id, webhook_id, received_at }: Delivery,
  { platform_id, reading_hash }: Receipt,
): Promise<string | null> {
  const [row] = await tx`
    insert into delivery_receipts (account_id, webhook_id, platform_id, reading_hash, received_at)
    values (${account_id}, ${webhook_id}, ${storable(platform_id)}, ${reading_hash}, ${received_at})
    on conflict (account_id, webhook_id, platform_id, reading_hash) do update set platform_id = excluded.platform_id
    returning lead_id`
  return row!.lead_id
}

export async function saveReceipt(
  tx: TransactionSql,
  { account_id, webhook_id }: Delivery,
  { platform_id, reading_hash }: Receipt,
  leadId: string,
): Promise<void> {
  await tx`update delivery_receipts set lead_id = ${leadId} where account_id = ${account_id}
    and webhook_id = ${webhook_id} and platform_id = ${storable(platform_id)} and reading_hash = ${reading_hash}`
}
