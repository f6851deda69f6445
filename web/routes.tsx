import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from '@tanstack/react-router'
import { pages } from '#contract/web-app'
import { ApiProblem } from './api.ts'
import { keySearch } from './api-keys/key-search.ts'
import { auditSearch } from './audit/audit-search.ts'
import { queueSearch } from './call-queue/queue-search.ts'
import { callSearch } from './calls/call-search.ts'
import { Frame } from './frame/Frame.tsx'
import { NotFound, NotFoundAlone } from './frame/NotFound.tsx'
import { PageError } from './frame/PageError.tsx'
import { leadSearch } from './leads/lead-search.ts'
import { meQuery } from './me.ts'
import { queryClient } from './query.ts'
import { languageSearch } from './quick-start/language-search.ts'
import { reportSearch } from './reports/report-search.ts'
import { count, parseSearch, stringifySearch, text } from './search.ts'
import { teamSearch } from './team/team-search.ts'
import { webhookSearch } from './webhooks/webhook-search.ts'

/** All pages, and who may open them. The code of a page is loaded when it is opened. */

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ notFoundComponent: NotFoundAlone })

const signIn = createRoute({
  getParentRoute: () => root,
  path: pages.signIn,
  validateSearch: (search: Record<string, unknown>) => ({ next: text(search, 'next') }),
  component: lazyRouteComponent(() => import('./sign-in/SignInPage.tsx'), 'SignInPage'),
})
const forgotten = createRoute({
  getParentRoute: () => root,
  path: pages.forgotten,
  component: lazyRouteComponent(() => import('./sign-in/ForgotPasswordPage.tsx'), 'ForgotPasswordPage'),
})
const join = createRoute({
  getParentRoute: () => root,
  path: pages.join,
  component: lazyRouteComponent(() => import('./sign-in/JoinPage.tsx'), 'JoinPage'),
})

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    await context.queryClient.ensureQueryData(meQuery).catch((error: unknown) => {
      if (error instanceof ApiProblem && error.status === 401)
        throw redirect({ to: '/sign-in', search: { next: location.href === '/' ? undefined : location.href } })
      throw error
    })
  },
  component: Frame,
})
const overviewPage = {
  validateSearch: (search: Record<string, unknown>) => ({ days: count(search, 'days') }),
  component: lazyRouteComponent(() => import('./overview/OverviewPage.tsx'), 'OverviewPage'),
}
/** The overview; Agents start with the leads to call, and the first Admin with the first steps. */
const start = createRoute({
  getParentRoute: () => signedIn,
  path: pages.start,
  beforeLoad: async ({ context }) => {
    const { role, first_start } = await context.queryClient.ensureQueryData(meQuery)
    if (role === 'Agent') throw redirect({ to: '/queue' })
    if (first_start === 'opens') throw redirect({ to: '/start' })
  },
  ...overviewPage,
})
const overview = createRoute({ getParentRoute: () => signedIn, path: pages.overview, ...overviewPage })
const callQueue = createRoute({
  getParentRoute: () => signedIn,
  path: pages.callQueue,
  validateSearch: queueSearch,
  component: lazyRouteComponent(() => import('./call-queue/CallQueuePage.tsx'), 'CallQueuePage'),
})
const today = createRoute({
  getParentRoute: () => signedIn,
  path: pages.today,
  validateSearch: (search: Record<string, unknown>): { of?: string | undefined } => ({ of: text(search, 'of') }),
  component: lazyRouteComponent(() => import('./today/TodayPage.tsx'), 'TodayPage'),
})
const leads = createRoute({
  getParentRoute: () => signedIn,
  path: pages.leads,
  validateSearch: leadSearch,
  component: lazyRouteComponent(() => import('./leads/LeadsPage.tsx'), 'LeadsPage'),
})
const lead = createRoute({
  getParentRoute: () => leads,
  // Of `pages.lead`, below its parent.
  path: '$leadId',
  component: lazyRouteComponent(() => import('./leads/LeadPage.tsx'), 'LeadPage'),
})
const calls = createRoute({
  getParentRoute: () => signedIn,
  path: pages.calls,
  validateSearch: callSearch,
  component: lazyRouteComponent(() => import('./calls/CallsPage.tsx'), 'CallsPage'),
})
const reports = createRoute({
  getParentRoute: () => signedIn,
  path: pages.reports,
  validateSearch: reportSearch,
  component: lazyRouteComponent(() => import('./reports/ReportsPage.tsx'), 'ReportsPage'),
})
const profile = createRoute({
  getParentRoute: () => signedIn,
  path: pages.profile,
  component: lazyRouteComponent(() => import('./profile/ProfilePage.tsx'), 'ProfilePage'),
})

