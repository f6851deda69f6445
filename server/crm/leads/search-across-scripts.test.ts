import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'

/** Searches in Latin letters, and names that they find. */
const found: Record<string, string[]> = {
  'ravi pande': ['रवि पांडे', 'रवि पाण्डे'],
  sharma: ['शर्मा', 'শর্মা', 'શર્મા', 'ਸ਼ਰਮਾ', 'శర్మ', 'ಶರ್ಮಾ', 'सुनीता शर्मा'],
  singh: ['सिंह', 'ਸਿੰਘ', 'सिङ्घ'],
  krishna: ['कृष्ण', 'కృష్ణ', 'கிருஷ்ணா'],
  lakshmi: ['लक्ष्मी', 'లక్ష్మి', 'ಲಕ್ಷ್ಮಿ', 'ലക്ഷ്മി', 'லக்ஷ்மி'],
  patel: ['पटेल', 'પટેલ'],
  desai: ['દેસાઈ', 'देसाई'],
  kulkarni: ['कुलकर्णी'],
  shinde: ['शिंदे', 'शिन्दे'],
  deshmukh: ['देशमुख'],
  murugan: ['முருகன்'],
  pillai: ['பிள்ளை'],
  kumar: ['कुमार', 'குமார்', 'কুমার', 'కుమార్', 'ಕುಮಾರ್'],
  reddy: ['రెడ్డి', 'रेड्डी'],
  venkatesh: ['వెంకటేశ్', 'வெங்கடேஷ்'],
  gowda: ['ಗೌಡ'],
  nair: ['നായർ'],
  menon: ['മേനോൻ'],
  ghosh: ['ঘোষ'],
  biswas: ['বিশ্বাস'],
  subrata: ['সুব্রত'],
  gurpreet: ['ਗੁਰਪ੍ਰੀਤ', 'गुरप्रीत'],
  kaur: ['ਕੌਰ', 'कौर'],
  pradhan: ['ପ୍ରଧାନ', 'प्रधान'],
  sahoo: ['ସାହୁ'],
  rao: ['राव', 'రావు'],
  arora: ['अरोड़ा'],
  priya: ['प्रिया', 'பிரியா'],
  gyan: ['ज्ञान'],
  mohammad: ['मोहम्मद'],
  anjali: ['अंजलि', 'অঞ্জলি'],
}
/** Searches, and names that are none of theirs. */
const others: Record<string, string[]> = {
  pande: ['पांडू', 'बंदे', 'पंत'],
  kamal: ['कमीला', 'कोमल'],
  sharma: ['शेरमा', 'वर्मा'],
  ravi: ['रवे', 'रेवा'],
  patel: ['पाटील', 'પટોળા'],
  gita: ['गट', 'गोटा'],
  meena: ['मन', 'मोना'],
  anil: ['सुनील', 'अनोल'],
}

const app = await testApp()
after(app.close)
const { asha } = await people(app)
const browser = await signedIn(app, asha)

let phone = 9_870_000_000
const create = async (name: string) => {
  const { status, body } = await asha.send('POST', '/api/v1/leads', { name, phone: String(++phone) })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id as string
}
const finds = async (search: string, id: string) => {
  const { body } = await browser!.send('GET', `/web/leads?search=${encodeURIComponent(search)}&limit=200`)
  return body.data.some((lead: { id: string }) => lead.id === id)
}
const pairs = (table: Record<string, string[]>) =>
  Object.entries(table).flatMap(([search, names]) => names.map((name) => [search, name] as const))

test('a name in Latin letters finds those in Indian scripts', async () => {
  const missed: string[] = []
  for (const [search, name] of pairs(found))
    if (!(await finds(search, await create(name)))) missed.push(`${search} > ${name}`)
  assert.deepEqual(missed, [])
})

test('other names are not found', async () => {
  const wrong: string[] = []
  for (const [search, name] of pairs(others))
    if (await finds(search, await create(name))) wrong.push(`${search} > ${name}`)
  assert.deepEqual(wrong, [])
})
