import { msg, plural } from '@lingui/core/runtime-macro'

/**
 * The sentences of timelines. They are stored in English, and `translate-summary.ts` reads them back by these texts: what a placeholder
 * stands for follows from its name. If you change a text, keep the former one for entries that exist.
 */
export const sentences = {
  created: msg`Created through ${{ sender: '' }}.`,
  unassigned: msg`Unassigned.`,
  assigned: msg`Assigned to ${{ assignee: '' }}.`,
  assignedByRule: msg`Assigned to ${{ assignee: '' }} by the rule “${{ rule: '' }}”.`,
  assignedAsFallback: msg`Assigned to ${{ assignee: '' }}, the fallback owner.`,
  answered: msg`Assigned to ${{ assignee: '' }}, who answered the call.`,
  offered: msg`Offered to ${plural({ users: 0 }, { one: '{users} user', other: '{users} users' })} by the rule “${{ rule: '' }}”: the first to claim it is its owner.`,
  claimed: msg`${{ by: '' }} claimed this lead.`,
  notClaimed: msg`Not claimed.`,
  notClaimedWithin: msg`Not claimed within ${plural({ minutes: 0 }, { one: '{minutes} minute', other: '{minutes} minutes' })}.`,
  staysUnassigned: msg`No other rule assigns it: it stays unassigned.`,
  passedOn: msg`Passed on from ${{ from: '' }} to ${{ to: '' }} by the rule “${{ rule: '' }}”: no call and no change within ${plural({ minutes: 0 }, { one: '{minutes} minute', other: '{minutes} minutes' })}.`,
  merged: msg`Merged through ${{ sender: '' }}, matched by ${{ matched: '' }}.`,
  mergedLead: msg`${{ by: '' }} merged another lead into this one.`,
  mergeUndone: msg`${{ by: '' }} undid the merge of another lead into this one.`,
  unmerged: msg`${{ by: '' }} undid the merge of this lead into another one.`,
  importUndone: msg`${{ by: '' }} undid an import that was merged into this lead.`,
  takenBack: msg`Taken back: ${{ fields: '' }}.`,
  // Entries of earlier versions name the other lead.
  mergedNamedLead: msg`${{ by: '' }} merged the lead “${{ name: '' }}” into this one.`,
  namedMergeUndone: msg`${{ by: '' }} undid the merge of the lead “${{ name: '' }}” into this one.`,
  unmergedFromNamed: msg`${{ by: '' }} undid the merge of this lead into “${{ name: '' }}”.`,
  nothingChanged: msg`Nothing changed.`,
  changed: msg`Changed ${{ changes: '' }}.`,
  notesFull: msg`The notes are full: the message is saved here.`,
  notTaken: msg`Not taken: ${{ fields: '' }}.`,
  changedBy: msg`${{ by: '' }} changed ${{ changes: '' }}.`,
  contactElsewhere: msg`A submission through ${{ sender: '' }} had this lead's ${{ contact: '' }} and matched another lead. It went to that lead; the ${{ contact: '' }} stays here.`,
  hiddenSubmission: msg`Submitted again through ${{ sender: '' }}, without access to this lead. Nothing was changed; the submission is saved here.`,
  // Entries of earlier versions.
  hiddenSubmissionBefore: msg`Submitted again through ${{ sender: '' }}, by a user who cannot see this lead. Nothing was changed; the submission is saved here.`,
  reassigned: msg`Owner ${{ from: '' }} → ${{ to: '' }}: ${{ by: '' }} deactivated ${{ from: '' }}.`,
  ownerRemoved: msg`Owner ${{ from: '' }} → unassigned: ${{ by: '' }} deactivated ${{ from: '' }}.`,
  call: msg`${{ type: '' }} call, ${{ outcome: '' }}, ${{ duration: '' }}`,
  callLogged: msg`${{ call: '' }}. Logged through ${{ sender: '' }}.`,
  callChanged: msg`${{ by: '' }} corrected the call of ${{ time: '' }}: ${{ changes: '' }}.`,
  callMoved: msg`${{ by: '' }} moved the call of ${{ time: '' }} to another lead: ${{ call: '' }}.`,
  callMovedHere: msg`${{ by: '' }} moved the call of ${{ time: '' }} here from another lead: ${{ call: '' }}.`,
  corrected: msg`Corrected ${{ changes: '' }}.`,
  callDeleted: msg`Call log deleted through ${{ sender: '' }}: ${{ call: '' }}`,
  whatsAppOpened: msg`${{ by: '' }} opened WhatsApp.`,
  whatsAppOpenedWith: msg`${{ by: '' }} opened WhatsApp with “${{ quickReply: '' }}”.`,
}