const notForAgents = createRoute({
  getParentRoute: () => signedIn,
  id: 'not-for-agents',
  beforeLoad: async ({ context }) => {
    if ((await context.queryClient.ensureQueryData(meQuery)).role === 'Agent') throw notFound()
  },
})
const leadImport = createRoute({
  getParentRoute: () => notForAgents,
  path: pages.leadImport,
  component: lazyRouteComponent(() => import('./lead-import/LeadImportPage.tsx'), 'LeadImportPage'),
})
const duplicates = createRoute({
  getParentRoute: () => notForAgents,
  path: pages.duplicates,
  validateSearch: (search: Record<string, unknown>): { offset?: number | undefined } => ({
    offset: count(search, 'offset'),
  }),
  component: lazyRouteComponent(() => import('./duplicates/DuplicatesPage.tsx'), 'DuplicatesPage'),
})
const mergeLeads = createRoute({
  getParentRoute: () => notForAgents,
  path: pages.mergeLeads,
  validateSearch: (search: Record<string, unknown>): { keep?: string | undefined; other?: string | undefined } => ({
    keep: text(search, 'keep'),
    other: text(search, 'other'),
  }),
  component: lazyRouteComponent(() => import('./duplicates/MergePage.tsx'), 'MergePage'),
})

const bulkChanges = createRoute({
  getParentRoute: () => signedIn,
  path: pages.bulkChanges,
  component: lazyRouteComponent(() => import('./bulk-changes/BulkChangesPage.tsx'), 'BulkChangesPage'),
})

const forAdmins = createRoute({
  getParentRoute: () => signedIn,
  id: 'admins',
  beforeLoad: async ({ context }) => {
    if ((await context.queryClient.ensureQueryData(meQuery)).role !== 'Admin') throw notFound()
  },
})
const firstStart = createRoute({
  getParentRoute: () => forAdmins,
  path: pages.firstStart,
  component: lazyRouteComponent(() => import('./first-start/FirstStartPage.tsx'), 'FirstStartPage'),
})
const firstRequest = createRoute({
  getParentRoute: () => forAdmins,
  path: pages.firstRequest,
  validateSearch: languageSearch,
  component: lazyRouteComponent(() => import('./quick-start/QuickStartPage.tsx'), 'QuickStartPage'),
})
const apiKeys = createRoute({
  getParentRoute: () => forAdmins,
  path: pages.apiKeys,
  validateSearch: keySearch,
  component: lazyRouteComponent(() => import('./api-keys/ApiKeysPage.tsx'), 'ApiKeysPage'),
})
const webhooks = createRoute({
  getParentRoute: () => forAdmins,
  path: pages.webhooks,
  component: lazyRouteComponent(() => import('./webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
})
const webhook = createRoute({
  getParentRoute: () => forAdmins,
  path: pages.webhook,
  validateSearch: webhookSearch,
  component: lazyRouteComponent(() => import('./webhooks/WebhookPage.tsx'), 'WebhookPage'),
})
const team = createRoute({
  getParentRoute: () => signedIn,
  path: pages.team,
  beforeLoad: async ({ context }) => {
    if ((await context.queryClient.ensureQueryData(meQuery)).role === 'Agent') throw notFound()
  },
  validateSearch: teamSearch,
  component: lazyRouteComponent(() => import('./team/TeamPage.tsx'), 'TeamPage'),
})
const distribution = createRoute({
  getParentRoute: () => forAdmins,
  path: pages.distribution,
  component: lazyRouteComponent(() => import('./distribution/DistributionPage.tsx'), 'DistributionPage'),
})
const audit = createRoute({
  getParentRoute: () => forAdmins,
  path: pages.audit,
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('./audit/AuditPage.tsx'), 'AuditPage'),
})
const account = createRoute({
  getParentRoute: () => forAdmins,
  path: pages.account,
  component: lazyRouteComponent(() => import('./account/AccountPage.tsx'), 'AccountPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    forgotten,
    join,
    signedIn.addChildren([
      start,
      overview,
      callQueue,
      today,
      leads.addChildren([lead]),
      bulkChanges,
      calls,
      reports,
      profile,
      team,
      notForAgents.addChildren([leadImport, duplicates, mergeLeads]),
      forAdmins.addChildren([firstStart, firstRequest, apiKeys, webhooks, webhook, distribution, audit, account]),
    ]),
  ]),
  context: { queryClient },
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: PageError,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
