import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'

const app = await testApp()
after(app.close)
const { asha } = await people(app)
const browser = await signedIn(app, asha)

let phone = 9_870_000_000
for (const [stored, ...searches] of [
  [{ name: 'Rene\u0301 Joshi' }, 'Ren\u00e9', 'Rene\u0301', 'ren\u00e9 jo'],
  [{ name: 'Ren\u00e9e Dias' }, 'Rene\u0301e', 'REN\u00c9E'],
  [{ name: '\u0938\u093e\u0915\u094d\u0937\u0940 \u0930\u093e\u0935' }, '\u0938\u093e\u0915\u094d\u0937\u0940'],
  [{ name: '\u0915\u094d\u200d\u0937\u092e\u093e' }, '\u0915\u094d\u200d\u0937\u092e\u093e'],
  [
    { name: '\u0921\u093c\u093f\u092e\u092a\u0932' },
    '\u0921\u093c\u093f\u092e\u092a\u0932',
    '\u095c\u093f\u092e\u092a\u0932',
  ],
  [{ name: "Sean O'Brien" }, 'O\u2019Brien', "o'brien"],
  [{ name: 'Maria D\u2019Souza' }, "D'Souza", 'd\u2019souza'],
  [{ name: 'Meera Rao-Iyer', company: 'Rolls-Royce' }, 'Iyer', 'rao-iyer', 'rao-iy', 'royce', 'meera iyer'],
  [{ name: 'Buyer One', company: '24 Seven Motors' }, '24 Seven', '24'],
  [{ name: 'Buyer Two', company: '3M India' }, '3M', '3m ind'],
  [
    { name: 'Any Script', phone: '98765 43210' },
    ...['००९१', '+९१ ', '', '०'].map((code) => `${code}९८७६५ ४३२१०`),
    ...['৯৮৭৬৫৪৩২১০', '੯੮੭੬੫੪੩੨੧੦', '૯૮૭૬૫૪૩૨૧૦', '୯୮୭୬୫୪୩୨୧୦', '௯௮௭௬௫௪௩௨௧௦'],
    ...['౯౮౭౬౫౪౩౨౧౦', '೯೮೭೬೫೪೩೨೧೦', '൯൮൭൬൫൪൩൨൧൦', '٩٨٧٦٥٤٣٢١٠', '۹۸۷۶۵۴۳۲۱۰', '９８７６５４３２１０'],
    ...['९८७६५', '৯৮৭৬৫', '౯౮౭౬౫', '४३२१०', '૩૨૧૦', '൩൨൧൦', '+९१९८७'],
    ...[
      'https://wa.me/919876543210',
      'https://wa.me/919876543210?text=Hello%2C%20I%20am%20interested%20in%20the%203%20BHK%20flat%20in%20Wakad',
      'http://wa.me/+919876543210',
    ],
    ...['wa.me/919876543210', 'www.wa.me/919876543210/', 'HTTPS://WA.ME/919876543210'],
    ...[
      'https://api.whatsapp.com/send?phone=919876543210',
      'https://api.whatsapp.com/send/?phone=%2B919876543210&text=Hi',
    ],
    ...['https://api.whatsapp.com/send?text=Hi&phone=919876543210', 'https://web.whatsapp.com/send?phone=919876543210'],
    ...['whatsapp://send?phone=919876543210', '\u202a+91 98765 43210\u202c', 'tel:+91-98765-43210', '98765\u00a043210'],
  ],
  [{ name: 'No Plan', phone: '+99912345678901' }, '+99912345678901', '+999 1234 5678 901', '99912345678901'],
  [
    { name: 'With Zero', phone: '+91 (0) 98700 99999' },
    '+91 (0) 98700 99999',
    'tel:+919870099999',
    '98700 99999,',
    '99999',
  ],
] as [object, ...string[]][]) {
  test(`${JSON.stringify(stored)} is found by ${searches.join(', ')}`, async () => {
    const { status, body } = await asha.send('POST', '/api/v1/leads', { phone: String(++phone), ...stored })
    assert.equal(status, 201, JSON.stringify(body))
    for (const search of searches) {
      const found = await browser!.send('GET', `/web/leads?search=${encodeURIComponent(search)}`)
      const ids = found.body.data.map(({ id }: { id: string }) => id)
      assert.ok(ids.includes(body.data.id), `${search}: ${JSON.stringify(ids)}`)
    }
  })
}
