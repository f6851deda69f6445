import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { maxUsers } from '../server/access/account/store.ts'
import { maxKeys } from '../server/access/api-keys/store.ts'
import { maxExported } from '../server/access/audit/export-audit.ts'
import { freeAttempts } from '../server/access/sign-in/slow-guesses.ts'
import { heavyRoutes } from '../server/access/sign-in/web-limits.ts'
import { maxAbsences } from '../server/crm/availability/contract.ts'
import { maxLeaveDays } from '../server/crm/availability/store.ts'
import { maxAssignees, maxLeads as maxBulkLeads } from '../server/crm/bulk-changes/contract.ts'
import { maxLeadsPerDay, maxUnfinished } from '../server/crm/bulk-changes/start.ts'
import { maxRuleLength, maxRules } from '../server/crm/distribution/store.ts'
import { maxMoved } from '../server/crm/duplicates/belongings.ts'
import { maxPossibleDuplicates } from '../server/crm/duplicates/contract.ts'
import { maxChosenLeads, maxContactText } from '../server/crm/leads/contract.ts'
import {
  leadFields,
  maxOtherContacts,
  maxTagLength,
  maxTags,
  maxTagsAtOnce,
  type TextField,
  textFieldNames,
} from '../server/crm/leads/fields.ts'
import { maxWithTag } from '../server/crm/leads/lead-filters.ts'
import { maxCalls, maxEntries, timelineBytes } from '../server/crm/leads/lead-page.ts'
import { maxOffset } from '../server/crm/leads/list-changes.ts'
import { maxScanOffset, maxSearchOffset, maxSorted } from '../server/crm/leads/list-leads.ts'
import { maxByPrefix } from '../server/crm/leads/match-search.ts'
import { maxViewNameLength, maxViews } from '../server/crm/views/contract.ts'
import { maxCountMs } from '../server/crm/views/count-views.ts'
import { maxCalledLeads } from '../server/insight/overview/contract.ts'
import { maxReportDays } from '../server/insight/reports/contract.ts'
import { maxCosts } from '../server/insight/reports/origin-costs.ts'
import { fileLimits } from '../server/intake/lead-import/file-limits.ts'
import { maxRead } from '../server/intake/lead-import/lead-file.ts'
import { maxListed, undoWithin } from '../server/intake/lead-import/list-imports.ts'
import { keptDays as importKeptDays } from '../server/intake/lead-import/progress-record.ts'
import { maxSheets, maxTexts, limits as sheetLimits } from '../server/intake/lead-import/read-xlsx.ts'
import { maxReceived } from '../server/intake/lead-import/received-file.ts'
import { maxKept as keptRows } from '../server/intake/lead-import/rejected-rows.ts'
import { maxRejected } from '../server/intake/lead-import/row-saver.ts'
import { maxBytes as maxFile } from '../server/intake/lead-import/web-routes.ts'
import { maxCharacters, maxKnown, maxPathLength } from '../server/intake/payload/compare-fields.ts'
import { maxRecords } from '../server/intake/payload/contract.ts'
import { maxFields, maxLikely } from '../server/intake/payload/form-fields.ts'
import { maxWaitMs } from '../server/intake/payload/read-payload.ts'
import { limits as maxValues } from '../server/intake/payload/structure/leaves.ts'
import { keptDays, perMinute } from '../server/intake/request-log/contract.ts'
import { maxWaiting } from '../server/intake/request-log/log-requests.ts'
import { maxKept as maxLogged } from '../server/intake/request-log/store.ts'
import { maxBytes as maxDryRun } from '../server/intake/webhooks/deliveries/dry-run.ts'
import { maxFinishing } from '../server/intake/webhooks/deliveries/finish-deliveries.ts'
import { maxAtOnce as recordsAtOnce } from '../server/intake/webhooks/deliveries/process-batch.ts'
import { maxAtOnce as maxBodies, maxBytes as maxBody } from '../server/intake/webhooks/deliveries/read-bytes.ts'
import { maxAtOnce as maxReplayed } from '../server/intake/webhooks/deliveries/replay.ts'
import { maxRead as maxSearched } from '../server/intake/webhooks/deliveries/search-deliveries.ts'
import { webhooksOfAccount } from '../server/intake/webhooks/deliveries/storage-quota.ts'
import { maxWebhooks } from '../server/intake/webhooks/store.ts'
import { maxCached } from '../server/platform/database/cache.ts'
import { connectionTimeoutMs } from '../server/platform/database/connect.ts'
import { maxOrdered } from '../server/platform/database/ordered-ids.ts'
import { maxConnections, maxStallMs } from '../server/platform/http/connections.ts'
import { maxDepth } from '../server/platform/http/json-depth.ts'
import { maxRunningRequests } from '../server/platform/http/shed-load.ts'
import { leastBytes } from '../server/platform/http/slow-body.ts'
import { sheetLimits as exportLimits } from '../server/platform/http/xlsx.ts'
import { hoursKept } from '../server/platform/idempotency/answer-once.ts'
import { maxStreams } from '../server/platform/live/streams.ts'
import { maxBrowsers } from '../server/selling/notifications/store.ts'
import { maxLeads as maxSearchedLeads } from '../server/telephony/calls/call-filters.ts'
import { maxNotesLength as maxCallNotes } from '../server/telephony/calls/join-events.ts'
import { maxCounted } from '../server/telephony/calls/list-calls.ts'
import { maxMissed, maxSummed } from '../server/telephony/calls/sum-calls.ts'
import { maxLinesOfUser } from '../server/telephony/phone-lines/change-lines.ts'
import { maxUnknown } from '../server/telephony/phone-lines/store.ts'
import { maxFilledLength, maxOfAccount, maxOfUser, maxTextLength } from '../server/telephony/quick-replies/contract.ts'
import { type Limits, type NumberName, settings } from '../server/variables.ts'
import { root } from './service.ts'

