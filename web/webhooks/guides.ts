export interface Guide {
  /** The heading in the page with the steps right under it. */
  name: string
  /** In docs/webhooks. */
  page: string
  /** Set if the platform asks for the verify token. */
  verifyToken?: true
}

/** By kind; within a kind, the most used first. */
export const guides: Readonly<Record<string, readonly Guide[]>> = {
  Ads: [
    { name: 'Meta Lead Ads (Facebook, Instagram)', page: 'meta-lead-ads.md', verifyToken: true },
    { name: 'Google Ads lead forms', page: 'google-ads.md' },
    { name: 'LinkedIn', page: 'more-platforms.md' },
    { name: 'TikTok', page: 'more-platforms.md' },
  ],
  Portals: [
    { name: 'IndiaMART', page: 'indiamart.md' },
    { name: 'JustDial', page: 'justdial.md' },
    { name: '99acres', page: '99acres.md' },
    { name: 'MagicBricks', page: 'magicbricks.md' },
    { name: 'Housing.com', page: 'more-platforms.md' },
    { name: 'TradeIndia', page: 'tradeindia.md' },
  ],
  'Forms and websites': [
    { name: 'Contact Form 7', page: 'wordpress-forms.md' },
    { name: 'Elementor', page: 'wordpress-forms.md' },
    { name: 'Gravity Forms', page: 'wordpress-forms.md' },
    { name: 'WPForms', page: 'wordpress-forms.md' },
    { name: 'Fluent Forms', page: 'wordpress-forms.md' },
    { name: 'Typeform', page: 'typeform.md' },
    { name: 'Jotform', page: 'more-platforms.md' },
    { name: 'Tally', page: 'more-platforms.md' },
    { name: 'Wix', page: 'more-platforms.md' },
    { name: 'Webflow', page: 'more-platforms.md' },
    { name: 'Calendly', page: 'more-platforms.md' },
  ],
  'Chat and calls': [
    { name: 'WhatsApp Cloud API', page: 'whatsapp.md', verifyToken: true },
    { name: 'AiSensy', page: 'whatsapp.md' },
    { name: 'Gupshup', page: 'whatsapp.md' },
    { name: 'Interakt', page: 'whatsapp.md' },
    { name: 'Wati', page: 'whatsapp.md' },
    { name: 'Exotel', page: 'exotel.md' },
    { name: 'MyOperator', page: 'myoperator.md' },
    { name: 'Tata Smartflo', page: 'tata-smartflo.md' },
    { name: 'CallRail', page: 'more-platforms.md' },
  ],
  'Shops and payments': [
    { name: 'Shopify', page: 'more-platforms.md' },
    { name: 'WooCommerce', page: 'more-platforms.md' },
    { name: 'Razorpay', page: 'more-platforms.md' },
  ],
  CRM: [
    { name: 'HubSpot', page: 'more-platforms.md' },
    { name: 'Zoho CRM', page: 'more-platforms.md' },
    { name: 'Zoho Forms', page: 'more-platforms.md' },
  ],
  Bridges: [
    { name: 'Zapier', page: 'zapier-make-n8n-pabbly.md' },
    { name: 'Make', page: 'zapier-make-n8n-pabbly.md' },
    { name: 'n8n', page: 'zapier-make-n8n-pabbly.md' },
    { name: 'Pabbly Connect', page: 'zapier-make-n8n-pabbly.md' },
  ],
  Other: [{ name: 'Anything else', page: 'README.md' }],
}

export const everyGuide: readonly Guide[] = Object.values(guides).flat()

/** Finds the guide of a webhook by its labels: that of "IndiaMART Pune" is IndiaMART, that of "Google" Google Ads. */
export function guideFor(...labels: string[]): Guide | undefined {
  const given = labels.map((label) => label.trim().toLowerCase()).filter((label) => label.length > 2)
  return everyGuide.find(({ name }) => {
    const own = name.toLowerCase().replace(/ \(.*|\.com/, '')
    return given.some((label) => ` ${label} `.includes(` ${own} `) || `${own} `.startsWith(`${label} `))
  })
}