/** What changed of one field. */
export const changeTexts = {
  values: msg`${{ field: '' }}: ${{ before: '' }} → ${{ after: '' }}`,
  addedText: msg`${{ field: '' }}: added text`,
  notesAdded: msg`notes: added`,
  notesRemoved: msg`notes: removed`,
  notesReplaced: msg`notes: replaced`,
  tags: msg`tags: ${{ tags: '' }}`,
  tagsInOrder: msg`tags: in another order`,
  contactsAdded: msg`other contacts: added ${{ added: '' }}`,
  contactsRemoved: msg`other contacts: removed ${{ removed: '' }}`,
  contactsReplaced: msg`other contacts: added ${{ added: '' }}, removed ${{ removed: '' }}`,
}

export const none = msg`none`

export const durationTexts = {
  minutes: msg`${{ minutes: 0 }} min`,
  seconds: msg`${{ seconds: 0 }} s`,
  both: msg`${{ minutes: 0 }} min ${{ seconds: 0 }} s`,
}

/** Why a submitted value was not taken. */
export const reasonTexts = {
  hasOne: msg`the lead already has one`,
  neverChanged: msg`a webhook never changes it`,
  otherChosen: msg`the value of the other lead was chosen`,
  elsewhere: msg`it belongs to another lead`,
  tooManyTags: msg`a lead holds at most ${{ maxTags: 0 }} tags`,
  tooManyContacts: msg`a lead holds at most ${{ maxOtherContacts: 0 }} other contacts`,
}

/** How senders name themselves. */
export const senders = {
  webhook: msg`the webhook “${{ name: '' }}”`,
  apiKey: msg`the API key “${{ name: '' }}”`,
  web: msg`the web app by ${{ name: '' }}`,
  importBy: msg`an import by ${{ name: '' }}`,
  importCommand: msg`an import on the command line`,
  demoCommand: msg`the demo command`,
  samples: msg`the sample data`,
  silentSystem: msg`the telephone system, which did not report the end of the call`,
}

export const commandLine = msg`The command line`

export const both = msg`${{ first: '' }} and ${{ second: '' }}`

/** Words within sentences, by what they are. */
export const words = {
  field: [
    msg`name`,
    msg`email`,
    msg`phone`,
    msg`company`,
    msg`city`,
    msg`source`,
    msg`status`,
    msg`priority`,
    msg`tags`,
    msg`deal value`,
    msg`notes`,
    msg`owner`,
    msg`other contacts`,
    msg`lost reason`,
    msg`expected close`,
    msg`call again at`,
    msg`no next step`,
    msg`type`,
    msg`outcome`,
    msg`duration`,
    msg`time`,
    msg`calls`,
    msg`enquiry`,
  ],
  contact: [msg`phone`, msg`email`, msg`WhatsApp id`, msg`another contact`],
  status: [msg`New`, msg`Contacted`, msg`Qualified`, msg`Proposal`, msg`Won`, msg`Lost`],
  priority: [msg`Low`, msg`Medium`, msg`High`],
  type: [msg`Inbound`, msg`Outbound`],
  // Completed and No Answer: in entries of earlier versions.
  outcome: [msg`Spoke`, msg`Busy`, msg`No answer`, msg`Voicemail`, msg`Missed`, msg`Completed`, msg`No Answer`],
  outcomeInSentence: [msg`spoke`, msg`busy`, msg`no answer`, msg`voicemail`, msg`missed`, msg`completed`],
}