export const readPage = (page: string) => readFileSync(join(root, page), 'utf8')

/** Returns the text of each page that `npm run limits-pages` writes. */
export const generatedPages = (): Record<string, string> => ({
  'docs/configuration.md': readPage('docs/configuration.md').replace(/^\| name \|(.*\n)+?(?=\n)/m, settingsTable),
  'docs/reference/limits.md': limitsPage(),
  'docs/rest.md': readPage('docs/rest.md').replace(/^\| `company`.*$/m, `| ${textNames} | text |`),
})

const textNames = textFieldNames.map((field) => `\`${field}\``).join(', ')

function settingsTable(): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const { limits, fallback, meaning }: { limits?: Limits; fallback?: string; meaning: string } = setting
    const shown = limits ? `${limits.fallback} (${n(limits.min)} to ${n(limits.max)})` : (fallback ?? 'none')
    return `| \`${name}\` | ${shown} | ${meaning} |`
  })
  return ['| name | default | meaning |', '|---|---|---|', ...rows, ''].join('\n')
}

const n = (number: number) => number.toLocaleString('en')
const kib = (bytes: number) => `${n(bytes / 1024)} KiB`
const mib = (bytes: number) => `${n(bytes / 1024 ** 2)} MiB`
const seconds = (milliseconds: number) => `${milliseconds / 1000} seconds`
const variable = (name: NumberName) => ({ value: n(settings[name].limits.fallback), name: `\`${name}\`` })
const requests = variable('RATE_LIMIT_PER_MINUTE')
const deliveries = variable('WEBHOOK_LIMIT_PER_MINUTE')
const webRequests = variable('WEB_LIMIT_PER_MINUTE')
const storage = variable('WEBHOOK_STORAGE_MB_PER_DAY')
const maxLength = (field: 'name' | 'email' | 'phone' | TextField | 'source' | 'notes') => n(leadFields[field].maxLength)
const lineLimits = [...textFieldNames, 'source' as const].map(
  (field) => `| \`${field}\` | at most ${maxLength(field)} characters |`,
)

