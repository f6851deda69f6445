import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { KeyForm } from '../api-keys/KeyForm.tsx'
import { KeyOnce, type ToldKey } from '../api-keys/KeyOnce.tsx'
import { keysQuery } from '../api-keys/queries.ts'
import { useMe } from '../me.ts'
import { Page } from '../ui/Page.tsx'
import { Problem } from '../ui/Problem.tsx'
import { useReturnFocus } from '../ui/return-focus.ts'
import { Step, Steps } from '../ui/Step.tsx'
import { Arrival } from './Arrival.tsx'
import { useArrival } from './arrival.ts'
import { ChooseKey } from './ChooseKey.tsx'
import { Lines } from './Lines.tsx'
import { WhatNext } from './WhatNext.tsx'

/** From a key to the first lead it sends. */
export function FirstRequestPage() {
  const { name, email } = useMe()
  const { data: keys, error, refetch } = useQuery(keysQuery)
  const [creating, setCreating] = useState(false)
  const [told, setTold] = useState<ToldKey | null>(null)
  /** The values of the keys made here, by id. */
  const [values, setValues] = useState<Record<string, string>>({})
  const [chosenId, setChosenId] = useState<string | null>(null)
  const noteOpener = useReturnFocus(creating || told !== null)
  const create = () => {
    noteOpener()
    setCreating(true)
  }
  const { arrived, merges, ...arrival } = useArrival(email)

  const usable = keys?.filter(({ revoked_at, user }) => !revoked_at && user.active)
  const chosen =
    usable?.find(({ id }) => id === chosenId) ??
    usable?.findLast(({ permissions }) => permissions.includes('write')) ??
    usable?.at(-1)
  const secret = (chosen && values[chosen.id]) ?? `le_live_…${chosen?.last_four ?? ''}`

  const keep = (made: ToldKey) => {
    setTold(made)
    setValues({ ...values, [made.id]: made.key })
    setChosenId(made.id)
  }

  return (
    <Page title="First request" about="From a key to the first lead that a program sends, in three steps.">
      <Steps>
        <Step number={1} title="Choose a key" done={chosen !== undefined && chosen.id in values}>
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
        <Step number={2} title="Send the lead" done={arrived !== undefined}>
          <Lines secret={secret} lead={{ name, email }} />
        </Step>
        <Step
          number={3}
          title={arrived ? 'The lead is here' : 'Waiting for the first lead…'}
          done={arrived !== undefined}
        >
          <Arrival arrived={arrived} merges={merges} error={arrival.error} retry={() => void arrival.refetch()} />
        </Step>
        {arrived && (
          <Step number={4} title="What next">
            <WhatNext secret={secret} leadId={arrived.id} />
          </Step>
        )}
      </Steps>
      {creating && <KeyForm onClose={() => setCreating(false)} onCreated={keep} />}
      {told && <KeyOnce told={told} onKept={() => setTold(null)} />}
    </Page>
  )
}
