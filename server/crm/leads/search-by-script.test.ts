import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'

/** Spellings of one name, each of which finds the others. Marks that cannot be seen are written as escapes. */
const spellings: Record<string, string[]> = {
  Devanagari: [
    'चन्द्र चंद्र',
    'माँ मां',
    'सङ्गीता संगीता',
    'पञ्चम पंचम',
    'पण्डित पंडित पन्डित',
    'सन्तोष संतोष',
    'चम्पा चंपा चन्पा',
    'कन्हैया कंहैया',
    'राजेन्द्र राजेंद्र राजेन्\u200dद्र',
    'सन्मान सम्मान',
    'हँसमुख हंसमुख हन्समुख',
    'पाँडे पांडे पाण्डे',
    '\u0958ुरैशी \u0915\u093cुरैशी कुरैशी',
    '\u095eिरो\u095b \u092b\u093cिरो\u091c\u093c फिरोज',
    'स\u095cक स\u0921\u093cक सडक',
    'क्\u200dषमा क्षमा क्\u200cषमा',
    'द\u0931्या द\u0930\u093c्या दर्\u200dया दर्या',
    'श्रीमान् श्रीमान',
    'जगत् जगत',
    'ओम्प्रकाश ओंप्रकाश',
    'ॐ ओम ओम्',
    'सेक्टर१२ सेक्टर12',
  ],
  Bengali: [
    'চন্দ্র চংদ্র',
    'সঙ্গীতা সংগীতা',
    'শঙ্কর শংকর',
    'পঞ্চানন পংচানন',
    'ঠাণ্ডা ঠান্ডা ঠাংডা',
    'চাঁদনী চাংদনী',
    'চম্পা চংপা',
    'ব\u09dcুয়া ব\u09a1\u09bcুয়া বডুয়া',
    'রা\u09df রা\u09af\u09bc রায',
    'দৃ\u09dd দৃ\u09a2\u09bc',
    'বিশ্বজিৎ বিশ্বজিত্\u200d বিশ্বজিত্ বিশ্বজিত',
    'র\u200d্যাব র্যাব র্\u200dযাব',
    'ক\u09cbয়েল ক\u09c7\u09beয়েল',
    'ম\u09ccমিতা ম\u09c7\u09d7মিতা',
    'রোড১২ রোড12',
  ],
  Gurmukhi: [
    'ਸਿੰਘ ਸਿਂਘ',
    'ਚਾਂਦ ਚਾਁਦ',
    'ਇੰਦਰ ਇਨ੍ਦਰ',
    'ਪੰਜਾਬ ਪਞ੍ਜਾਬ',
    'ਮੰਡੀ ਮਣ੍ਡੀ',
    '\u0a36ਰਮਾ \u0a38\u0a3cਰਮਾ ਸਰਮਾ',
    '\u0a5bੋਰਾਵਰ \u0a1c\u0a3cੋਰਾਵਰ ਜੋਰਾਵਰ',
    '\u0a5eਤਿਹ \u0a2b\u0a3cਤਿਹ ਫਤਿਹ',
    '\u0a59ਾਨ \u0a16\u0a3cਾਨ ਖਾਨ',
    '\u0a5aਾਲਿਬ \u0a17\u0a3cਾਲਿਬ ਗਾਲਿਬ',
    'ਬਲ\u0a3cਦੇਵ ਬ\u0a33ਦੇਵ ਬਲਦੇਵ',
    'ਗੁਰ\u200bਪ੍ਰੀਤ ਗੁਰਪ੍ਰੀਤ',
    'ਸੈਕਟਰ੧੭ ਸੈਕਟਰ17',
  ],
  Gujarati: [
    'ચન્દ્ર ચંદ્ર',
    'મુમ્બઈ મુંબઈ',
    'પણ્ડ્યા પંડ્યા પન્ડ્યા',
    'સઙ્ગીતા સંગીતા',
    'પઞ્ચાલ પંચાલ',
    'માઁ માં',
    'રાજેન્દ્ર રાજેંદ્ર',
    'હન્સા હંસા હઁસા',
    'જ\u0abcાકિર જાકિર',
    'ફ\u0abcાતિમા ફાતિમા',
    'ક્\u200dષમા ક્ષમા',
    'શ્રીમાન્ શ્રીમાન',
    'ૐ ઓમ',
    'સેક્ટર૨૧ સેક્ટર21',
  ],
  Odia: ['ଚନ୍ଦ୍ର ଚଂଦ୍ର', 'ଚାଁଦ ଚାଂଦ', 'ବ\u0b5cୁଆ ବ\u0b21\u0b3cୁଆ ବଡୁଆ', 'ଶଙ୍କର ଶଂକର', 'ଜଗତ୍ ଜଗତ', 'ରୋଡ୧୨ ରୋଡ12'],
  Tamil: [
    'க\u0bccதம் க\u0bc6\u0bb3தம் க\u0bc6\u0bd7தம்',
    '\u0b94வை \u0b92\u0bb3வை',
    'க\u0bcaடி க\u0bc6\u0bbeடி',
    'க\u0bcbபால் க\u0bc7\u0bbeபால்',
    'ஶ்ரீனிவாசன் ஸ்ரீனிவாசன்',
    'லக்\u200cஷ்மி லக்ஷ்மி லக்\u200dஷ்மி',
    'மு\u200bருகன் முருகன்',
    'செல்\u00adவி செல்வி',
    'குமார் குமார',
    'ௐ ஓம்',
    'தெரு௧௨ தெரு12',
    'க்\u2060ரிஷ் க்ரிஷ்',
  ],
  Telugu: [
    'చంద్ర చన్ద్ర',
    'సంగీత సఙ్గీత',
    'పంచమి పఞ్చమి',
    'పండిట్ పణ్డిట్',
    'చంపక్ చమ్పక్',
    'రాంబాబు రామ్బాబు రామ్\u200cబాబు',
    'రాం రామ్',
    'వాఁడు వాండు',
    'రాజ్\u200cకుమార్ రాజ్కుమార్',
    'క\u0c48లాశ్ క\u0c46\u0c56లాశ్',
    'సురేశ్ సురేశ',
    'జ\u0c3cాకిర్ జాకిర్',
    'రోడ్డు౧౨ రోడ్డు12',
  ],
  Kannada: [
    'ಚಂದ್ರ ಚನ್ದ್ರ',
    'ಸಂಗೀತಾ ಸಙ್ಗೀತಾ',
    'ಪಂಚಮಿ ಪಞ್ಚಮಿ',
    'ಪಂಡಿತ್ ಪಣ್ಡಿತ್',
    'ಅಂಬರೀಶ್ ಅಮ್ಬರೀಶ್',
    'ರಾಂ ರಾಮ್',
    'ರಾಜ್\u200cಕುಮಾರ್ ರಾಜ್ಕುಮಾರ್',
    'ಭಾರ\u200d್ಯ ಭಾರ್ಯ',
    'ಫ\u0cbcಾತಿಮಾ ಫಾತಿಮಾ',
    'ಜ\u0cbcಾಕಿರ್ ಜಾಕಿರ್',
    'ಸುರ\u0cc7ಶ್ ಸುರ\u0cc6\u0cd5ಶ್',
    'ಗ\u0ccbಪಾಲ್ ಗ\u0cc6\u0cc2\u0cd5ಪಾಲ್',
    'ಸಚಿನ್ ಸಚಿನ',
    'ರಸ್ತೆ೧೨ ರಸ್ತೆ12',
  ],
  Malayalam: [
    'മോഹ\u0d7b മോഹ\u0d28\u0d4d\u200d മോഹ\u0d28\u0d4d',
    'കുമാ\u0d7c കുമാ\u0d30\u0d4d\u200d',
    'അനി\u0d7d അനി\u0d32\u0d4d\u200d',
    'അവ\u0d7e അവ\u0d33\u0d4d\u200d',
    'ശരവ\u0d7a ശരവ\u0d23\u0d4d\u200d',
    'ജോൺസ\u0d7bറ ജോൺസ\u0d28\u0d4dറ',
    'കമ്പ്യൂട്ടർ കംപ്യൂട്ടർ',
    'അംബിക അമ്ബിക',
    'ശങ്കർ ശംകർ',
    'സംഗീത സങ്ഗീത',
    'ജയറാം ജയറാമ്',
    'ഗ\u0d4cതം ഗ\u0d57തം ഗ\u0d46\u0d57തം',
    'ക\u0d4aച്ചി ക\u0d46\u0d3eച്ചി',
    'റോഡ്൧൨ റോഡ്12',
  ],
  Latin: [
    'Kumār Kumar KUMA\u0304R',
    'Ámit Amit',
    'José Jose Jose\u0301',
    'Śrīnivās Srinivas',
    'Kṛṣṇa Krsna',
    'Nguyễn Nguyen',
    'Muñoz Munoz',
    'Müller Muller',
    'Çelik Celik',
    'İrem Irem irem',
    'Łukasz Lukasz',
    'Søren Soren',
    'Đorđe Dorde',
    'Ａｍｒｉｔ Amrit',
    'Raﬁq Rafiq',
    "D’Souza D'Souza D‘Souza Dʼ\u2060Souza D´Souza D＇Souza",
    'Rao–Iyer Rao-Iyer Rao‑Iyer Rao‐Iyer Rao—Iyer Rao−Iyer',
    'Vij\u200bay Vijay Vij\ufeffay Vij\u00aday Vij\u2060ay',
    '\u202aVikram\u202c Vikram \u200eVikram\u200f',
    'Flat２４ Flat24 Flat٢٤ Flat۲۴',
  ],
  Urdu: ['كريم کریم', 'مُحَمَّد محمد', 'فلیٹ۱۲ فلیٹ12'],
}

