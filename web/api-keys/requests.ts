import type { Permission } from '#contract/api-keys'

/** A lead that whoever tries a key may send: themselves. */
export interface TrialLead {
  name: string
  email: string
}

export const addressOf = (path: string) => `${location.origin}/api/v1${path}`

/** Within single quotes of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

export const curlToPost = (key: string, path: string, body: object) =>
  [
    `curl ${addressOf(path)}`,
    `-H 'Authorization: Bearer ${key}'`,
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(JSON.stringify(body))}`,
  ].join(' \\\n  ')

/** A line that tries a key without harm, if what it may do leaves such a one. */
export function trialOf(key: string, permissions: readonly Permission[], lead: TrialLead) {
  if (permissions.includes('read'))
    return {
      line: `curl '${addressOf('/leads?limit=1')}' \\\n  -H 'Authorization: Bearer ${key}'`,
      about: 'Try it: this line asks for the newest lead.',
    }
  if (permissions.includes('write'))
    return {
      line: curlToPost(key, '/leads', lead),
      about: 'Try it: this line creates a lead with your own name and email.',
    }
  return {
    line: `curl -X DELETE '${addressOf('/leads/LEAD_ID')}' \\\n  -H 'Authorization: Bearer ${key}'`,
    about: 'This line deletes a lead for good. Put its id in the place of LEAD_ID.',
  }
}
