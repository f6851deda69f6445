import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { DeliveryPreview, EnquiryPart } from '#contract/intake/payload'
import { Fact, Facts } from '../../../platform/ui/Facts.tsx'
import { enquiryPartLabel } from '../field-labels.ts'
import { LongText } from '../LongText.tsx'
import { currentPreviewQuery } from '../queries.ts'

type Value = DeliveryPreview['values'][number] & { part: EnquiryPart }

/** What each value that no lead field takes becomes. What no person typed is folded. */
export function EnquiryValues({ deliveryId }: { deliveryId: string }) {
  const { data: preview } = useQuery(currentPreviewQuery(deliveryId))
  if (preview?.outcome !== 'lead' || preview.records) return null
  const others = preview.values.filter((value): value is Value => value.part !== null)
  const [leftOut, used] = [others.filter(({ part }) => part === 'left_out'), others.filter(isUsed)]
  if (others.length === 0) return null
  return (
    <section aria-label={t`Enquiry`}>
      <Title order={3} mb={8}>
        <Trans>Enquiry</Trans>
      </Title>
      {used.length > 0 && <Values values={used} />}
      {leftOut.length > 0 && (
        <details>
          <summary>
            {plural({ count: leftOut.length }, { one: '# value left out', other: '# values left out' })}
          </summary>
          <Values values={leftOut} />
        </details>
      )}
    </section>
  )
}

const isUsed = ({ part }: Value) => part !== 'left_out'

const Values = ({ values }: { values: Value[] }) => (
  <Facts>
    {values.map(({ path, value, part }) => (
      <Fact key={path} name={enquiryPartLabel(part)}>
        {value === '' ? t`empty` : <LongText text={value} />}
        <Text size="xs" c="dimmed">
          <span className="code">{path}</span>
        </Text>
      </Fact>
    ))}
  </Facts>
)
