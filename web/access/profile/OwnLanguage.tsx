import { t } from '@lingui/core/macro'
import { put } from '../../platform/api/api.ts'
import { LanguageChoice } from '../../platform/languages/LanguageChoice.tsx'
import { changeTo } from '../../platform/languages/language.ts'
import { Section } from '../../platform/ui/Section.tsx'

export function OwnLanguage() {
  return (
    <Section title={t`Language`} about={t`For pages, and for the emails and notifications that you get.`}>
      <LanguageChoice
        aria-label={t`Language`}
        maw={240}
        onChange={async (language) => {
          await put('/web/me/language', { language })
          await changeTo(language)
        }}
      />
    </Section>
  )
}
