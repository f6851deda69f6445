import { type UseFormInput, useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiProblem } from '../api/api.ts'
import { messageAtField } from './field-message.ts'

interface Options<Values, Saved> extends UseFormInput<Values> {
  initialValues: Values
  save(values: Values): Promise<Saved>
  onSaved?(saved: Saved, values: Values): unknown
}

/**
 * A form that is saved on the server. An error that names a field is shown at that field, which gets the focus.
 * `problem` is any other error, to be shown above the button.
 */
export function useSaveForm<Values extends object, Saved>({ save, onSaved, ...options }: Options<Values, Saved>) {
  const form = useForm<Values>({ mode: 'uncontrolled', ...options })
  const fields = Object.keys(options.initialValues)
  const [problem, setProblem] = useState<unknown>(null)
  // A second press comes before the first one is drawn.
  const isSaving = useRef(false)
  const clearProblem = () => setProblem(null)
  const saving = useMutation({
    mutationFn: save,
    onMutate: clearProblem,
    onSuccess: (saved, values) => onSaved?.(saved, values),
    onSettled: () => {
      isSaving.current = false
    },
    onError: (error) => {
      const field = fieldOf(error, fields)
      if (!field) return setProblem(error)
      form.setFieldError(field, messageAtField(error as ApiProblem))
      form.getInputNode(field)?.focus()
    },
  })
  const submit = form.onSubmit(
    (values) => {
      if (isSaving.current) return
      isSaving.current = true
      saving.mutate(values)
    },
    (errors) => {
      clearProblem()
      focusFirst(form.getInputNode(fields.find((field) => field in errors) ?? ''))
    },
  )
  return { form, saving, submit, problem, clearProblem }
}

/** Returns the field of the form that the server names, as `tags` in `tags.3`. */
function fieldOf(error: unknown, fields: string[]): string | undefined {
  const named = error instanceof ApiProblem ? error.field : undefined
  return fields.find((field) => field === named || named?.startsWith(`${field}.`))
}

/** Focuses the input, or the first one of a group such as radio buttons. */
function focusFirst(node: Element | null) {
  const input = node?.matches('input') ? node : node?.querySelector('input')
  if (input instanceof HTMLElement) input.focus()
}
