import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { maxTextLength, type NewQuickReply, placeholders, type QuickReply } from '#contract/telephony/quick-replies'
import { useMe } from '../../access/account/me.ts'
import { FormActions } from '../../platform/ui/FormActions.tsx'
import { FormModal } from '../../platform/ui/FormModal.tsx'
import { changesSince } from '../../platform/ui/form-changes.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { fillReply } from './fill-reply.ts'
import styles from './QuickReplies.module.css'
import { type Holder, quickReplyChanges } from './queries.ts'

interface Props {
  of: Holder
  /** Undefined: the dialog is closed. */
  edited: QuickReply | 'new' | undefined
  onClose(): void
}

export function QuickReplyDialog({ of, edited, onClose }: Props) {
  return (
    <FormModal
      opened={edited !== undefined}
      onClose={onClose}
      title={edited === 'new' ? t`Add quick reply` : t`Edit quick reply`}
      size={560}
    >
      {edited && <QuickReplyForm of={of} reply={edited === 'new' ? undefined : edited} onClose={onClose} />}
    </FormModal>
  )
}

interface FormProps {
  of: Holder
  reply: QuickReply | undefined
  onClose(): void
}

function QuickReplyForm({ of, reply, onClose }: FormProps) {
  const { add, change } = quickReplyChanges(of)
  const area = useRef<HTMLTextAreaElement>(null)
  const before: NewQuickReply = { title: reply?.title ?? '', text: reply?.text ?? '' }
  const { form, saving, submit, problem } = useSaveForm<NewQuickReply, void>({
    // For the preview.
    mode: 'controlled',
    initialValues: before,
    validate: {
      title: (title) => (title.trim() ? null : t`Enter a title.`),
      text: (text) => (text.trim() ? null : t`Enter a text.`),
    },
    save: async (values) => {
      const after = { title: values.title.trim(), text: values.text.trim() }
      await (reply ? change(reply.id, changesSince(before, after)) : add(after))
      onClose()
      notify(t`Saved “${{ title: after.title }}”`)
    },
  })
  const { text } = form.getValues()

  /** Puts it where the cursor is. */
  const insert = (placeholder: string) => {
    const { selectionStart = text.length, selectionEnd = text.length } = area.current ?? {}
    const changed = text.slice(0, selectionStart) + placeholder + text.slice(selectionEnd)
    if (changed.length > maxTextLength) return
    form.setFieldValue('text', changed)
    setTimeout(() => {
      area.current?.focus()
      area.current?.setSelectionRange(selectionStart + placeholder.length, selectionStart + placeholder.length)
    })
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        <TextInput
          label={t`Title`}
          required
          maxLength={200}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('title')}
        />
        <div>
          <Textarea
            ref={area}
            label={t`Text`}
            description={t`Placeholders: the lead’s first name, their whole name, your name, the name of the account.`}
            required
            autosize
            minRows={3}
            maxRows={10}
            maxLength={maxTextLength}
            {...form.getInputProps('text')}
          />
          <Group gap={8} mt={8}>
            {placeholders.map((one) => (
              <Button
                key={one}
                variant="default"
                size="compact-sm"
                mih={32}
                aria-label={t`Insert ${{ placeholder: `{${one}}` }}`}
                onClick={() => insert(`{${one}}`)}
              >{`{${one}}`}</Button>
            ))}
          </Group>
        </div>
        {text.trim() && <Preview text={text} />}
        <FormActions problem={problem} onCancel={onClose} action={t`Save quick reply`} busy={saving.isPending} />
      </Stack>
    </form>
  )
}

const exampleName = 'Meera Iyer'

function Preview({ text }: { text: string }) {
  const me = useMe()
  const shown = (name: string | null) => fillReply(text, { name, agent: me.name, company: me.account.name })
  return (
    <dl className={styles.preview} aria-label={t`Preview`}>
      <dt>
        <Trans>Preview for {exampleName}</Trans>
      </dt>
      <dd>{shown(exampleName)}</dd>
      {/\{(first_)?name\}/i.test(text) && (
        <>
          <dt>
            <Trans>Preview for a lead without a name</Trans>
          </dt>
          <dd>{shown(null)}</dd>
        </>
      )}
    </dl>
  )
}
