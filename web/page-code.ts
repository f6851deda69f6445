import type { pages } from '#contract/platform/web-app'

/** The code of each page. It is loaded when the page is opened. */
export const pageCode = {
  signIn: () => import('./access/sign-in/SignInPage.tsx'),
  forgotten: () => import('./access/sign-in/ForgotPasswordPage.tsx'),
  join: () => import('./access/sign-in/JoinPage.tsx'),
  firstStart: () => import('./setup/first-start/FirstStartPage.tsx'),
  overview: () => import('./insight/overview/OverviewPage.tsx'),
  callQueue: () => import('./selling/call-queue/CallQueuePage.tsx'),
  today: () => import('./selling/today/TodayPage.tsx'),
  leads: () => import('./selling/lead-list/LeadsPage.tsx'),
  lead: () => import('./selling/lead-page/LeadPage.tsx'),
  leadImport: () => import('./intake/lead-import/LeadImportPage.tsx'),
  duplicates: () => import('./crm/duplicates/DuplicatesPage.tsx'),
  mergeLeads: () => import('./crm/duplicates/MergePage.tsx'),
  bulkChanges: () => import('./crm/bulk-changes/BulkChangesPage.tsx'),
  calls: () => import('./telephony/calls/CallsPage.tsx'),
  reports: () => import('./insight/reports/ReportsPage.tsx'),
  profile: () => import('./setup/settings/ProfilePage.tsx'),
  firstRequest: () => import('./setup/quick-start/QuickStartPage.tsx'),
  apiKeys: () => import('./access/api-keys/ApiKeysPage.tsx'),
  webhooks: () => import('./intake/webhooks/WebhooksPage.tsx'),
  webhook: () => import('./intake/webhooks/WebhookPage.tsx'),
  requestLog: () => import('./intake/request-log/RequestLogPage.tsx'),
  team: () => import('./setup/team/TeamPage.tsx'),
  invite: () => import('./setup/team/InvitePage.tsx'),
  distribution: () => import('./crm/distribution/DistributionPage.tsx'),
  audit: () => import('./insight/audit-page/AuditPage.tsx'),
  account: () => import('./setup/settings/AccountPage.tsx'),
} satisfies Record<Exclude<keyof typeof pages, 'start'>, () => Promise<object>>

/** What is around each page of a signed-in user. */
export const frameCode = () => import('./frame/Frame.tsx')

/** What a user works with without a connection. */
export const offlineCode = () =>
  Promise.all([pageCode.callQueue(), pageCode.today(), pageCode.leads(), pageCode.lead()])
