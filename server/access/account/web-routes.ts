import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { changeAccount } from './change-account.ts'
import { AccountChange, AccountSettings } from './contract.ts'
import { parseDays } from './users.ts'

interface Settings {
  deliveryRetentionDays: number
}

export const accountRoutes =
  (database: Database, config: Settings): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/account',
      { schema: { response: { 200: Type.Object({ data: AccountSettings }) } } },
      async ({ webCaller }) => ({ data: await accountSettings(database, config, webCaller.account_id) }),
    )
  }

export const accountAdminRoutes =
  (database: Database, config: Settings): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.patch(
      '/account',
      { schema: { body: AccountChange, response: { 200: Type.Object({ data: AccountSettings }) } } },
      async ({ webCaller, body }) => {
        await changeAccount(database, webCaller, body)
        return { data: await accountSettings(database, config, webCaller.account_id) }
      },
    )
  }

async function accountSettings({ directory }: Database, config: Settings, accountId: string): Promise<AccountSettings> {
  const [account] = await directory<StoredSettings[]>`
    select id, name, default_country, lowest_role_to_delete, lowest_role_to_export, work_days, work_from, work_until,
      alert_after, going_cold_after, first_retry_after, answering_user_owns, names_owner, fallback_owner, win_probabilities, lost_reasons
      from accounts where id = ${accountId}`
  const { work_days, ...stored } = account!
  return { ...stored, work_days: parseDays(work_days), delivery_retention_days: config.deliveryRetentionDays }
}

type StoredSettings = Omit<AccountSettings, 'delivery_retention_days' | 'work_days'> & { work_days: string }