/** Returns docs/reference/limits.md. A number without a constant here is checked where it is enforced. */
const limitsPage = () => `# Limits

\`npm run limits-pages\` writes this page from the code. A limit with a variable can be set ([configuration](../configuration.md)).

## Fields

| field | limit |
|---|---|
| \`name\` | 1 to ${maxLength('name')} characters, at least one of them visible |
| \`email\` | one valid email address, at most ${maxLength('email')} characters, at most 64 before the @ |
| \`phone\` | 7 to 15 digits, at most ${maxLength('phone')} characters with signs between them; with what is around it ${maxContactText} characters |
${lineLimits.join('\n')}
| \`notes\` of a lead or a call | at most ${maxLength('notes')} characters |
| notes of a call that several events add up to | ${n(maxCallNotes)} characters; further lines are left out |
| other contacts of a lead | ${maxOtherContacts} |
| \`tags\` | at most ${maxTagLength} characters each; ${maxTagsAtOnce} per request, ${maxTags} per lead; duplicates are dropped |
| \`deal_value\` | 0 to 9,999,999,999,999.99, rounded to paise |
| \`duration_seconds\` | a whole number from 0 to 2,147,483,647 |
| \`called_at\`, \`updated_since\` | ISO 8601 with \`Z\` or an offset, from 1900 on |
| any text | no control characters; outside of notes no newlines, tabs, line separators and direction overrides |
| \`limit\` | 1 to 500, default 50 |
| \`offset\` | 0 to 2,147,483,647, default 0; with \`updated_since\` at most ${n(maxOffset)}, with the \`cursor\` of a next page 0 |
| \`Idempotency-Key\` | 1 to 255 visible ASCII characters; the response is kept for ${hoursKept} hours |

A value beyond its limit is 400 with \`error.field\`. Webhooks cut off what is too long instead, and name it on the delivery.

## Requests

| limit | value | beyond it |
|---|---|---|
| requests per API key | ${requests.value} a minute (${requests.name}) | 429 |
| deliveries per webhook | ${deliveries.value} a minute (${deliveries.name}) | 429, and the delivery is kept |
| requests per session of the web app | ${webRequests.value} a minute (${webRequests.name}); 20 times as many per account | 429 |
| REST body | 1 MiB | 413 |
| lists and objects in each other, in a JSON body | ${maxDepth}; webhooks take more | 400 |
| webhook body | ${mib(maxBody)}, also after decompression | 413, and the first ${mib(maxBody)} are kept |
| webhook bodies in memory | ${mib(maxBodies.all)} per process, ${mib(maxBodies.ofHolder)} per account, decompressed | 503 |
| time to send a request | 10 seconds for headers, 20 seconds in all | 408 |
| speed of a webhook's body larger than ${kib(leastBytes)} | ${kib(leastBytes)} in each 10 seconds | 408 |
| requests under way per process | ${n(maxRunningRequests)}, except \`/healthz\`, \`/readyz\` and \`/metrics\` | 503 |
| connections per process | ${n(maxConnections.inAll)}; ${n(maxConnections.fromOne)} per IPv4 address or IPv6 /64, except proxies in \`TRUST_PROXY\` | closed |
| time without reading the response | ${maxStallMs / 1000} to ${(2 * maxStallMs) / 1000} seconds | closed |
| settings, keys, webhooks and rules kept in memory | ${mib(maxCached.bytes)} per process, ${mib(maxCached.bytesOfAccount)} per account, as estimated | read from the database |
| open pages that are notified | ${maxStreams.ofSession} per session, ${n(maxStreams.ofAccount)} per account, ${n(maxStreams.inAll)} per process, shared between accounts | the page asks after 5 to 30 seconds |

A minute starts with the first counted request. Workers count together, and with \`REDIS_URL\` several services do.

In the web app, per user, scaled with ${webRequests.name}:

| | limit |
|---|---|
| search leads, calls or deliveries | 30 in 10 seconds |
| export leads, export calls, export the audit log | ${heavyRoutes['GET /web/leads.csv']} a minute each, in each format |
| start a bulk change, count its leads | ${heavyRoutes['POST /web/bulk-changes']} a minute each |
| import, duplicate check, replay of a webhook | ${heavyRoutes['POST /web/leads/import']} a minute each |
| change an email | ${heavyRoutes['POST /web/me/email']} attempts a minute; 5 emailed codes an hour |
| dry run of a mapping | ${heavyRoutes['POST /web/webhooks/:id/dry-run']} a minute |
| open, preview or replay one delivery; totals of calls; the request log | ${heavyRoutes['GET /web/requests']} a minute each |

## Waiting for the database

| limit | value |
|---|---|
| wait for a connection | ${seconds(connectionTimeoutMs.api_key)}; webhooks ${connectionTimeoutMs.webhook / 1000}, command line ${connectionTimeoutMs.command / 1000} |
| wait for a locked row | two attempts of 2 seconds |
| [deliveries that wait](webhooks.md#when-the-service-is-busy) | finished within a day, ${maxFinishing} of an account at a time |
| wait while the database is away | none; [webhooks](webhooks.md#when-the-database-is-unavailable) 8 seconds, 500 deliveries per process, 400 of one URL or IP address |
| one statement | 30 seconds |
| connections that one account holds | 60% |
| requests that wait for a connection | 1,500 per account and 4,000 in all, to read and to write each; those of the web app go first |

Beyond these, the answer is 503 \`UNAVAILABLE\` with a \`Retry-After\` of 5 to 10 seconds, chosen at random.

## Lists in the web app

| limit | value |
|---|---|
| a lead's page | ${maxCalls} calls, ${maxEntries} timeline entries or ${kib(timelineBytes)} of them, 256 KiB in all; more are loaded in pages |
| overview, reports | ${maxReportDays} days |
| more than about ${n(maxSorted)} leads, by name or update | offset up to ${n(maxScanOffset)}; filter to go further |
| more than ${n(maxByPrefix)} matches of a search, or ${n(maxWithTag)} leads by tag, city, product, campaign, ad, form, last call or deal value | not counted; offset up to ${n(maxSearchOffset)} |
| calls counted exactly | ${n(maxCounted)} in the list, ${n(maxSummed)} in its totals and ${n(maxMissed)} missed calls |
| time to first call on the overview | that of the newest ${n(maxCalledLeads)} called leads |
| calls sorted by duration, or oldest first | the newest, or the oldest, ${n(maxCounted)} that match |
| calls found by a search of their lead | those of the newest ${maxSearchedLeads} leads that match |

## Webhooks

| limit | value | beyond it |
|---|---|---|
| records per request | ${recordsAtOnce} | 413, and they are kept; those beyond ${n(maxRecords)} as one delivery |
| bodies kept per webhook and day | ${storage.value} MiB (${storage.name}), ${webhooksOfAccount} times as much per account | [storage](webhooks.md#storage) |
| keys in one object | 400, and 200 more that may hold a contact | the rest is not read, with a warning |
| entries in one list | 1,000 | the same |
| values in one payload | ${n(maxValues.leaves)} | the same |
| form fields | ${n(maxFields)}; url-encoded, ${n(maxLikely)} more that may hold a contact | the same |
| time that a payload waits to be read | ${seconds(maxWaitMs.read)} | 503, and the delivery is [finished later](webhooks.md#when-the-service-is-busy) |
| time and memory to read one payload | 10 seconds, 256 MB | 400, and the delivery is kept |
| mapping entries | 300, paths up to 2,000 characters | 400 |
| known fields of one webhook | ${maxKnown} paths of up to ${maxPathLength} characters, ${kib(maxCharacters)} together | further paths are not remembered |
| dry run of a mapping | 50 deliveries, ${mib(maxDryRun)} | fewer deliveries |
| replay of a webhook's deliveries | ${maxReplayed} per request | the client continues |
| search of deliveries by a part of a name or phone | the newest ${n(maxSearched)} | older ones are found by a whole phone or email, their id, or their lead |

## Merging leads

| limit | value |
|---|---|
| what moves to the kept lead | ${n(maxMoved)} calls, timeline entries, deliveries and other records; keep the larger lead |
| undo | the last merge of a lead, for a day |
| possible duplicates | the latest ${n(maxPossibleDuplicates)} of an account |

## Import and export

| limit | value |
|---|---|
| file | ${fileLimits.columns} columns, ${n(fileLimits.rows)} rows, ${kib(fileLimits.recordLength)} per row; in the web app ${mib(maxFile.Manager)}, for Admins ${mib(maxFile.Admin)} |
| workbook when unpacked | ${n(sheetLimits.sheet / 1024 ** 3)} GiB in the sheet; ${mib(sheetLimits.sharedStrings)} and ${n(maxTexts)} texts that cells share |
| CPU time to read a file | 2 minutes, and 3 seconds for each MiB of it |
| sheets of a workbook | the first ${maxSheets} visible ones can be chosen; the first 20 are searched for leads |
| files sent at the same time | ${maxReceived.files} per process, ${maxReceived.ofAccount} per account |
| files read at the same time | ${maxRead.files} per process, ${maxRead.ofAccount} per account, the second one while half of them are free |
| time to send a file | 20 seconds between two pieces, 10 minutes in all, ${kib(leastBytes)} in each 10 seconds |
| rows that the database rejects | ${maxRejected} in one import, which stops then |
| continuing an import with the same file | for ${importKeptDays} days |
| undo of an import | for ${undoWithin / 86_400_000} days |
| rejected rows kept for a download | ${kib(keptRows.ofImport)} of an import, ${mib(keptRows.ofAccount)} of an account |
| imports in the list | the newest ${maxListed} |
| export of leads, of calls | ${n(maxOrdered)} in another order than that of their creation, or of the calls’ time, which has no limit |
| export of the audit log | the newest ${n(maxExported)} entries of the filters |
| exported workbook | ${n(exportLimits.rows)} rows in a sheet, then the next one; ${n(exportLimits.characters)} characters in a cell, of which a longer one has the beginning |

## Bulk changes

| limit | value |
|---|---|
| leads chosen one by one, to change or to export | ${n(maxChosenLeads)} |
| leads of one bulk change | ${n(maxBulkLeads)}; choose fewer by a filter |
| leads in bulk changes of an account and day | ${n(maxLeadsPerDay)}, beyond which no further one starts |
| bulk changes that run or wait, per account | ${maxUnfinished}; one runs at a time |
| leads that are split among users | ${maxAssignees} users, weights 1 to 100 |

## Request log

| limit | value |
|---|---|
| what is logged | requests of a valid API key, and to the URL of a webhook, a second after their answer |
| what is not | bodies, keys and tokens; texts in a query; emails and phones in errors |
| failed requests of a minute | the first ${perMinute.failed.ofSource} of a key or webhook, ${perMinute.failed.ofAccount} of an account |
| successful requests of a minute | the first ${perMinute.succeeded.ofSource} of a key or webhook, ${perMinute.succeeded.ofAccount} of an account |
| kept | ${keptDays} days; the newest ${n(maxLogged.ofSource)} failed and ${n(maxLogged.ofSource)} successful of a key or webhook, and ${n(maxLogged.ofAccount)} of an account |
| requests that wait to be saved | ${n(maxWaiting)}; further ones are counted in \`lead_engine_request_log_dropped_total\` |

The limits of a minute are those of each process.

## Sign-in

| limit | value |
|---|---|
| password | 10 to 128 characters |
| guesses (password, code, password change) | 10 a minute per IP address and kind |
| passwords tried for one email | ${freeAttempts} in 15 minutes; then each waits up to 3 seconds, and an IP address without a session of that user has 5 in 5 minutes |
| single sign-on, to the provider and back | 120 a minute per IP address |
| opening one-time links | 20 a minute per IP address |
| asking for a password link | 10 a minute per IP address, 3 an hour per email |
| a link is valid for | invitation: 7 days; set-up link, or password link made by an Admin: 24 hours; password link asked for by email: 1 hour |

An IPv6 client counts as its /64 network.

## Settings

| limit | value |
|---|---|
| users of an account | ${n(maxUsers)}, with deactivated ones |
| webhooks of an account | ${maxWebhooks} |
| rules of an account | ${maxRules} |
| API keys of an account | ${maxKeys}; of the revoked ones, the newest ${maxKeys} are listed |
| costs that an account entered | ${n(maxCosts)} |
| browsers of a user that are notified | ${maxBrowsers}; a new one replaces the oldest |
| IP whitelist of an API key | 100 entries |
| values of one rule condition | 200 |
| conditions and assignees of one rule | ${n(maxRuleLength)} characters |
| assignees of one rule | 200, weights 1 to 999 |
| default tags of a webhook | ${maxTagsAtOnce} |
| absences of a user that have not ended | ${maxAbsences}, within ${maxLeaveDays} days |
| phone numbers and extensions of a user | ${maxLinesOfUser} |
| unknown phone agents of an account | ${maxUnknown}: the one seen longest ago is replaced |
| quick replies | ${maxOfAccount} of an account, ${maxOfUser} of a user |
| text of a quick reply | ${n(maxTextLength)} characters; ${n(maxFilledLength)} with its placeholders filled in |
| views of the list of leads | ${maxViews} of a user, ${maxViews} shared in an account; names of ${maxViewNameLength} characters |
| count of a view | 1,000, unless the daily counts know it; none if it takes over ${maxCountMs} ms |
`
