import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phoneKey } from './contact.ts'
import { holdsMore, phoneIn, phonesIn } from './parse-contact.ts'

/** Numbers as telephone systems write and dial them. */
const written: [text: string, number: string | undefined][] = [
  ['sip:+919845012345@10.0.0.5:5060', '+919845012345'],
  ['SIP/airtel-trunk/09845012346', '+919845012346'],
  ['PJSIP/9845012347@jio-out', '+919845012347'],
  ['Local/919845012348@from-internal-0000002f;1', '+919845012348'],
  ['<tel:+91-98450-12349>', '+919845012349'],
  ['tel:+919845012350;phone-context=ims.example.in', '+919845012350'],
  ['9845012351#', '+919845012351'],
  ['+919845012352;user=phone', '+919845012352'],
  ['sip:09845012353@sbc.example.com;user=phone', '+919845012353'],
  ['%2B919845012354', '+919845012354'],
  ['00919845012355', '+919845012355'],
  ['09845012356', '+919845012356'],
  ['"Meena Traders" <9845012357>', '+919845012357'],
  ['sofia/gateway/tata/919845012358', '+919845012358'],
  ['DAHDI/g0/09845012359', '+919845012359'],
  ['IAX2/voip-peer/919845012360', '+919845012360'],
  ['Dongle/dongle0/+919845012361', '+919845012361'],
  ['+91 (0) 98450 12362', '+919845012362'],
  ['0091-80-4123-4567', '+918041234567'],
  ['sip:%2B919845012363@sbc.example.net', '+919845012363'],
  ['"Arun" <sip:9845012364@pbx.example.in>;tag=as51c3', '+919845012364'],
  ['PJSIP/204-00000b21', undefined],
  ['SIP/305', undefined],
  ['Local/402@from-queue-00000a11;2', undefined],
  ['sofia/internal/1004@pbx.local', undefined],
  ['201', undefined],
  ['sip:sales@pbx.example.in', undefined],
  ['tel:1001;phone-context=pbx.local', undefined],
  ['SIP/airtel-trunk-000001f4', undefined],
  ['s', undefined],
  ['asha@sip.example.com', undefined],
  ['https://example.com/9845012345', undefined],
]

for (const [text, number] of written)
  test(`${text} is ${number ?? 'no number'}`, () => {
    const read = phoneIn(text)
    assert.equal(read && phoneKey(read, 'IN'), number)
    if (number)
      assert.deepEqual(
        [phonesIn(text, 'IN').map((one) => phoneKey(one, 'IN')), holdsMore(text, 'IN')],
        [[number], false],
      )
  })
