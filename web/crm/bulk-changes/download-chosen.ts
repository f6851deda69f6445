import { send } from '../../platform/api/api.ts'

/** Downloads the chosen leads as a CSV file. */
export async function downloadChosen(ids: string[]): Promise<void> {
  const response = await send('/web/leads.csv', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ids }),
  })
  const url = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = 'leads.csv'
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
