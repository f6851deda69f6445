import { send } from '../../platform/api/api.ts'
import type { ChosenFile } from '../views/use-lead-files.ts'

/** Downloads a file of the chosen leads. */
export async function downloadChosen(ids: string[], { format, ...file }: ChosenFile): Promise<void> {
  const response = await send(`/web/leads.${format}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ids, ...file }),
  })
  const url = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = `leads.${format}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
