import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { findAccount } from '../account/users.ts'
import { type Actor, changeAsActor, readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import type { TransactionSql } from '../database/sql.ts'
import { checkUnchanged } from '../http/check-unchanged.ts'
import { Deleted, IdParameter } from '../http/contract.ts'
import { instantText } from '../http/instants.ts'
import { invalid, notFound } from '../http/problem.ts'
import {
  Assignment,
  LeadToPreview,
  Preview,
  Rule,
  RuleChange,
  RulePosition,
  type RuleSettings,
  RuleToAdd,
} from './contract.ts'
import { namedUser, previewAssignment } from './preview.ts'
import { readRules } from './read-rules.ts'
import { addRule, changeRule, lockRule, moveRule, recentAssignments, removeRule, webhooksIn } from './store.ts'

const Rules = Type.Object({ data: Type.Array(Rule) })

/** Admins manage the rules that assign new leads without an owner. A change answers all rules as they are then. */
export const distributionRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/distribution-rules', { schema: { response: { 200: Rules } } }, ({ webCaller }) => allRules(webCaller))

    app.post(
      '/distribution-rules',
      { schema: { body: RuleToAdd, response: { 201: Rules } } },
      async ({ webCaller, body }, reply) => {
        const {
          position = null,
          sources = [],
          cities = [],
          tags = [],
          webhook_ids = [],
          pass_on_after = null,
          ...given
        } = body
        const rule = { ...given, pass_on_after, sources, cities, tags, webhook_ids }
        await changeAsActor(database, webCaller, async (tx) => {
          await checkReferences(tx, webCaller, rule)
          await addRule(tx, webCaller, rule, position)
        })
        return reply.code(201).send(await allRules(webCaller))
      },
    )

    app.patch(
      '/distribution-rules/:id',
      { schema: { params: IdParameter, body: RuleChange, response: { 200: Rules } } },
      async ({ webCaller, params: { id }, body: { was, ...change } }) => {
        await changeAsActor(database, webCaller, async (tx) => {
          if (was) {
            await lockRule(tx, webCaller.account_id, id)
            const rule = (await readRules(tx, webCaller.account_id)).find((one) => one.id === id)
            if (rule) checkUnchanged(was, rule)
          }
          await checkReferences(tx, webCaller, change)
          if (!(await changeRule(tx, webCaller, id, change))) throw noRule()
        })
        return allRules(webCaller)
      },
    )

    app.put(
      '/distribution-rules/:id/position',
      { schema: { params: IdParameter, body: RulePosition, response: { 200: Rules } } },
      async ({ webCaller, params: { id }, body: { position } }) => {
        await changeAsActor(database, webCaller, async (tx) => {
          if (!(await moveRule(tx, webCaller, id, position))) throw noRule()
        })
        return allRules(webCaller)
      },
    )

    app.delete(
      '/distribution-rules/:id',
      { schema: { params: IdParameter, response: { 200: Deleted } } },
      async ({ webCaller, params: { id } }) => {
        await changeAsActor(database, webCaller, async (tx) => {
          if (!(await removeRule(tx, webCaller, id))) throw noRule()
        })
        return { data: { id, deleted: true } }
      },
    )

    app.post(
      '/distribution-rules/preview',
      { schema: { body: LeadToPreview, response: { 200: Type.Object({ data: Preview }) } } },
      async ({ webCaller, body: { source, city = null, tags = [], webhook_id = null } }) => ({
        data: await previewAssignment(database, webCaller, { source, city, tags, webhook_id }, clock()),
      }),
    )

    app.get(
      '/distribution-rules/assignments',
      { schema: { response: { 200: Type.Object({ data: Type.Array(Assignment) }) } } },
      async ({ webCaller }) => {
        const latest = await readAsActor(database, webCaller, (tx) => recentAssignments(tx, webCaller.account_id, 50))
        return { data: latest.map((one) => ({ ...one, at: instantText(one.at) })) }
      },
    )

    async function allRules(actor: Actor) {
      const account = await findAccount(database, actor.account_id)
      const rules = await readAsActor(database, actor, (tx) => readRules(tx, actor.account_id))
      return {
        data: rules.map((rule, index) => ({
          ...rule,
          position: index + 1,
          people: rule.people.map(({ user_id, weight }) => ({ ...namedUser(account, user_id), weight })),
        })),
      }
    }

    async function checkReferences(tx: TransactionSql, actor: Actor, { people = [], webhook_ids = [] }: RuleSettings) {
      const account = await findAccount(database, actor.account_id)
      const known = new Set(account.users.map(({ id }) => id))
      if (people.some(({ user_id }) => !known.has(user_id))) {
        throw invalid('people must be users of the account.', 'people')
      }
      if (new Set(people.map(({ user_id }) => user_id)).size < people.length) {
        throw invalid('people must name each user once: set a weight instead.', 'people')
      }
      const webhooks = await webhooksIn(tx, actor.account_id, webhook_ids)
      if (webhooks.length < new Set(webhook_ids).size) {
        throw invalid('webhook_ids must be webhooks of the account.', 'webhook_ids')
      }
    }
  }

const noRule = () => notFound('There is no such distribution rule.')
