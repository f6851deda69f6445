import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Autocomplete, Box, Button, Group, Input, Stack } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useId } from 'react'
import type { KnownQuestion, Rule } from '#contract/crm/distribution'
import { KnownValuesField } from '../leads/KnownValuesField.tsx'

type Conditions = Rule['answers']

interface Props {
  conditions: Conditions
  onChange(conditions: Conditions): void
  /** Questions with the answers of the newest leads. */
  known: KnownQuestion[]
  error?: string | undefined
}

/** Edits the questions of a rule, each with answers of which a lead gave one. */
export function AnswersField({ conditions, onChange, known, error }: Props) {
  const labelId = useId()
  const change = (index: number, changed: Partial<Conditions[number]>) =>
    onChange(conditions.map((one, at) => (at === index ? { ...one, ...changed } : one)))
  const answersTo = (question: string) =>
    known.find((one) => one.question.toLowerCase() === question.trim().toLowerCase())?.answers
  return (
    <Box role="group" aria-labelledby={labelId}>
      <Input.Label id={labelId} labelElement="div">
        {t`Answers`}
      </Input.Label>
      <Input.Description>{t`What the person answered to a question of the form.`}</Input.Description>
      <Stack gap={12} mt={conditions.length > 0 ? 8 : 0}>
        {conditions.map(({ question, answers }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a condition has no other name while its question is typed
          <Stack key={index} gap={4}>
            <Group gap={4} wrap="nowrap">
              <Autocomplete
                aria-label={t`Question ${{ number: index + 1 }}`}
                placeholder={t`Question`}
                data={known.map((one) => one.question)}
                flex={1}
                maxLength={500}
                value={question}
                onChange={(question) => change(index, { question })}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size={32}
                aria-label={t`Remove question ${{ number: index + 1 }}`}
                onClick={() => onChange(conditions.filter((_, at) => at !== index))}
              >
                <IconX size={16} />
              </ActionIcon>
            </Group>
            <KnownValuesField
              aria-label={t`Answers to question ${{ number: index + 1 }}`}
              placeholder={answers.length === 0 ? t`One of these answers` : undefined}
              known={answersTo(question)}
              maxKnown={maxAnswers}
              maxTags={200}
              maxLength={500}
              value={answers}
              onChange={(answers) => change(index, { answers })}
            />
          </Stack>
        ))}
      </Stack>
      {error && <Input.Error mt={4}>{error}</Input.Error>}
      <Button
        mt={8}
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} />}
        disabled={conditions.length >= maxConditions}
        onClick={() => onChange([...conditions, { question: '', answers: [] }])}
      >
        <Trans>Add question</Trans>
      </Button>
    </Box>
  )
}

const maxConditions = 20
/** The server lists the most frequent ones. */
const maxAnswers = 20
