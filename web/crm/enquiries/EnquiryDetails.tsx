import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Text } from '@mantine/core'
import type { Consent, Enquiry, Origin, OriginPart } from '#contract/crm/enquiries'
import { originParts } from '#contract/crm/enquiries'
import { Answers } from './Answers.tsx'
import { DoNotCall } from './DoNotCall.tsx'
import styles from './Enquiry.module.css'
import { originNames } from './origin-names.ts'
import { PageLink } from './PageLink.tsx'

/** What is shown at once, and not with the details of the origin. */
const shownParts: readonly OriginPart[] = ['campaign', 'ad_set', 'ad', 'form', 'keyword', 'page_url']

type Content = Pick<Enquiry, 'origin' | 'answers' | 'consent' | 'omitted'> &
  Partial<Pick<Enquiry, 'message' | 'earlier'>>

/** An enquiry in full: what was asked for first, then where it came from. */
export function EnquiryDetails({ enquiry }: { enquiry: Content }) {
  const { origin, answers, message, consent, omitted, earlier = 0 } = enquiry
  return (
    <div className={styles.details}>
      {consent?.do_not_call && <DoNotCall mark={consent.do_not_call} />}
      {origin.product && <p className={styles.product}>{origin.product}</p>}
      <Answers answers={answers} />
      {omitted > 0 && (
        <Text c="dimmed">{plural({ omitted }, { one: 'and # more answer', other: 'and # more answers' })}</Text>
      )}
      {message && <p className={styles.message}>{message}</p>}
      <OriginLine origin={origin} />
      {consent && <ConsentText consent={consent} />}
      <OriginDetails origin={origin} />
      {earlier > 0 && (
        <Text size="xs" c="dimmed">
          {plural(
            { earlier },
            { one: '# older enquiry is no longer stored.', other: '# older enquiries are no longer stored.' },
          )}
        </Text>
      )}
    </div>
  )
}

/** Campaign, ad and form as people name them, and the page. */
function OriginLine({ origin }: { origin: Origin }) {
  const { campaign, ad_set, ad, form, keyword, page_url } = origin
  const names = [...new Set([campaign, ad_set, ad, form, keyword])].filter((name) => name !== undefined)
  if (names.length === 0 && !page_url) return null
  return (
    <p className={styles.origin}>
      {names.map((name) => (
        <span key={name}>{name}</span>
      ))}
      {page_url && <PageLink url={page_url} />}
    </p>
  )
}

function OriginDetails({ origin }: { origin: Origin }) {
  const parts = originParts.filter((part) => origin[part] !== undefined && part !== 'product')
  if (parts.every((part) => shownParts.includes(part))) return null
  return (
    <details className={styles.fold}>
      <summary>
        <Trans>Details of the origin</Trans>
      </summary>
      <dl className={styles.facts}>
        {parts.map((part) => (
          <div key={part}>
            <dt>{originNames[part]}</dt>
            <dd>{origin[part]}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function ConsentText({ consent: { statements, at, page } }: { consent: Consent }) {
  if (statements.length === 0 && !at && !page) return null
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{t`Consent`}</dt>
        <dd>
          {statements.map(({ text, choice }) => (
            <p key={`${text} ${choice}`}>
              {text !== null && choice !== null
                ? `${text} — ${choiceText(choice)}`
                : (text ?? choiceText(choice ?? ''))}
            </p>
          ))}
          {(at || page) && (
            <p className={styles.origin}>
              {at && <span>{at}</span>}
              {page && <PageLink url={page} />}
            </p>
          )}
        </dd>
      </div>
    </dl>
  )
}

/** A box that was ticked or not is stored in English. */
const choiceText = (choice: string) => (choice === 'Yes' ? t`Yes` : choice === 'No' ? t`No` : choice)
