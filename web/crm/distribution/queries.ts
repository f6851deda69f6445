import { arrayMove } from '@dnd-kit/sortable'
import { t } from '@lingui/core/macro'
import { queryOptions, useMutation } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type {
  Assignment as AssignmentShape,
  KnownQuestion,
  LeadToPreview,
  Preview,
  Rule,
} from '#contract/crm/distribution'
import { type Data, get, patch, post, put, remove } from '../../platform/api/api.ts'
import { queryClient, sendChange } from '../../platform/api/query.ts'
import { notify, notifyProblem } from '../../platform/ui/notify.tsx'
import { choicesQuery } from '../leads/queries.ts'
import { ruleKeys } from './keys.ts'

export type Assignment = Static<typeof AssignmentShape>
export type TestLead = Static<typeof LeadToPreview>

const path = '/web/distribution-rules'

export const rulesQuery = queryOptions({
  queryKey: ruleKeys.list,
  queryFn: async () => (await get<Data<Rule[]>>(path)).data,
})

export const assignmentsQuery = queryOptions({
  queryKey: ruleKeys.assignments,
  queryFn: async () => (await get<Data<Assignment[]>>(`${path}/assignments`)).data,
  refetchInterval: 30_000,
})

export const previewQuery = (lead: TestLead) =>
  queryOptions({
    queryKey: [...ruleKeys.previews, lead],
    queryFn: async () => (await post<Data<Preview>>(`${path}/preview`, lead, { isRead: true })).data,
    enabled: lead.source !== '',
  })

/** The sources of existing leads. */
export const sourcesQuery = queryOptions({ ...choicesQuery, select: ({ sources }) => sources })

/** Values of the newest leads, by condition. */
export const knownValuesQuery = queryOptions({
  ...choicesQuery,
  select: ({ cities, tags, product, campaign, form }) => {
    return { cities, tags, products: product, campaigns: campaign, forms: form }
  },
})

/** What the newest leads answered. */
export const knownQuestionsQuery = queryOptions({
  queryKey: ruleKeys.questions,
  queryFn: async () => (await get<Data<KnownQuestion[]>>(`${path}/questions`)).data,
})

/** Under the key of the webhooks: their changes refresh it. */
export const webhookNamesQuery = queryOptions({
  queryKey: ['webhooks', 'names'],
  queryFn: async () => (await get<Data<{ id: string; name: string }[]>>('/web/webhooks')).data,
  select: (webhooks) => webhooks.map(({ id, name }) => ({ value: id, label: name })),
})

/** Sends a change, keeps the rules that the server answers, and refreshes the preview. */
async function takeRules(send: () => Promise<Data<Rule[]>>): Promise<void> {
  await sendChange(rulesQuery, send)
  void queryClient.invalidateQueries({ queryKey: ruleKeys.previews })
}

export const addRule = (rule: object) => takeRules(() => post(path, rule))
export const changeRule = (id: string, change: object) => takeRules(() => patch(`${path}/${id}`, change))

/** Moves the rule in the list at once; an error moves it back. */
export function useMoveRule() {
  const send = (id: string, position: number) => takeRules(() => put(`${path}/${id}/position`, { position }))

  return useMutation({
    mutationFn: ({ rule, to }: { rule: Rule; to: number }) => send(rule.id, to),
    onMutate: async ({ rule, to }) => {
      await queryClient.cancelQueries({ queryKey: rulesQuery.queryKey })
      const before = queryClient.getQueryData(rulesQuery.queryKey)
      queryClient.setQueryData(rulesQuery.queryKey, (rules = []) =>
        arrayMove(rules, rule.position - 1, to - 1).map((one, index) => ({ ...one, position: index + 1 })),
      )
      return { before }
    },
    onSuccess: (_answer, { rule, to }) =>
      notify(t`“${{ name: rule.name }}” is now number ${to}`, () => send(rule.id, rule.position).catch(notifyProblem)),
    onError: (error, _variables, context) => {
      queryClient.setQueryData(rulesQuery.queryKey, context?.before)
      notifyProblem(error)
    },
  })
}

/** Pauses the rule, or resumes it. */
export function usePauseRule() {
  return useMutation({
    mutationFn: ({ id, paused }: Rule) => changeRule(id, { paused: !paused }),
    onSuccess: (_answer, { id, name, paused }) =>
      notify(paused ? t`“${name}” applies again` : t`Paused “${name}”`, () =>
        changeRule(id, { paused }).catch(notifyProblem),
      ),
    onError: notifyProblem,
  })
}

export function useRemoveRule() {
  return async ({ id, name }: Rule) => {
    await remove(`${path}/${id}`)
    await queryClient.invalidateQueries({ queryKey: ruleKeys.all })
    notify(t`Deleted “${name}”`)
  }
}
