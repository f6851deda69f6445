interface Form<Values> {
  getValues(): Values
  setFieldValue(field: string, value: string): void
  resetDirty(values: Values): void
}

/** What differs. The rest is not sent: somebody else may have changed it since the form was opened. */
export const changesOf = <Values extends object>(before: Values, after: Values): Partial<Values> =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof Values]),
    ),
  ) as Partial<Values>

/** The same with what the form showed of it (`was`): the server refuses it if somebody else changed that meanwhile. */
export function changesSince<Values extends object>(before: Values, after: Values): Partial<Values> & { was?: object } {
  const changes = changesOf(before, after)
  const fields = Object.keys(changes)
  if (fields.length === 0) return changes
  return { ...changes, was: Object.fromEntries(Object.entries(before).filter(([field]) => fields.includes(field))) }
}

/** The form begins anew with what was saved, but for the fields that were changed since it was sent. */
export function takeSaved<Values extends Record<string, string>>(
  form: Form<NoInfer<Values>>,
  sent: Values,
  saved: Values,
) {
  const changedSince = changesOf(sent, form.getValues())
  // One field at a time: the others keep their focus.
  for (const [field, value] of Object.entries(saved)) if (!(field in changedSince)) form.setFieldValue(field, value)
  form.resetDirty(saved)
}
