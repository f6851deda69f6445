import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Section } from '../../platform/ui/Section.tsx'
import { samplesQuery } from './queries.ts'
import { RemoveSamples } from './RemoveSamples.tsx'

/** Shown while the account has sample leads. */
export function SampleData() {
  const { data: samples } = useQuery(samplesQuery)
  if (!samples || samples.leads === 0) return null
  return (
    <Section
      title={t`Sample data`}
      about={t`${plural({ leads: samples.leads }, { one: '# sample lead', other: '# sample leads' })}, counted and exported like others.`}
    >
      <RemoveSamples leads={samples.leads} />
    </Section>
  )
}
