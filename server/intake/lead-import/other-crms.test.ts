import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recogniseColumns } from './columns.ts'
import type { ImportField } from './contract.ts'

/** Column names of other systems: where they were found, and what each column is. The rows are invented. */
const exports: Record<string, { from: string; columns: [name: string, field: ImportField, value: string][] }> = {
  'Zoho CRM, leads': {
    from: 'https://www.zoho.com/crm/help/api/modules-fields.html, standard fields of the module Leads',
    columns: [
      ['Lead Owner', 'assigned_to', 'Priya Nair'],
      ['Salutation', 'answer', 'Mr.'],
      ['First Name', 'first_name', 'Ravi'],
      ['Last Name', 'last_name', 'Kumar'],
      ['Title', 'answer', 'Purchase manager'],
      ['Company', 'company', 'Kumar Traders'],
      ['Lead Source', 'source', 'Exhibition'],
      ['Industry', 'answer', 'Manufacturing'],
      ['Annual Revenue', 'answer', '2500000'],
      ['Phone', 'phone', '022 2673 1234'],
      ['Mobile', 'phone', '98200 11223'],
      ['Email', 'email', 'ravi@example.com'],
      ['Secondary Email', 'email', 'ravi.k@example.com'],
      ['Lead Status', 'status', 'Attempted to Contact'],
      ['Rating', 'priority', 'Active'],
      ['Street', 'answer', '12 Hill Road'],
      ['City', 'city', 'Mumbai'],
      ['Zip Code', 'answer', '400050'],
      ['Description', 'notes', 'Wants a quotation'],
      ['Created Time', 'created_at', '31-Dec-2025 10:22 PM'],
      ['Modified Time', 'updated_at', '02-Jan-2026 09:00 AM'],
    ],
  },
  'Salesforce, leads': {
    from: 'https://developer.salesforce.com/docs/atlas.en-us.sfFieldRef.meta/sfFieldRef/salesforce_field_reference_Lead.htm, labels',
    columns: [
      ['Lead ID', 'lead_id', '00Q5g00000ABCDEFGH'],
      ['First Name', 'first_name', 'Ravi'],
      ['Last Name', 'last_name', 'Kumar'],
      ['Full Name', 'answer', 'Ravi Kumar'],
      ['Company', 'company', 'Kumar Traders'],
      ['Phone', 'phone', '022 2673 1234'],
      ['Mobile Phone', 'phone', '98200 11223'],
      ['Email', 'email', 'ravi@example.com'],
      ['City', 'city', 'Mumbai'],
      ['Lead Source', 'source', 'Web'],
      ['Status', 'status', 'Working - Contacted'],
      ['Rating', 'priority', 'Hot'],
      ['Employees', 'answer', '40'],
      ['Annual Revenue', 'answer', '2500000'],
      ['Description', 'notes', 'Wants a quotation'],
      ['Created Date', 'created_at', '12/31/2025'],
      ['Last Modified Date', 'updated_at', '1/2/2026'],
    ],
  },
  'HubSpot, contacts': {
    from: `https://knowledge.hubspot.com/properties/hubspots-default-contact-properties, labels of the properties; Create Date and
      Last Modified Date from answers of the properties API in public repositories`,
    columns: [
      ['Record ID', 'ignore', '39580875173'],
      ['First Name', 'first_name', 'Ravi'],
      ['Last Name', 'last_name', 'Kumar'],
      ['Email', 'email', 'ravi@example.com'],
      ['Phone Number', 'phone', '+91 22 2673 1234'],
      ['Mobile Phone Number', 'phone', '+91 98200 11223'],
      ['Company Name', 'company', 'Kumar Traders'],
      ['Job Title', 'answer', 'Purchase manager'],
      ['City', 'city', 'Mumbai'],
      ['Lifecycle Stage', 'ignore', 'Lead'],
      ['Lead Status', 'status', 'Open Deal'],
      ['Contact owner', 'assigned_to', 'Priya Nair'],
      ['Original Source', 'source', 'Organic Search'],
      ['Create Date', 'created_at', '2025-12-31 22:22'],
      ['Last Modified Date', 'updated_at', '2026-01-02 09:00'],
    ],
  },
  'LeadSquared, leads': {
    from: 'https://help.leadsquared.com/how-to-create-custom-fields, the system lead fields',
    columns: [
      ['First Name', 'first_name', 'Ravi'],
      ['Last Name', 'last_name', 'Kumar'],
      ['Email Address', 'email', 'ravi@example.com'],
      ['Phone Number', 'phone', '+91-9820011223'],
      ['Lead Source', 'source', 'Organic Search'],
      ['Lead Stage', 'status', 'Prospect'],
    ],
  },
  'Bitrix24, leads': {
    from: 'the English column names of crm.lead.list in the published source of Bitrix24',
    columns: [
      ['ID', 'ignore', '4711'],
      ['Lead Name', 'answer', 'Quotation for the fair'],
      ['Status', 'status', 'In progress'],
      ['First Name', 'first_name', 'Ravi'],
      ['Last Name', 'last_name', 'Kumar'],
      ['Company Name', 'company', 'Kumar Traders'],
      ['Phone', 'phone', '+919820011223'],
      ['E-mail', 'email', 'ravi@example.com'],
      ['Source', 'source', 'Website'],
      ['Comment', 'notes', 'Wants a quotation'],
      ['Responsible', 'assigned_to', 'Priya Nair'],
      ['Created by', 'ignore', 'Asha Rao'],
      ['Created', 'created_at', '31/12/2025 22:22:00'],
      ['Modified', 'updated_at', '02/01/2026 09:00:00'],
    ],
  },
  'Pipedrive, people': {
    from: 'https://getcapt.com/blog/pipedrive-import-csv, a third party, fields of the import; Owner was not found there',
    columns: [
      ['Person - Name', 'name', 'Ravi Kumar'],
      ['Organization - Name', 'company', 'Kumar Traders'],
      ['Person - Email', 'email', 'ravi@example.com'],
      ['Person - Phone', 'phone', '+91 98200 11223'],
      ['Note', 'notes', 'Wants a quotation'],
      ['Owner', 'assigned_to', 'Priya Nair'],
    ],
  },
  'Google Forms in Google Sheets': {
    from: 'https://developers.google.com/apps-script/guides/triggers/events names Timestamp; the questions are invented',
    columns: [
      ['Timestamp', 'created_at', '31/12/2025 22:22:00'],
      ['Your name', 'name', 'Ravi Kumar'],
      ['WhatsApp number', 'phone', '98200 11223'],
      ['Email Address', 'email', 'ravi@example.com'],
      ['Which city do you live in?', 'city', 'Mumbai'],
      ['How can we help you?', 'notes', 'Wants a quotation for 40 chairs'],
    ],
  },
}

for (const [name, { columns }] of Object.entries(exports)) {
  test(`${name}: each column is recognised as its field`, () => {
    const names = columns.map(([column]) => column)
    const rows = [{ line: 2, cells: columns.map(([, , value]) => value) }]
    const recognised = recogniseColumns({ names, rows, country: 'IN', withMigrated: true })
    assert.deepEqual(
      recognised.map(({ name: column, field }) => [column, field]),
      columns.map(([column, field]) => [column, field]),
    )
  })
}

test('a calls export with a row for each call is recognised', () => {
  const names = [
    'Customer Name',
    'Customer Number',
    'Agent Name',
    'Call Start Time',
    'Call Type',
    'Duration (sec)',
    'Disposition',
  ]
  const cells = ['Ravi Kumar', '9820011223', 'Priya Nair', '31/12/2025 22:22', 'Outgoing', '125', 'Interested']
  const recognised = recogniseColumns({ names, rows: [{ line: 2, cells }], country: 'IN', withMigrated: true })
  assert.deepEqual(
    recognised.map(({ field }) => field),
    ['name', 'phone', 'assigned_to', 'called_at', 'call_type', 'call_duration', 'call_outcome'],
  )
})
