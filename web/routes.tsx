import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from '@tanstack/react-router'
import { pages } from '#contract/platform/web-app'
import { meQuery } from './access/account/me.ts'
import { keySearch } from './access/api-keys/key-search.ts'
import { auditSearch } from './access/audit/audit-search.ts'
import { signInSearch } from './access/sign-in/sign-in-search.ts'
import { leadSearch } from './crm/leads/lead-search.ts'
import { FrameError, PageError } from './frame/PageError.tsx'
import { reportSearch } from './insight/reports/report-search.ts'
import { requestSearch } from './intake/request-log/request-search.ts'
import { webhookListSearch, webhookSearch } from './intake/webhooks/webhook-search.ts'
import { frameCode, offlineCode, pageCode } from './page-code.ts'
import { ApiProblem } from './platform/api/api.ts'
import { queryClient } from './platform/api/query.ts'
import { count, parseSearch, stringifySearch, text } from './platform/api/search.ts'
import './platform/ui/back-closes.ts'
import { NotFound, NotFoundAlone } from './platform/ui/NotFound.tsx'
import { keepCodeSoon } from './platform/web-app/keep-app.ts'
import { queueSearch } from './selling/call-queue/queue-search.ts'
import { languageSearch } from './setup/quick-start/language-search.ts'
import { inviteSearch, teamSearch } from './setup/team/team-search.ts'
import { callSearch } from './telephony/calls/call-search.ts'

/** All pages, and who may open them. The code of a page is loaded when it is opened. */

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ notFoundComponent: NotFoundAlone })

const signIn = createRoute({
  getParentRoute: () => root,
  path: pages.signIn,
  validateSearch: signInSearch,
  component: lazyRouteComponent(pageCode.signIn, 'SignInPage'),
})
const forgotten = createRoute({
  getParentRoute: () => root,
  path: pages.forgotten,
  component: lazyRouteComponent(pageCode.forgotten, 'ForgotPasswordPage'),
})
const join = createRoute({
  getParentRoute: () => root,
  path: pages.join,
  component: lazyRouteComponent(pageCode.join, 'JoinPage'),
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
    // Without a connection, there is nothing to keep.
    void keepCodeSoon(offlineCode).catch(() => {})
  },
  component: lazyRouteComponent(frameCode, 'Frame'),
  errorComponent: FrameError,
})
const overviewPage = {
  validateSearch: (search: Record<string, unknown>) => ({ days: count(search, 'days') }),
  component: lazyRouteComponent(pageCode.overview, 'OverviewPage'),
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
  component: lazyRouteComponent(pageCode.callQueue, 'CallQueuePage'),
})
const today = createRoute({
  getParentRoute: () => signedIn,
  path: pages.today,
  validateSearch: (search: Record<string, unknown>): { of?: string | undefined } => ({ of: text(search, 'of') }),
  component: lazyRouteComponent(pageCode.today, 'TodayPage'),
})
const leads = createRoute({
  getParentRoute: () => signedIn,
  path: pages.leads,
  validateSearch: leadSearch,
  component: lazyRouteComponent(pageCode.leads, 'LeadsPage'),
})
const lead = createRoute({
  getParentRoute: () => leads,
  // The rest of `pages.lead`, below its parent.
  path: '$leadId',
  component: lazyRouteComponent(pageCode.lead, 'LeadPage'),
})
const calls = createRoute({
  getParentRoute: () => signedIn,
  path: pages.calls,
  validateSearch: callSearch,
  component: lazyRouteComponent(pageCode.calls, 'CallsPage'),
})
const reports = createRoute({
  getParentRoute: () => signedIn,
  path: pages.reports,
  validateSearch: reportSearch,
  component: lazyRouteComponent(pageCode.reports, 'ReportsPage'),
})
const profile = createRoute({
  getParentRoute: () => signedIn,
  path: pages.profile,
  component: lazyRouteComponent(pageCode.profile, 'ProfilePage'),
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
  component: lazyRouteComponent(pageCode.leadImport, 'LeadImportPage'),
})
const duplicates = createRoute({
  getParentRoute: () => notForAgents,
  path: pages.duplicates,
  validateSearch: (search: Record<string, unknown>): { offset?: number | undefined } => ({
    offset: count(search, 'offset'),
  }),
  component: lazyRouteComponent(pageCode.duplicates, 'DuplicatesPage'),
})
interface MergeSearch {
  keep?: string | undefined
  other?: string | undefined
  /** The place of the pair in the list of possible duplicates, from 1, if it was opened from there. */
  pair?: number | undefined
  /** How many pairs left the list since then. */
  done?: number | undefined
}
const mergeLeads = createRoute({
  getParentRoute: () => notForAgents,
  path: pages.mergeLeads,
  validateSearch: (search: Record<string, unknown>): MergeSearch => ({
    keep: text(search, 'keep'),
    other: text(search, 'other'),
    pair: count(search, 'pair'),
    done: count(search, 'done'),
  }),
  component: lazyRouteComponent(pageCode.mergeLeads, 'MergePage'),
})

