/** What was changed in a form: to send the rest too would put back what somebody else has changed meanwhile. */
export function changedFields<Fields extends object>(before: Fields, after: Fields): Partial<Fields> {
  const changed = (name: string) => {
    const [was, is] = [before, after].map((fields) => JSON.stringify(fields[name as keyof Fields]))
    return was !== is
  }
  return Object.fromEntries(Object.entries(after).filter(([name]) => changed(name))) as Partial<Fields>
}
