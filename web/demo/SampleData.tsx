import { useQuery } from '@tanstack/react-query'
import { formatCount } from '../ui/numbers.ts'
import { Section } from '../ui/Section.tsx'
import { samplesQuery } from './queries.ts'
import { RemoveSamples } from './RemoveSamples.tsx'

/** Shown while the account has sample leads. */
export function SampleData() {
  const { data: samples } = useQuery(samplesQuery)
  if (!samples || samples.leads === 0) return null
  return (
    <Section
      title="Sample data"
      about={`${formatCount(samples.leads, 'sample lead')}, counted and exported like others.`}
    >
      <RemoveSamples leads={samples.leads} />
    </Section>
  )
}