const bulkChanges = createRoute({
  getParentRoute: () => signedIn,
  path: pages.bulkChanges,
  component: lazyRouteComponent(pageCode.bulkChanges, 'BulkChangesPage'),
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
  component: lazyRouteComponent(pageCode.firstStart, 'FirstStartPage'),
})
const firstRequest = createRoute({
  getParentRoute: () => forAdmins,
  path: pages.firstRequest,
  validateSearch: languageSearch,
  component: lazyRouteComponent(pageCode.firstRequest, 'QuickStartPage'),
})
const apiKeys = createRoute({
  getParentRoute: () => forAdmins,
  path: pages.apiKeys,
  validateSearch: keySearch,
  component: lazyRouteComponent(pageCode.apiKeys, 'ApiKeysPage'),
})
const webhooks = createRoute({
  getParentRoute: () => forAdmins,
  path: pages.webhooks,
  validateSearch: webhookListSearch,
  component: lazyRouteComponent(pageCode.webhooks, 'WebhooksPage'),
})
const webhook = createRoute({
  getParentRoute: () => forAdmins,
  path: pages.webhook,
  validateSearch: webhookSearch,
  component: lazyRouteComponent(pageCode.webhook, 'WebhookPage'),
})
const requestLog = createRoute({
  getParentRoute: () => forAdmins,
  path: pages.requestLog,
  validateSearch: requestSearch,
  component: lazyRouteComponent(pageCode.requestLog, 'RequestLogPage'),
})
const team = createRoute({
  getParentRoute: () => signedIn,
  path: pages.team,
  beforeLoad: async ({ context }) => {
    if ((await context.queryClient.ensureQueryData(meQuery)).role === 'Agent') throw notFound()
  },
  validateSearch: teamSearch,
  component: lazyRouteComponent(pageCode.team, 'TeamPage'),
})
const invite = createRoute({
  getParentRoute: () => forAdmins,
  path: pages.invite,
  validateSearch: inviteSearch,
  component: lazyRouteComponent(pageCode.invite, 'InvitePage'),
})
const distribution = createRoute({
  getParentRoute: () => forAdmins,
  path: pages.distribution,
  validateSearch: (search: Record<string, unknown>): { search?: string | undefined } => ({
    search: text(search, 'search'),
  }),
  component: lazyRouteComponent(pageCode.distribution, 'DistributionPage'),
})
const audit = createRoute({
  getParentRoute: () => forAdmins,
  path: pages.audit,
  validateSearch: auditSearch,
  component: lazyRouteComponent(pageCode.audit, 'AuditPage'),
})
const account = createRoute({
  getParentRoute: () => forAdmins,
  path: pages.account,
  component: lazyRouteComponent(pageCode.account, 'AccountPage'),
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
      forAdmins.addChildren([
        firstStart,
        firstRequest,
        apiKeys,
        webhooks,
        webhook,
        requestLog,
        invite,
        distribution,
        audit,
        account,
      ]),
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
