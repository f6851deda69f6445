import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type LeadInFull, maxTagLength, maxTags, textFieldNames, textFields } from '#contract/crm/leads'
import { leadFieldName } from '../../crm/leads/lead-words.ts'
import { choicesQuery } from '../../crm/leads/queries.ts'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { EmailField, OtherContactsField, PhoneField } from './ContactFields.tsx'
import { ReadOnlyField } from './Field.tsx'
import { ListField } from './ListField.tsx'
import { TextField } from './TextField.tsx'
import { tagsChange, useChangeLead, useSetField } from './use-change-lead.ts'

/** Who the lead is and where it came from. Rows without a value are behind a button. */
export function DetailFields({ lead }: { lead: LeadInFull }) {
  const { mutateAsync } = useChangeLead(lead)
  const set = useSetField(lead)
  const { data: choices } = useQuery(choicesQuery)
  const rows: { name: string; isEmpty: boolean; field: ReactNode }[] = [
    { name: 'phone', isEmpty: lead.phone === null, field: <PhoneField lead={lead} /> },
    { name: 'email', isEmpty: lead.email === null, field: <EmailField lead={lead} /> },
    { name: 'contacts', isEmpty: lead.other_contacts.length === 0, field: <OtherContactsField lead={lead} /> },
    ...textFieldNames.map((name) => {
      const label = leadFieldName(name)
      const save = (text: string | null) => set({ [name]: text }, label, text)
      const props = { label, value: lead[name], maxLength: textFields[name].maxLength, save }
      return { name, isEmpty: lead[name] === null, field: <TextField {...props} /> }
    }),
    {
      name: 'tags',
      isEmpty: lead.tags.length === 0,
      field: (
        <ListField
          label={t`Tags`}
          value={lead.tags}
          maxItems={maxTags}
          maxLength={maxTagLength}
          save={(tags, before) =>
            mutateAsync({
              change: tagsChange(before, tags),
              message: tags.length > 0 ? t`Tags changed to ${{ tags: tags.join(', ') }}` : t`Tags removed`,
            })
          }
        />
      ),
    },
  ]
  // A row whose value is removed stays in its place.
  const [emptyAtFirst] = useState(() => new Set(rows.flatMap(({ name, isEmpty }) => (isEmpty ? name : []))))
  /** The first of the rows that the button showed. */
  const [firstAdded, setFirstAdded] = useState<string>()
  const hidden = rows.filter(({ name, isEmpty }) => firstAdded === undefined && isEmpty && emptyAtFirst.has(name))
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (firstAdded) body.current?.querySelector<HTMLElement>(`[data-field="${firstAdded}"] button`)?.focus()
  }, [firstAdded])

  return (
    <div ref={body}>
      {rows.map(
        (row) =>
          !hidden.includes(row) && (
            <div key={row.name} data-field={row.name}>
              {row.field}
            </div>
          ),
      )}
      <TextField
        label={t`Source`}
        value={lead.source}
        suggestions={choices?.sources ?? []}
        needed={t`A lead needs a source.`}
        save={(source) => set({ source: source ?? '' }, t`Source`, source)}
      />
      <ReadOnlyField label={t`Created`}>
        <Timestamp at={lead.created_at} />
      </ReadOnlyField>
      <ReadOnlyField label={t`Updated`}>
        <Timestamp at={lead.updated_at} />
      </ReadOnlyField>
      {hidden.length > 0 && (
        <Button
          variant="subtle"
          size="compact-sm"
          mih={44}
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setFirstAdded(hidden[0]!.name)}
        >
          <Trans>Add details</Trans>
        </Button>
      )}
    </div>
  )
}
