import { ApiProblem } from '../api.ts'

interface Form {
  setFieldError(field: string, message: string): void
  getInputNode(field: string): HTMLElement | null
}

/**
 * Puts a refusal beside the field it names and takes the reader there; answers what belongs to no field of the form, to
 * be shown above its button, else null.
 */
export function problemOfForm(form: Form, fields: readonly string[], error: unknown): unknown {
  if (!(error instanceof ApiProblem) || !error.field) return error
  const field = fields.find((name) => name === error.field || error.field?.startsWith(`${name}.`))
  if (!field) return error
  form.setFieldError(field, error.message)
  form.getInputNode(field)?.focus()
  return null
}

/** For `form.onSubmit`: takes who may not send the form yet to the first field that says why. */
export const toFirstProblem =
  (form: { getInputNode(path: string): Element | null }, fields: readonly string[]) => (errors: object) => {
    const first = form.getInputNode(fields.find((field) => field in errors) ?? '')
    const input = first?.matches('input') ? first : first?.querySelector('input')
    if (input instanceof HTMLElement) input.focus()
  }