/** Names that are not spellings of one another: none of them finds another one. */
const different: Record<string, string[]> = {
  Devanagari: ['कमल कामल', 'दिन दीन', 'सुर सूर', 'शर्मा सर्मा', 'बल वल', 'मन मां', 'चंदा चना', 'गणेश गनेश'],
  Bengali: ['শীলা সীলা', 'দিন দীন', 'মন মণ', 'রায় রাই'],
  Gurmukhi: ['ਕਮਲ ਕਾਮਲ', 'ਦਿਨ ਦੀਨ', 'ਸਤਿ ਸੱਤਿ'],
  Gujarati: ['શીલા સીલા', 'દિન દીન', 'મન માન'],
  Tamil: ['மணி மனி', 'கலை களை', 'அறம் அரம்', 'கொடி கோடி'],
  Telugu: ['కమల కామల', 'దిన దీన', 'మణి మని', 'కొడి కోడి'],
  Kannada: ['ಕಮಲ ಕಾಮಲ', 'ದಿನ ದೀನ', 'ಮಣಿ ಮನಿ'],
  Malayalam: ['കമല കാമല', 'ദിന ദീന', 'മണി മനി', 'കൊടി കോടി'],
  Latin: ['Rana Ranu', 'Anil Sunil', "D'Souza Dsouza"],
}

