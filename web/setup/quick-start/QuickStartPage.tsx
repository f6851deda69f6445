import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '../../access/account/me.ts'
import { KeyForm } from '../../access/api-keys/KeyForm.tsx'
import { type NewKey, NewKeyDialog } from '../../access/api-keys/NewKeyDialog.tsx'
import { keysQuery } from '../../access/api-keys/queries.ts'
import { openReference, useKeyForReference } from '../../access/api-keys/reference.ts'
import { LocalUrlNotice } from '../../platform/ui/LocalUrlNotice.tsx'
import { Page } from '../../platform/ui/Page.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useReturnFocus } from '../../platform/ui/return-focus.ts'
import { Step, Steps } from '../../platform/ui/Step.tsx'
import { ChooseKey } from './ChooseKey.tsx'
import { FirstLead } from './FirstLead.tsx'
import { NextSteps } from './NextSteps.tsx'
import { RequestExamples } from './RequestExamples.tsx'
import { useFirstLead } from './use-first-lead.ts'

/** Guides from an API key to the first lead that a program sends. */
export function QuickStartPage() {
  const { name, email } = useMe()
  const { data: keys, error, refetch } = useQuery(keysQuery)
  const [creating, setCreating] = useState(false)
  const [newKey, setNewKey] = useState<NewKey | null>(null)
  /** The values of keys created on this page, by id. */
  const [values, setValues] = useState<Record<string, string>>({})
  const [chosenId, setChosenId] = useState<string | null>(null)
  const noteOpener = useReturnFocus(creating || newKey !== null)
  const create = () => {
    noteOpener()
    setCreating(true)
  }
  const { arrived, existing, ...firstLead } = useFirstLead(email)

  const usable = keys?.filter(({ revoked_at, user }) => !revoked_at && user.active)
  const chosen =
    usable?.find(({ id }) => id === chosenId) ??
    usable?.findLast(({ permissions }) => permissions.includes('write')) ??
    usable?.at(-1)
  const secret = (chosen && values[chosen.id]) ?? `le_live_…${chosen?.last_four ?? ''}`

  useKeyForReference(chosen && values[chosen.id])

  const addKey = (created: NewKey) => {
    setNewKey(created)
    setValues({ ...values, [created.id]: created.key })
    setChosenId(created.id)
  }

  return (
    <Page
      title={t`API quick start`}
      about={t`Send the first lead from a program in three steps.`}
      actions={
        <Button variant="default" rightSection={<IconExternalLink size={16} aria-hidden />} onClick={openReference}>
          <Trans>Open API reference</Trans>
        </Button>
      }
    >
      <Steps>
        <Step number={1} title={t`Choose a key`} done={chosen !== undefined && chosen.id in values}>
          {error && !keys ? (
            <Problem error={error} retry={() => void refetch()} />
          ) : (
            <ChooseKey
              keys={usable}
              chosen={chosen}
              known={chosen !== undefined && chosen.id in values}
              onChoose={setChosenId}
              onCreate={create}
            />
          )}
        </Step>
        <Step number={2} title={t`Send the lead`} done={arrived !== undefined}>
          <LocalUrlNotice url={location.origin} />
          <RequestExamples secret={secret} lead={{ name, email }} />
        </Step>
        <Step
          number={3}
          title={arrived ? t`Lead received` : t`Waiting for the first lead…`}
          done={arrived !== undefined}
        >
          <FirstLead
            arrived={arrived}
            existing={existing}
            error={firstLead.error}
            retry={() => void firstLead.refetch()}
          />
        </Step>
        {arrived && (
          <Step number={4} title={t`Next steps`}>
            <NextSteps secret={secret} leadId={arrived.id} />
          </Step>
        )}
      </Steps>
      {creating && <KeyForm onClose={() => setCreating(false)} onCreated={addKey} />}
      {newKey && <NewKeyDialog apiKey={newKey} onClose={() => setNewKey(null)} />}
    </Page>
  )
}
