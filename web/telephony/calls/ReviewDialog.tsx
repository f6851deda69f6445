import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Radio, Stack, Textarea } from '@mantine/core'
import { type CallPreview, type CallReview, maxRemarkLength, reviewMarks } from '#contract/telephony/calls'
import { useMe } from '../../access/account/me.ts'
import { refreshLeads } from '../../crm/leads/queries.ts'
import { put, remove } from '../../platform/api/api.ts'
import { Modal } from '../../platform/ui/Dialog.tsx'
import { FormActions } from '../../platform/ui/FormActions.tsx'
import { FormModal } from '../../platform/ui/FormModal.tsx'
import { notify, notifyProblem } from '../../platform/ui/notify.tsx'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { mayReview } from './may-correct.ts'
import { ReviewNote } from './ReviewNote.tsx'
import { reviewMarkNames } from './review-words.ts'

interface Props {
  call: Pick<CallPreview, 'id' | 'review'>
  title: string
  opened: boolean
  onClose(): void
}

/** Shows the review of a call. Managers and Admins change it. */
export default function ReviewDialog({ call, title, opened, onClose }: Props) {
  const { review } = call
  if (!mayReview(useMe()))
    return (
      <Modal opened={opened} onClose={onClose} title={title}>
        {review && <ReviewNote review={review} />}
      </Modal>
    )
  return (
    <FormModal opened={opened} onClose={onClose} title={title}>
      <Form call={call} onEnd={onClose} />
    </FormModal>
  )
}

const save = (id: string, { mark, remark }: Pick<CallReview, 'mark' | 'remark'>) =>
  put(`/web/calls/${id}/review`, { mark, remark })

function Form({ call: { id, review }, onEnd }: { call: Props['call']; onEnd(): void }) {
  const { form, saving, submit, problem } = useSaveForm({
    initialValues: { mark: review?.mark ?? '', remark: review?.remark ?? '' },
    validate: { mark: (mark) => (mark === '' ? t`Choose a mark` : null) },
    save: ({ mark, remark }) => save(id, { mark: mark as CallReview['mark'], remark: remark.trim() || null }),
    onSaved: () => {
      notify(t`Review saved`)
      onEnd()
      return refreshLeads()
    },
  })
  const removeReview = async (former: CallReview) => {
    try {
      await remove(`/web/calls/${id}/review`)
      onEnd()
      await refreshLeads()
      notify(t`Review removed`, () => save(id, former).then(refreshLeads))
    } catch (error) {
      notifyProblem(error)
    }
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        <Radio.Group label={t`Mark`} key={form.key('mark')} {...form.getInputProps('mark')}>
          <Group gap={24} mt={8}>
            {reviewMarks.map((mark) => (
              <Radio key={mark} value={mark} label={reviewMarkNames[mark]} />
            ))}
          </Group>
        </Radio.Group>
        <Textarea
          label={t`Remark`}
          description={t`The user who called sees the review, and so do Managers and Admins.`}
          autosize
          minRows={3}
          maxRows={10}
          maxLength={maxRemarkLength}
          key={form.key('remark')}
          {...form.getInputProps('remark')}
        />
        {review && (
          <Button variant="subtle" color="red.9" size="compact-sm" mih={32} onClick={() => void removeReview(review)}>
            <Trans>Remove review</Trans>
          </Button>
        )}
        <FormActions problem={problem} onCancel={onEnd} action={t`Save review`} busy={saving.isPending} />
      </Stack>
    </form>
  )
}
