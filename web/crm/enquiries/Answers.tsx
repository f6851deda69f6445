import { type Answer, questionText } from '#contract/crm/enquiries'
import styles from './Enquiry.module.css'

/** Questions with their answers, each in one line if there is room. */
export function Answers({ answers }: { answers: Answer[] }) {
  if (answers.length === 0) return null
  return (
    <dl className={styles.answers}>
      {answers.map(({ question, answer }) => (
        <div key={question}>
          <dt>{questionText(question)}</dt>
          <dd>{answer}</dd>
        </div>
      ))}
    </dl>
  )
}
