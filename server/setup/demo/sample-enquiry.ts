import type { Answer, Origin } from '../../crm/enquiries/contract.ts'
import { pickOne, type Random, wholeBetween } from './chance.ts'

/** What a lead sent first. */
export interface FirstEnquiry {
  /** The folder of its sender. Null: it has none. */
  platform: string | null
  origin: Origin
  answers: Answer[]
}

interface Channel {
  platform: string | null
  /** Where its enquiries come from; each is one of these. */
  origins: Origin[]
  questions: Record<string, string[]>
}

const budgets = ['Below ₹1 lakh', '₹1–2 lakh', '₹2–4 lakh', 'Above ₹4 lakh']
const homes = ['₹50–75 lakh', '₹75 lakh – ₹1 crore', '₹1–1.5 crore', 'Above ₹1.5 crore']
const months = ['This month', 'In 1–3 months', 'Later this year', 'Just looking']

const kitchens = { campaign: 'Modular kitchen – Pune', campaign_id: '120210934411870', product: 'Modular kitchen' }
const wardrobes = { campaign: 'Wardrobe EMI offer', campaign_id: '120210934411996', product: 'Wardrobe' }
const festive = { campaign: 'Diwali offer', campaign_id: '120210934412034', product: 'Full home interior' }
const search = { campaign: 'Search – modular kitchen', campaign_id: '21875502231', product: 'Modular kitchen' }
const brand = { campaign: 'Search – brand', campaign_id: '21875502240' }
const site = 'https://www.homestudio.example'

/** By source. Leads of other sources come by phone or in person. */
const channels: Record<string, Channel> = {
  Meta: {
    platform: 'meta-lead-ads',
    origins: [
      { ...kitchens, ad_set: 'Home owners 28–50', ad: 'Video: kitchen tour', form: 'Free design visit' },
      { ...kitchens, ad_set: 'Lookalike 1 %', ad: 'Carousel: 6 kitchens', form: 'Free design visit' },
      { ...wardrobes, ad_set: 'Home owners 28–50', ad: 'Image: ₹1,999 a month', form: 'Price list' },
      { ...festive, ad_set: 'New flats', ad: 'Video: before and after', form: 'Free design visit' },
      { ...festive, ad_set: 'New flats', ad: 'Image: 20 % off', form: 'Price list' },
    ],
    questions: {
      'What is your budget?': budgets,
      'When do you want to start?': months,
      'What kind of home do you have?': ['1 BHK', '2 BHK', '3 BHK', 'Villa'],
      'When may we call you?': ['Morning', 'Afternoon', 'Evening'],
    },
  },
  'Google Ads': {
    platform: 'google-ads',
    origins: [
      { ...search, ad_set: 'Kitchen price', keyword: 'modular kitchen price', form: 'Get a quotation' },
      { ...search, ad_set: 'Kitchen near me', keyword: 'modular kitchen near me', form: 'Get a quotation' },
      { ...brand, keyword: 'home studio interiors', page_url: `${site}/contact`, form: 'Contact us' },
      {
        campaign: 'Performance Max',
        campaign_id: '21875502263',
        product: 'Full home interior',
        form: 'Get a quotation',
      },
    ],
    questions: {
      'What do you need?': ['Kitchen', 'Kitchen, Wardrobe', 'Wardrobe', 'Full home'],
      Budget: budgets,
      Pincode: ['411045', '411057', '400607', '422009', '560066'],
    },
  },
  IndiaMART: {
    platform: 'indiamart',
    origins: ['Modular workstation', 'Office chair', 'Conference table', 'Steel almirah', 'Reception desk'].map(
      (product) => ({ product }),
    ),
    questions: {
      Quantity: ['10 Piece', '25 Piece', '60 Piece', '150 Piece'],
      'Probable order value': ['Rs. 50,000 to 1 Lakh', 'Rs. 1 to 3 Lakh', 'Rs. 3 to 10 Lakh'],
      'Probable requirement type': ['Business use', 'For reselling'],
    },
  },
  Website: {
    platform: null,
    origins: [
      { product: 'Modular kitchen', form: 'Request a quotation', page_url: `${site}/modular-kitchen` },
      { product: 'Wardrobe', form: 'Request a quotation', page_url: `${site}/wardrobes` },
      {
        campaign: 'Newsletter November',
        form: 'Contact us',
        page_url: `${site}/contact`,
        utm_source: 'newsletter',
        utm_medium: 'email',
      },
      { form: 'Contact us', page_url: `${site}/contact`, referrer: 'https://www.google.com/' },
    ],
    questions: {
      'Your requirement': ['Design and installation', 'Design only', 'Repair of a kitchen'],
      Budget: budgets,
      'Preferred date of visit': ['This weekend', 'Next weekend', 'Any weekday'],
    },
  },
  JustDial: {
    platform: 'justdial',
    origins: ['Interior Designers', 'Modular Kitchen Dealers', 'Furniture Dealers'].map((product) => ({ product })),
    questions: { Area: ['Kothrud', 'Baner', 'Thane West', 'Andheri East'], Pincode: ['411038', '411045', '400601'] },
  },
  WhatsApp: {
    platform: 'whatsapp',
    origins: [{ ...wardrobes, ad: 'Image: ₹1,999 a month' }, { ...festive, ad: 'Image: 20 % off' }, {}],
    questions: { 'What are you looking for?': ['Kitchen', 'Wardrobe', 'TV unit', 'Price list'] },
  },
  '99acres': {
    platform: '99acres',
    origins: ['2 BHK, Green Meadows, Baner', '3 BHK, Green Meadows, Baner', 'Villa, Sunrise Hills'].map((product) => ({
      product,
    })),
    questions: { Budget: homes, 'Possession by': ['Ready to move', 'Within 1 year', 'Within 3 years'] },
  },
  MagicBricks: {
    platform: 'magicbricks',
    origins: ['2 BHK, Lake View, Powai', '3 BHK, Lake View, Powai', 'Shop, Market Street'].map((product) => ({
      product,
    })),
    questions: { Budget: homes, 'Looking for': ['Own use', 'Investment'] },
  },
  TradeIndia: {
    platform: 'tradeindia',
    origins: ['Teak dining table', 'Office chair', 'Hotel furniture'].map((product) => ({ product })),
    questions: {
      'Order quantity': ['20 Units', '100 Units', '500 Units'],
      Destination: ['Dubai', 'Nairobi', 'Kathmandu'],
    },
  },
  Exhibition: {
    platform: null,
    origins: [{ campaign: 'Home & Decor Expo', form: 'Stall visitors' }],
    questions: { 'Interested in': ['Kitchen', 'Wardrobe', 'Kitchen, Wardrobe'], 'Flat is ready in': months },
  },
}

/** Returns what a lead of the source sent: it answers some of the questions, at least one. */
export function sampleEnquiry(source: string, random: Random): FirstEnquiry | null {
  const channel = channels[source]
  if (!channel) return null
  const questions = Object.entries(channel.questions)
  const answered = wholeBetween(1, questions.length, random)
  return {
    platform: channel.platform,
    origin: pickOne(channel.origins, random),
    answers: questions
      .slice(0, answered)
      .map(([question, answers]) => ({ question, answer: pickOne(answers, random) })),
  }
}
