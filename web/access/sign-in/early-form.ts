import { t } from '@lingui/core/macro'
import type { SignInOptions } from '#contract/access/sign-in'

/** What was typed into the form that is drawn before the app is there. */
interface Typed {
  email: string
  password: string
  /** The field that has the focus. */
  focus: 'email' | 'password' | null
  isSubmitted: boolean
  /** Removes the form: the one of the app is there. */
  remove(): void
}

const names = ['email', 'password'] as const
let form: HTMLFormElement | null = null
let isSubmitted = false

/** Draws fields for email and password while the app loads, which takes seconds on a slow network. The app takes over what was typed. */
export function drawEarlyForm({ is_set_up, single_sign_on }: SignInOptions): void {
  const waiting = document.getElementById('waiting')
  if (!waiting || !is_set_up || single_sign_on?.only || document.querySelector('#root main')) return
  form = document.createElement('form')
  form.noValidate = true
  const title = document.createElement('h1')
  title.textContent = t`Sign in`
  const button = document.createElement('button')
  button.textContent = t`Sign in`
  form.append(title, field('email', t`Email`, 'username'), field('password', t`Password`, 'current-password'), button)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    isSubmitted = true
    button.disabled = true
  })
  waiting.replaceChildren(form)
  form.querySelector('input')?.focus()
}

function field(name: (typeof names)[number], text: string, autocomplete: AutoFill) {
  const label = document.createElement('label')
  const input = document.createElement('input')
  Object.assign(input, { name, type: name, autocomplete })
  label.append(text, input)
  return label
}

/** Returns what was typed, once. */
export function takeEarlyForm(): Typed | null {
  if (!form) return null
  const early = form
  const inputOf = (name: string) => early.elements.namedItem(name) as HTMLInputElement
  const typed = {
    email: inputOf('email').value,
    password: inputOf('password').value,
    focus: names.find((name) => inputOf(name) === document.activeElement) ?? null,
    isSubmitted,
    remove: () => early.remove(),
  }
  form = null
  return typed
}
