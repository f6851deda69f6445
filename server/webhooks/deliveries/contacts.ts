import type { TransactionSql } from 'postgres'

/** Keeps whom a delivery names, as hashes, for the deletion of their lead. What was kept before stays. */
export async function keepContacts(
  tx: TransactionSql,
  { account_id, id }: { account_id: string; id: string },
  contacts: string[],
): Promise<void> {
  if (contacts.length === 0) return
  await tx`insert into delivery_contacts (account_id, contact, delivery_id)
    select distinct ${account_id}::uuid, contact_hash(${account_id}, contact), ${id}::uuid
    from unnest(${contacts}::text[]) as contact
    on conflict do nothing`
}
