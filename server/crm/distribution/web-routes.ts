import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { msg } from '@lingui/core/runtime-macro'
import { type Static, Type } from 'typebox'
import { findAccount } from '../../access/account/users.ts'
import { type Actor, changeAsActor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { checkUnchanged } from '../../platform/http/check-unchanged.ts'
import { Deleted, IdParameter } from '../../platform/http/contract.ts'
import { instantText } from '../../platform/http/instants.ts'
import { invalid, notFound } from '../../platform/http/problem.ts'
import { acceptedLanguage } from '../../platform/languages/translate.ts'
import { translateSummary } from '../timeline/translate-summary.ts'
import { type DistributionRule, noEnquiryValues } from './choose-assignee.ts'
import {
  Assignment,
  KnownQuestion,
  LeadToPreview,
  Preview,
  Replay,
  Rule,
  RuleChange,
  RulePosition,
  type RuleSettings,
  RuleToAdd,
  RuleToReplay,
} from './contract.ts'
import { readKnownQuestions } from './known-questions.ts'
import { namedUser, previewAssignment } from './preview.ts'
import { readRules } from './read-rules.ts'
import { replayRule } from './replay-rule.ts'
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
        const { position = null, ...given } = body
        const rule = completeRule(given)
        await changeAsActor(database, webCaller, async (tx) => {
          checkMethod(rule)
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
          await lockRule(tx, webCaller.account_id, id)
          const rule = (await readRules(tx, webCaller.account_id)).find((one) => one.id === id)
          if (!rule) throw noRule()
          checkUnchanged(was, rule)
          checkMethod({ ...rule, ...change })
          await checkReferences(tx, webCaller, change)
          await changeRule(tx, webCaller, id, change)
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
      async ({ webCaller, headers, body: { city = null, tags = [], webhook_id = null, ...given } }) => {
        const language = acceptedLanguage(headers['accept-language'])
        const lead = { ...noEnquiryValues, ...given, city, tags, webhook_id }
        return { data: await previewAssignment(database, webCaller, lead, { at: clock(), language }) }
      },
    )

    app.get(
      '/distribution-rules/questions',
      { schema: { response: { 200: Type.Object({ data: Type.Array(KnownQuestion) }) } } },
      async ({ webCaller }) => ({
        data: await readAsActor(database, webCaller, (tx) => readKnownQuestions(tx, webCaller.account_id)),
      }),
    )

    app.post(
      '/distribution-rules/replay',
      { schema: { body: RuleToReplay, response: { 200: Type.Object({ data: Replay }) } } },
      async ({ webCaller, body: { id = null, ...given } }) => {
        const rule = completeRule(given)
        checkMethod(rule)
        await readAsActor(database, webCaller, (tx) => checkReferences(tx, webCaller, rule))
        return { data: await replayRule(database, webCaller, { id, ...rule }) }
      },
    )

    app.get(
      '/distribution-rules/assignments',
      { schema: { response: { 200: Type.Object({ data: Type.Array(Assignment) }) } } },
      async ({ webCaller, headers }) => {
        const language = acceptedLanguage(headers['accept-language'])
        const latest = await readAsActor(database, webCaller, (tx) => recentAssignments(tx, webCaller.account_id, 50))
        return {
          data: latest.map((one) => ({
            ...one,
            at: instantText(one.at),
            summary: translateSummary(one.summary, language),
          })),
        }
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
        throw invalid(msg`${{ field: 'people' }} must be users of the account.`, 'people')
      }
      if (new Set(people.map(({ user_id }) => user_id)).size < people.length) {
        throw invalid(msg`${{ field: 'people' }} must name each user once: set a weight instead.`, 'people')
      }
      const webhooks = await webhooksIn(tx, actor.account_id, webhook_ids)
      if (webhooks.length < new Set(webhook_ids).size) {
        throw invalid(msg`${{ field: 'webhook_ids' }} must be webhooks of the account.`, 'webhook_ids')
      }
    }
  }

function checkMethod({ method, pass_on_after }: Pick<DistributionRule, 'method' | 'pass_on_after'>) {
  if (method === 'first_to_claim' && pass_on_after === null)
    throw invalid(
      msg`${{ field: 'pass_on_after' }} must say after how many minutes an unclaimed lead passes on.`,
      'pass_on_after',
    )
}

/** A new rule, with the defaults of what is left out. */
const completeRule = (given: Omit<Static<typeof RuleToReplay>, 'id'>) => ({
  sources: [],
  cities: [],
  tags: [],
  webhook_ids: [],
  products: [],
  campaigns: [],
  forms: [],
  answers: [],
  method: 'round_robin' as const,
  pass_on_after: null,
  paused: false,
  daily_limit: null,
  ...given,
})

const noRule = () => notFound(msg`There is no such distribution rule.`)
