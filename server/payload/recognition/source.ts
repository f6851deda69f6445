import { isKnownCity } from './cities.ts'
import { type Evidence, inGroup } from './evidence.ts'
import { meaningOf } from './label.ts'
import { type Choice, choose, type Features, type Scoring } from './scoring.ts'
import { besideContact } from './surroundings.ts'
import { isId, isNumeric, isWriting } from './values.ts'

export function chooseSource(free: Evidence[], contacts: Evidence[], scoring: Scoring): Choice | undefined {
  const candidates = free.flatMap((evidence) => {
    const features = featuresOf(evidence, contacts, free)
    return features ? [{ evidence, value: evidence.value, features }] : []
  })
  return choose('source', candidates, scoring)
}

/** A device, or a part of the platform, and not where the lead comes from. */
const notSources =
  /^(#.*|external|e?mail|android|ios|iphone|smart ?phone|tablet|terminal|((android|ios|mobile)[ _-])?app|mobile|desktop|server|backend|api|marketplace|third[ _]party|system|manual|campaign|dashboard|admin([ _-]panel)?|schedule[rd]|cron(:.*)?|webhook|csv|import(ed)?|internal|inbound|incoming|customer|contact|visitor|recipient|user|agent|default|stripe|paypal|razorpay|prod(uction)?|live|test|true|n8n|zapier|pabbly|v\d+|[\w -]*api|[\w-]+[-_]service|pos([ _-]\w+)?|erp|crm|staff|back[ _-]?office|database|sync|kiosk|importer|[\w -]+[ _-]engine|admin[ _-]\w+|[\w -]*[ _-](mapping|sync|import|export|migration|script|worker)|self[ _-](?!registration)\w+|first[ _-]party|crm[ _-]\w+|[\w -]+[ _-](creation|created|updated?)|draft[ _-]\w+|[\w-]+[_-](function|lambda))$/i

const asked = /hear|found|find/i

/** Networks, messengers, marketplaces and portals, without spaces, hyphens and dots. */
const platforms = new Set(
  `ig fb facebook instagram messenger whatsapp google youtube linkedin tiktok snapchat twitter telegram viber weixin
  douyin xiaohongshu line wechat signal kakaotalk zalo rcs vk sms web website airbnb airbnbofficial bookingcom expedia
  vrbo agoda tripadvisor goibibo makemytrip cleartrip yatra oyo hostelworld trivago hotelscom tripcom zomato swiggy
  indiamart justdial tradeindia sulekha urbancompany practo shaadicom wedmegood carwale cardekho carscom cargurus
  truecar edmunds flipkart amazon meesho myntra nykaa etsy ebay olx gumtree yelp nextdoor thumbtack angi homeadvisor
  houzz capterra g2 99acres magicbricks housing housingcom nobroker zillow trulia realtorcom redfin rightmove zoopla
  onthemarket idealista fotocasa habitaclia homegate outbrain taboola bing yahoo duckduckgo baidu naver googlemybusiness
  googleads facebookads snapchatads facebookmessenger instagramdm pinterest reddit quora discord threads commonfloor
  squareyards proptiger makaan quikr urbanclap shiksha collegedunia collegedekho careers360 naukri naukricom indeed
  foundit timesjobs apna glassdoor ziprecruiter bark barkcom trustpilot lendingtree quinstreet policybazaar bankbazaar
  paisabazaar hotstar blinkit zepto ubereats doordash grubhub deliveroo foodpanda tokopedia shopee lazada 小红书
  immobiliare immobiliareit immoscout24 immobilienscout24 immowelt seloger leboncoin funda otodom autotrader mobilede
  propertyfinder bayut dubizzle zapimoveis vivareal domaincomau 百度 百度信息流 抖音 微信 快手 巨量引擎`.split(/\s+/),
)

const isPlatformsName = (value: string) =>
  value.length < 40 && platforms.has(value.toLowerCase().replace(/[\s_.-]/g, ''))

/** Whether it is where people find a business, wherever it stands. */
export const isNetwork = (value: string) => isPlatformsName(value) && !/^(web|line|signal|sms)/i.test(value)

/** Whether its name is about where something comes from, and its value a network, and not a person. */
const isFromNetwork = (label: string, value: string) =>
  isNetwork(value) && !ofService.test(label) && (fromWhere.test(label) || /^(platform|referred[ _-]?by)$/i.test(label))

const fromWhere =
  /(source|src|medium|media|origin|via)([ _-]?(name|nm|code|desc|label|partner))?$|\S([ _-]|(?<=[a-z])(?=[A-Z]))(channel|network|platform|portal|publisher|vendor|provider|referrer|referral)([ _-]?(name|nm|code|host))?$/i

/** A service that a program uses. */
const ofService = /auth|chat|input|log[ _-]?in|sign[ _-]?in|sso|pay|mail|sms|identity|sync|data|calendar|storage|map/i

function featuresOf(evidence: Evidence, contacts: Evidence[], all: Evidence[]): Features<'source'> | undefined {
  const { senses, value, labels, around, staff, thing, question } = evidence
  const label = labels[0] ?? ''
  const utm =
    /utm/i.test(`${labels.join(' ')} ${around[0]}`) ||
    (/^source$/i.test(label) &&
      /^([\w-]+:)?(campaign|referrer|attribution|analytics|tracking)([ _-]?(info|details|data))?$/i.test(
        around[0] ?? '',
      ))
  const isSite =
    (/^lead[ _-]?source$/i.test(label) && /^https?:\/\/[\w.-]+\/?$/i.test(value)) || /^www(\.[\w-]+){2,}$/i.test(value)
  if (
    value.length > 200 ||
    (staff && !utm && !isFromNetwork(label, value)) ||
    !(isWriting(value) || isSite) ||
    isNumeric(value)
  )
    return undefined
  if (/\d{6}/.test(value) || (!utm && isId(value))) return undefined
  // Where an email or a number was found.
  const { email, phone } = meaningOf(around[0] ?? '').senses
  if (email || phone) return undefined
  const beside = besideContact(evidence, contacts)
  if (!senses.source) {
    const ofLead =
      (beside && !/^[A-Z]{2,3}$/.test(value) && !notSources.test(value)) ||
      /^lead/i.test(label) ||
      /^(lead|enquiry|inquiry)$/i.test(around[0] ?? '')
    if (/^((lead[_ -]?)?origin|portal([ _-]?name)?)$/i.test(label) && ofLead && !isKnownCity(value))
      return { origin: 1, besideContact: beside }
    if (/^(platform|portal)$/i.test(label) && /^lead[ _-]?source$/i.test(around[0] ?? '')) return { origin: 1 }
    const isPlatform =
      labels.some((one) =>
        /(^|\.)(platform|portal|origin([ _-]?from)?|referr?er|((booking|order|origin|sales)[ _-]?)?channel([ _-]?(name|type))?|(primary[ _-]?)?protocol[ _-]?type|referred[ _-]?by|ota([ _-]?name)?|campaign[ _-]?name|m[ie]dia|canal|canale|kanal|transport|(publisher|customer)[ _-]?platform)$/i.test(
          one,
        ),
      ) ||
      isFromNetwork(label, value) ||
      (/^(name|type)$/i.test(label) && /^(channels?|platform|social[ _-]?account)$/i.test(around[0] ?? ''))
    // The version of a program beside it says which one was used.
    const isProgram =
      /^web/i.test(value) && (/^origin$/i.test(label) || besideIt(evidence, all, /^(app|sdk|client)[ _-]?version$/i))
    const isReminder = around.some((name) => /^(reminder|notification)s?$/i.test(name))
    return isPlatform && isPlatformsName(value) && !isProgram && !isReminder ? { platform: 1 } : undefined
  }
  if ((thing && !question && !utm) || isOfPayment(evidence, all)) return undefined
  // The label of a postal address, whose id means where something comes from.
  if (labels.length > 1 && meaningOf(label).senses.place && !meaningOf(label).senses.source) return undefined
  // Where the value beside it comes from.
  if (/^source$/i.test(label) && isFields(around[0] ?? '') && besideIt(evidence, all, /^value$/i)) return undefined
  const own = utm || senses.source >= 95
  if (!utm && !asked.test(label) && notSources.test(value)) return undefined
  if (!utm && isEnvelopes(evidence, contacts, all)) return undefined
  return {
    // Beside `utm_source`, a further name of the source is less.
    named: (utm && !/source/i.test(label)) || isVague(evidence, all) ? 0.6 : senses.source / 100,
    besideContact: beside,
    network: Number(!utm && isNetwork(value)),
    aside: Number(!own && !question && isAside(evidence, contacts)),
    depth: Math.min(around.length, 5),
  }
}

/** Whether it only says that the lead came from the web or from a part of a page, where `utm_source` says from where. */
const isVague = ({ value }: Evidence, all: Evidence[]) =>
  all.some(
    ({ labels, value: utm }) =>
      /^utm[ _-]?source$/i.test(labels[0] ?? '') &&
      (/^(web( ?site)?|online|internet)$|\S web ?site$/i.test(value) ||
        (/^[a-z]+([_-][a-z]+)*$/.test(value) && !isPlatformsName(value) && isNetwork(utm))),
  )

/** Whether it is the name of a field, which a value and where it comes from are in. */
function isFields(name: string): boolean {
  const { source, first, last, city, company } = meaningOf(name).senses
  return Math.max(source ?? 0, first ?? 0, last ?? 0, city ?? 0, company ?? 0) >= 60
}

/** Whether it is a card or an account that a payment comes from. */
function isOfPayment({ around, group }: Evidence, all: Evidence[]): boolean {
  if (!/(?<!re)source$/i.test(around[0] ?? '')) return false
  return inGroup(all, group).some(({ labels }) =>
    /^(number|last[ _-]?(4|four|digits)|card[ _-]?\w*|brand|gateway[ _-]?id|iban|bank[ _-]?\w*|fingerprint|funding|payment[ _-]?\w+)$/i.test(
      labels[0] ?? '',
    ),
  )
}

/** Whether it is inside a part of the person's record: an earlier visit, a conversion, a message. */
function isAside({ around, group }: Evidence, contacts: Evidence[]): boolean {
  const parent = meaningOf(around[0] ?? '')
  return !parent.bare && !parent.senses.source && contacts.some((contact) => contact.group === group.parent)
}

/** Whether it names the part of a system that sent the event, beside the type of the event. */
function isEnvelopes(source: Evidence, contacts: Evidence[], all: Evidence[]): boolean {
  const { person, labels, group, around } = source
  if (person || besideContact(source, contacts) || meaningOf(labels[0] ?? '').words.length > 1) return false
  const beside = inGroup(all, group).filter((other) => other.around.length === around.length)
  if (beside.some(({ value }) => contacts.some((contact) => contact.value === value))) return false
  return besideIt(source, all, /^(event[ _-]?type|(occurred|happened)[ _-]?at|topic)$/i)
}

function besideIt({ group, around }: Evidence, all: Evidence[], label: RegExp): boolean {
  return inGroup(all, group).some((other) => other.around.length === around.length && label.test(other.labels[0] ?? ''))
}