/** Searches in Latin letters, and names that they find. */
const inLatinLetters: Record<string, string[]> = {
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
const othersInLatinLetters: Record<string, string[]> = {
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
const find = async (search: string): Promise<string[]> => {
  const { body } = await browser.send('GET', `/web/leads?search=${encodeURIComponent(search)}&limit=100`)
  return body.data.map(({ id }: { id: string }) => id)
}
const escaped = (text: string) => text.replace(/[\p{Cf}\p{M}]/gu, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`)

/** Each name in the role of a first name, a last name and a whole name. */
const named = (name: string, place: number) => [`${name} Xaver`, `Xaver ${name}`, name][place % 3]!

for (const [script, groups] of Object.entries(spellings))
  test(`each spelling finds the others: ${script}`, async () => {
    const missed: string[] = []
    for (const [place, group] of groups.entries()) {
      const names = group.split(' ')
      const ids = new Map<string, string>()
      for (const name of names) ids.set(name, await create(named(name, place)))
      for (const typed of names) {
        const found = await find(typed)
        for (const [name, id] of ids) if (!found.includes(id)) missed.push(`${escaped(typed)} > ${escaped(name)}`)
      }
    }
    assert.deepEqual(missed, [])
  })

for (const [script, pairs] of Object.entries(different))
  test(`different names stay different: ${script}`, async () => {
    for (const pair of pairs) {
      const [one = '', other = ''] = pair.split(' ')
      const id = await create(one)
      assert.ok(!(await find(other)).includes(id), pair)
    }
  })

const pairs = (table: Record<string, string[]>) =>
  Object.entries(table).flatMap(([search, names]) => names.map((name) => [search, name] as const))

test('a name in Latin letters finds those in Indian scripts', async () => {
  const missed: string[] = []
  for (const [search, name] of pairs(inLatinLetters)) {
    const id = await create(name)
    if (!(await find(search)).includes(id)) missed.push(`${search} > ${name}`)
  }
  assert.deepEqual(missed, [])
})

test('a name in Latin letters finds no others', async () => {
  const wrong: string[] = []
  for (const [search, name] of pairs(othersInLatinLetters)) {
    const id = await create(name)
    if ((await find(search)).includes(id)) wrong.push(`${search} > ${name}`)
  }
  assert.deepEqual(wrong, [])
})
