import '#fonts/fonts.css'
import './platform/ui/mantine-first.css'
import './platform/ui/main.css'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { leadFieldName } from './crm/leads/lead-words.ts'
import { queryClient } from './platform/api/query.ts'
import { onNewSession } from './platform/api/session.ts'
import { shownLanguage } from './platform/languages/language.ts'
import { nameFields } from './platform/ui/field-message.ts'
import { cssVariables, theme } from './platform/ui/theme.ts'
import { startWorker } from './platform/web-app/keep-app.ts'
import { router } from './routes.tsx'
import { sentEndpoint } from './selling/notifications/sent-endpoint.ts'

/** The nonce with which the content security policy allows style elements. The server makes one per page. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
setNonce(nonce)

// Messages of the server name fields as the API does: English ones become words by themselves.
if (shownLanguage !== 'en') nameFields(leadFieldName)

onNewSession(sentEndpoint.forget)

void startWorker().catch(() => {})

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </I18nProvider>
  </StrictMode>,
)
