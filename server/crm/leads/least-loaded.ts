/** Returns a function that names the owner with the fewest open leads, and counts one more for them. Of equals, the first one is next. */
export function leastLoaded<Owner extends { id: string | null }>(
  owners: Owner[],
  openLeads: ReadonlyMap<string, number>,
): () => Owner {
  const loads = owners.map((owner) => ({ owner, open: openLeads.get(owner.id ?? '') ?? 0 }))
  return () => {
    const next = loads.reduce((least, other) => (other.open < least.open ? other : least))
    next.open++
    return next.owner
  }
}
