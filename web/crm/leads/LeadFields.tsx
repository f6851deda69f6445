import { t } from '@lingui/core/macro'
import { Autocomplete, Select, SimpleGrid, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import {
  type LeadMatch,
  leadPriorities,
  leadStatuses,
  maxContactText,
  textFieldNames,
  textFields,
} from '#contract/crm/leads'
import { useMe } from '../../access/account/me.ts'
import { enterOnlyChooses } from '../../platform/ui/enter-only-chooses.ts'
import { useUserStates } from '../availability/use-user-states.ts'
import { leadFieldName, priorityNames, statusNames } from './lead-words.ts'
import type { LeadDraft } from './new-lead.ts'
import { choicesQuery } from './queries.ts'

interface Props {
  form: UseFormReturnType<LeadDraft>
  /** Shown below phone and email. */
  notice: ReactNode
  match: LeadMatch | null
  /** What a lead without a name is called. */
  unnamed: string
}

/** Placeholders show what an empty field becomes: the default of a new lead, or the value of the matching lead. */
export function LeadFields({ form, notice, match, unnamed }: Props) {
  const { role } = useMe()
  const { withState } = useUserStates()
  const { data: choices } = useQuery(choicesQuery)
  const defaultOf = (value: string) => (match ? t`Unchanged` : value)
  const field = (name: keyof LeadDraft) => ({ key: form.key(name), ...form.getInputProps(name) })

  return (
    <>
      <TextInput
        label={t`Name`}
        required
        withAsterisk={unnamed === ''}
        maxLength={200}
        autoComplete="off"
        data-autofocus
        placeholder={unnamed}
        {...field('name')}
      />
      <div>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={16} verticalSpacing={12}>
          <TextInput
            label={t`Phone`}
            description={t`A phone or an email is required`}
            type="tel"
            maxLength={maxContactText}
            autoComplete="off"
            {...field('phone')}
          />
          <TextInput
            label={t`Email`}
            description={t`Both are checked for duplicates`}
            inputMode="email"
            maxLength={maxContactText}
            autoComplete="off"
            {...field('email')}
          />
        </SimpleGrid>
        {notice}
      </div>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={16} verticalSpacing={12}>
        {textFieldNames.map((name) => (
          <TextInput
            label={leadFieldName(name)}
            maxLength={textFields[name].maxLength}
            autoComplete="off"
            {...field(name)}
            key={form.key(name)}
          />
        ))}
        <Select
          label={t`Status`}
          data={leadStatuses.map((value) => ({ value, label: statusNames[value] }))}
          placeholder={match ? t`Unchanged: ${{ status: statusNames[match.status] }}` : statusNames.New}
          clearable
          clearButtonProps={{ 'aria-label': t`Clear status` }}
          {...field('status')}
        />
        <Select
          label={t`Priority`}
          data={leadPriorities.toReversed().map((value) => ({ value, label: priorityNames[value] }))}
          placeholder={defaultOf(priorityNames.Medium)}
          clearable
          clearButtonProps={{ 'aria-label': t`Clear priority` }}
          {...field('priority')}
        />
        <Autocomplete
          label={t`Source`}
          // Above: below are the buttons.
          comboboxProps={{ position: 'top-start' }}
          data={choices?.sources ?? []}
          placeholder={defaultOf('Manual')}
          limit={20}
          selectFirstOptionOnChange
          maxLength={200}
          {...field('source')}
        />
        <TextInput
          label={t`Deal value`}
          placeholder="₹"
          inputMode="decimal"
          maxLength={40}
          autoComplete="off"
          {...field('deal_value')}
        />
      </SimpleGrid>
      <TagsInput
        label={t`Tags`}
        description={match ? t`Added to the existing tags` : undefined}
        placeholder={t`Press Enter after each tag`}
        maxTags={50}
        maxLength={100}
        clearable
        clearButtonProps={{ 'aria-label': t`Clear tags` }}
        {...field('tags')}
      />
      {role !== 'Agent' && (
        <Select
          label={t`Owner`}
          data={(choices?.people ?? [])
            .filter(({ active }) => active)
            .map(({ id, name, email }) => ({ value: email, label: withState(`${name} · ${email}`, id) }))}
          placeholder={defaultOf(role === 'Admin' ? t`By distribution rules, else you` : t`You`)}
          searchable
          {...enterOnlyChooses}
          nothingFoundMessage={t`No matches`}
          clearable
          clearButtonProps={{ 'aria-label': t`Clear owner` }}
          {...field('assigned_to')}
        />
      )}
      <Textarea label={t`Notes`} autosize minRows={3} maxRows={10} maxLength={20_000} {...field('notes')} />
    </>
  )
}
