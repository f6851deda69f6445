import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { SavedLead } from '#contract/crm/leads'
import { type Data, post } from '../../platform/api/api.ts'
import { Modal } from '../../platform/ui/Dialog.tsx'
import { createDrafts } from '../../platform/ui/drafts.ts'
import formStyles from '../../platform/ui/FormActions.module.css'
import { notify } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useNarrow } from '../../platform/ui/screen-size.ts'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { formatPhone, usePhonePlans } from '../contacts/phone.ts'
import styles from './AddLead.module.css'
import { noAmount } from './deal-value.ts'
import { LeadFields } from './LeadFields.tsx'
import type { LeadListSearch } from './lead-search.ts'
import { MatchNotice } from './MatchNotice.tsx'
import { draftOf, emptyDraft, type LeadDraft, toContact, toNewLead } from './new-lead.ts'
import { refreshLeads } from './queries.ts'
import { useListSearch } from './use-list-search.ts'
import { useMatch } from './use-match.ts'

type Saved = SavedLead & {
  outcome: 'created' | 'merged'
  hidden: boolean
  owner: string | null
  is_unassigned: boolean
}

/** The drafts by what they began with, until they are saved or cleared. */
const drafts = createDrafts<LeadDraft>('lead')

/** As the server names callers, in English: a later name replaces it. */
const nameOfCaller = (draft: Pick<LeadDraft, 'phone' | 'email'>) => {
  const { phone } = toContact(draft)
  return phone ? `Caller ${formatPhone(phone)}` : ''
}

interface Props {
  opened: boolean
  /** What was searched for in vain. */
  typed?: string | undefined
}

/** The form for a new lead. */
export function AddLead({ opened, typed }: Props) {
  usePhonePlans()
  const first = typed === undefined ? emptyDraft : draftOf(typed)
  const key = typed ?? 'new'
  const savedDraft = () => drafts.get(key) ?? first
  const { choose } = useListSearch()
  const navigate = useNavigate()
  const narrow = useNarrow()
  const [isDraft, setDraft] = useState(false)
  const [initialValues] = useState(savedDraft)
  const { match, hidden, emailOf, typed: contact, setTyped, isShown } = useMatch(initialValues)
  const unnamed = match?.name ?? nameOfCaller(contact)
  const { form, saving, submit, problem, clearProblem } = useSaveForm<LeadDraft, Saved | null>({
    initialValues,
    validate: {
      name: (name, { phone }) => (name.trim() || phone.trim() ? null : t`A lead needs a name`),
      phone: (phone, { email }) => (phone.trim() || email.trim() ? null : t`Enter a phone or an email`),
      deal_value: noAmount,
    },
    onValuesChange: (draft) => {
      drafts.set(key, draft)
      setTyped(draft)
    },
    // The first press shows an unseen match; the next one saves.
    save: async (draft: LeadDraft) =>
      (await isShown())
        ? (await post<Data<Saved>>('/web/leads', toNewLead(draft, match?.name ?? nameOfCaller(draft)))).data
        : null,
    onSaved: async (saved) => {
      if (!saved) return
      const { id, name, outcome, hidden, owner, is_unassigned } = saved
      startOver()
      if (hidden) {
        close()
        const toColleague = owner === null ? t`Sent to your colleague` : t`Sent to ${owner}`
        notify(is_unassigned ? t`Sent: an Admin assigns the lead` : toColleague)
      } else {
        await navigate({
          to: '/leads/$leadId',
          params: { leadId: id },
          search: (held) => ({ ...(held as LeadListSearch), add: undefined }),
          replace: true,
        })
        notify(outcome === 'created' ? t`Added ${name}` : t`Merged into ${name}`)
      }
      void refreshLeads()
    },
  })
  // Only a draft that exists when the form opens is an older one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it looks when the form opens
  useEffect(() => setDraft(opened && JSON.stringify(savedDraft()) !== JSON.stringify(first)), [opened])

  const close = () => choose({ add: undefined }, { quietly: true })
  const startOver = () => {
    drafts.delete(key)
    form.setInitialValues(emptyDraft)
    form.reset()
    setTyped(emptyDraft)
    clearProblem()
    setDraft(false)
  }

  return (
    <Modal
      opened={opened}
      inUrl
      onClose={close}
      title={t`Add lead`}
      size={640}
      fullScreen={narrow}
      closeOnClickOutside={false}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap={12}>
          <LeadFields
            form={form}
            match={match}
            unnamed={unnamed}
            notice={<MatchNotice match={match} hidden={hidden} emailOf={emailOf} />}
          />
          <Problem error={problem} />
          <Group justify="flex-end" gap={8} wrap="nowrap" className={formStyles.foot}>
            {isDraft && (
              <Button variant="subtle" color="gray" flex="none" mr="auto" onClick={startOver}>
                <Trans>Clear form</Trans>
              </Button>
            )}
            {!narrow && (
              <Button variant="default" flex="none" onClick={close}>
                <Trans>Cancel</Trans>
              </Button>
            )}
            <Button type="submit" loading={saving.isPending} maw={320} classNames={{ label: styles.action! }}>
              {match ? t`Merge into ${{ name: match.name }}` : hidden ? t`Send` : t`Add lead`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
