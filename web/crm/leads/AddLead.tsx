import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { SavedLead } from '#contract/crm/leads'
import { type Data, post } from '../../platform/api/api.ts'
import { Modal } from '../../platform/ui/Dialog.tsx'
import { createDrafts } from '../../platform/ui/drafts.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useNarrow } from '../../platform/ui/screen-size.ts'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import styles from './AddLead.module.css'
import { noAmount } from './deal-value.ts'
import { LeadFields } from './LeadFields.tsx'
import type { LeadListSearch } from './lead-search.ts'
import { MatchNotice } from './MatchNotice.tsx'
import { emptyDraft, type LeadDraft, toNewLead } from './new-lead.ts'
import { refreshLeads } from './queries.ts'
import { useListSearch } from './use-list-search.ts'
import { useMatch } from './use-match.ts'

type Saved = SavedLead & { outcome: 'created' | 'merged'; hidden: boolean; owner: string | null }

/** The draft, until it is saved or cleared. */
const drafts = createDrafts<LeadDraft>('lead')
const newest = 'new'
const savedDraft = () => drafts.get(newest) ?? emptyDraft

/** The form for a new lead. */
export function AddLead({ opened }: { opened: boolean }) {
  const { choose } = useListSearch()
  const navigate = useNavigate()
  const narrow = useNarrow()
  const [isDraft, setDraft] = useState(false)
  const [initialValues] = useState(savedDraft)
  const { match, hidden, emailOf, setTyped, isShown } = useMatch(initialValues)
  const { form, saving, submit, problem, clearProblem } = useSaveForm<LeadDraft, Saved | null>({
    initialValues,
    validate: {
      name: (name) => (name.trim() ? null : t`A lead needs a name`),
      phone: (phone, { email }) => (phone.trim() || email.trim() ? null : t`Enter a phone or an email`),
      deal_value: noAmount,
    },
    onValuesChange: (draft) => {
      drafts.set(newest, draft)
      setTyped(draft)
    },
    // The first press shows an unseen match; the next one saves.
    save: async (draft: LeadDraft) =>
      (await isShown()) ? (await post<Data<Saved>>('/web/leads', toNewLead(draft))).data : null,
    onSaved: async (saved) => {
      if (!saved) return
      const { id, name, outcome, hidden, owner } = saved
      startOver()
      if (hidden) {
        close()
        notify(owner === null ? t`Sent to your colleague` : t`Sent to ${owner}`)
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
  useEffect(() => setDraft(opened && JSON.stringify(savedDraft()) !== JSON.stringify(emptyDraft)), [opened])

  const close = () => choose({ add: undefined }, { quietly: true })
  const startOver = () => {
    drafts.delete(newest)
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
            notice={<MatchNotice match={match} hidden={hidden} emailOf={emailOf} />}
          />
          <Problem error={problem} />
          <Group justify="flex-end" gap={8} wrap="nowrap" className={styles.foot}>
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
