import type { pages } from '#contract/web-app'

/** The code of each page. It is loaded when the page is opened. */
export const pageCode = {
  signIn: () => import('./sign-in/SignInPage.tsx'),
  forgotten: () => import('./sign-in/ForgotPasswordPage.tsx'),
  join: () => import('./sign-in/JoinPage.tsx'),
  firstStart: () => import('./first-start/FirstStartPage.tsx'),
  overview: () => import('./overview/OverviewPage.tsx'),
  callQueue: () => import('./call-queue/CallQueuePage.tsx'),
  today: () => import('./today/TodayPage.tsx'),
  leads: () => import('./leads/LeadsPage.tsx'),
  lead: () => import('./leads/LeadPage.tsx'),
  leadImport: () => import('./lead-import/LeadImportPage.tsx'),
  duplicates: () => import('./duplicates/DuplicatesPage.tsx'),
  mergeLeads: () => import('./duplicates/MergePage.tsx'),
  bulkChanges: () => import('./bulk-changes/BulkChangesPage.tsx'),
  calls: () => import('./calls/CallsPage.tsx'),
  reports: () => import('./reports/ReportsPage.tsx'),
  profile: () => import('./profile/ProfilePage.tsx'),
  firstRequest: () => import('./quick-start/QuickStartPage.tsx'),
  apiKeys: () => import('./api-keys/ApiKeysPage.tsx'),
  webhooks: () => import('./webhooks/WebhooksPage.tsx'),
  webhook: () => import('./webhooks/WebhookPage.tsx'),
  requestLog: () => import('./request-log/RequestLogPage.tsx'),
  team: () => import('./team/TeamPage.tsx'),
  distribution: () => import('./distribution/DistributionPage.tsx'),
  audit: () => import('./audit/AuditPage.tsx'),
  account: () => import('./account/AccountPage.tsx'),
} satisfies Record<Exclude<keyof typeof pages, 'start'>, () => Promise<object>>

/** What is around each page of a signed-in user. */
export const frameCode = () => import('./frame/Frame.tsx')
