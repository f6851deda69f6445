import { t } from '@lingui/core/macro'
import type { Permission } from '#contract/access/api-keys'

/** The lead of the example requests: the signed-in user. */
export interface ExampleLead {
  name: string
  email: string
}

export const apiUrl = (path: string) => `${location.origin}/api/v1${path}`

/** Quotes text for a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

export const curlToPost = (key: string, path: string, body: object) =>
  [
    `curl ${apiUrl(path)}`,
    `-H 'Authorization: Bearer ${key}'`,
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(JSON.stringify(body))}`,
  ].join(' \\\n  ')

/** Returns a command to try a key with. It changes nothing if the key may read. */
export function tryKeyCommand(key: string, permissions: readonly Permission[], lead: ExampleLead) {
  if (permissions.includes('read'))
    return {
      command: `curl '${apiUrl('/leads?limit=1')}' \\\n  -H 'Authorization: Bearer ${key}'`,
      about: t`Try it: this command reads the newest lead.`,
    }
  if (permissions.includes('write'))
    return {
      command: curlToPost(key, '/leads', lead),
      about: t`Try it: this command creates a lead with your name and email.`,
    }
  return {
    command: `curl -X DELETE '${apiUrl('/leads/LEAD_ID')}' \\\n  -H 'Authorization: Bearer ${key}'`,
    about: t`This command permanently deletes a lead. Replace LEAD_ID with its id.`,
  }
}
