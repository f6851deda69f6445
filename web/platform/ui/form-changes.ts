interface Form<Values> {
  getValues(): Values
  setFieldValue(field: string, value: string | boolean): void
  resetDirty(values: Values): void
}

/** Returns the changed fields. The others are not sent: another user may have changed them. */
export const changedValues = <Values extends object>(before: Values, after: Values): Partial<Values> =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof Values]),
    ),
  ) as Partial<Values>

/** Adds the previous values (`was`): the server rejects the change if another user changed them meanwhile. */
export function changesSince<Values extends object>(before: Values, after: Values): Partial<Values> & { was?: object } {
  const changes = changedValues(before, after)
  const fields = Object.keys(changes)
  if (fields.length === 0) return changes
  return { ...changes, was: Object.fromEntries(Object.entries(before).filter(([field]) => fields.includes(field))) }
}

/** Resets the form to the saved values, except for fields that were changed since it was sent. */
export function takeSaved<Values extends Record<string, string | boolean>>(
  form: Form<NoInfer<Values>>,
  sent: Values,
  saved: Values,
) {
  const changedSince = changedValues(sent, form.getValues())
  // One field at a time: the others keep their focus.
  for (const [field, value] of Object.entries(saved)) if (!(field in changedSince)) form.setFieldValue(field, value)
  form.resetDirty(saved)
}
