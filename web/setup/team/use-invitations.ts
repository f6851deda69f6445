import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import type { PasswordLink } from '#contract/access/sign-in'
import { ApiProblem, type Data, post } from '../../platform/api/api.ts'
import { messageAtField } from '../../platform/ui/field-message.ts'
import { connectLine } from '../../telephony/phone-lines/queries.ts'
import { type Invitee, noInvitee } from './invitees.ts'
import { useUsersChanged } from './queries.ts'

export interface Row extends Invitee {
  key: number
  errors: Partial<Record<keyof Invitee, string>>
}

export interface Invited extends Pick<Invitee, 'name' | 'email' | 'phone'> {
  link: PasswordLink
  /** Why a phone number or an extension is not connected to the user. */
  lineProblems: string[]
}

export const isEmpty = ({ name, email, phone, team, extension }: Invitee) =>
  [name, email, phone, team, extension].every((part) => part.trim() === '')

let lastKey = 0
const rowOf = (invitee: Invitee): Row => ({ ...invitee, key: ++lastKey, errors: {} })

/** The users to invite, and those who are invited. One that cannot be invited stays, with the reason at its field. */
export function useInvitations() {
  const changed = useUsersChanged()
  const [rows, setRows] = useState(() => [rowOf(noInvitee)])
  const [invited, setInvited] = useState<Invited[]>([])
  const [problem, setProblem] = useState<unknown>(null)
  const [isBusy, setIsBusy] = useState(false)
  // A second press comes before the first one is drawn.
  const isSending = useRef(false)

  const without = (key: number) => (before: Row[]) => {
    const rest = before.filter((row) => row.key !== key)
    return rest.length > 0 ? rest : [rowOf(noInvitee)]
  }
  const change = (key: number, part: Partial<Row>) =>
    setRows((before) => before.map((row) => (row.key === key ? { ...row, ...part } : row)))

  const submit = async () => {
    if (isSending.current) return
    setProblem(null)
    const checked = rows.map((row) => ({ ...row, errors: rows.length > 1 && isEmpty(row) ? {} : errorsOf(row, rows) }))
    setRows(checked)
    const wrong = checked.some(({ errors }) => Object.keys(errors).length > 0)
    if (wrong) return focusFirstError()
    isSending.current = true
    setIsBusy(true)
    try {
      for (const row of checked.filter((one) => !isEmpty(one))) {
        try {
          const user = await invite(row)
          setInvited((before) => [...before, user])
          setRows(without(row.key))
        } catch (error) {
          const field = error instanceof ApiProblem ? error.field : undefined
          if (field === undefined || !(field in noInvitee)) throw error
          change(row.key, { errors: { [field]: messageAtField(error as ApiProblem) } })
        }
      }
      focusFirstError()
    } catch (error) {
      setProblem(error)
    } finally {
      isSending.current = false
      setIsBusy(false)
      void changed()
    }
  }

  return {
    rows,
    /** Adds what was read instead of empty rows, or an empty row. */
    add: (invitees: Invitee[]) =>
      setRows((before) =>
        invitees.length === 0
          ? [...before, rowOf(noInvitee)]
          : [...before.filter((row) => !isEmpty(row)), ...invitees.map(rowOf)],
      ),
    change,
    remove: (key: number) => setRows(without(key)),
    invited,
    problem,
    isBusy,
    submit,
  }
}

function errorsOf(row: Row, rows: Row[]): Row['errors'] {
  const email = row.email.trim().toLowerCase()
  const isTwice = rows.some((other) => other.key < row.key && other.email.trim().toLowerCase() === email)
  return {
    ...(row.name.trim() ? {} : { name: t`Enter a name.` }),
    ...(!/\S@\S/.test(email)
      ? { email: t`Enter the email they sign in with.` }
      : isTwice && { email: t`This email is in the list twice.` }),
  }
}

/** Once it is shown. */
const focusFirstError = () =>
  requestAnimationFrame(() => document.querySelector<HTMLElement>('form [aria-invalid=true]')?.focus())

async function invite({ email, name, role, team, phone, extension }: Row): Promise<Invited> {
  const user = { email: email.trim(), name: name.trim(), role, team: team.trim() || null }
  const link = (await post<Data<PasswordLink>>('/web/users', user)).data
  const lineProblems: string[] = []
  for (const line of [phone, extension].map((one) => one.trim()).filter(Boolean)) {
    await connectLine(line, link.user_id).catch((error: unknown) => {
      lineProblems.push(`${line}: ${error instanceof Error ? error.message : String(error)}`)
    })
  }
  return { ...user, phone: phone.trim(), link, lineProblems }
}
