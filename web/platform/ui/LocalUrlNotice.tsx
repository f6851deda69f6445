import { Trans } from '@lingui/react/macro'
import { Alert, Code } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { isLocalUrl } from './local-url.ts'

/** Warns that a URL to be pasted elsewhere leads nowhere from there. */
export function LocalUrlNotice({ url }: { url: string }) {
  if (!isLocalUrl(url)) return null
  return (
    <Alert role="note" variant="default" icon={<IconAlertTriangle color="var(--amber)" />} p={12} mb={16} maw={720}>
      <Trans>
        This URL works only on this computer. Set <Code>BASE_URL</Code> to the URL that other computers open, and
        restart the service.
      </Trans>
    </Alert>
  )
}
