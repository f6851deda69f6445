import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import type { Language } from '#contract/platform/languages'
import { put } from '../../platform/api/api.ts'
import { LanguageChoice } from '../../platform/languages/LanguageChoice.tsx'
import { showIn } from '../../platform/languages/language.ts'
import { notifyProblem } from '../../platform/ui/notify.tsx'
import { Section } from '../../platform/ui/Section.tsx'

export function OwnLanguage() {
  const save = useMutation({
    mutationFn: async (language: Language) => {
      await put('/web/me/language', { language })
      showIn(language)
    },
    onError: notifyProblem,
  })
  return (
    <Section title={t`Language`} about={t`For pages, and for the emails and notifications that you get.`}>
      <LanguageChoice
        aria-label={t`Language`}
        maw={240}
        disabled={save.isPending}
        onChange={(language) => save.mutate(language)}
      />
    </Section>
  )
}
