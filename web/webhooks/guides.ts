interface Guide {
  name: string
  hint: string
  steps: readonly string[]
  /** Set if the platform asks for the verify token. */
  verifyToken?: true
  /** In docs/webhooks. */
  file: string
}

/** Short versions of docs/webhooks; the most used first. */
export const guides: readonly Guide[] = [
  {
    name: 'Meta Lead Ads',
    hint: 'Facebook and Instagram forms, through a bridge',
    steps: [
      'Meta itself sends only ids; a bridge (Zapier, Make, n8n, Pabbly) fetches the answers and sends them on.',
      'In the bridge, create a flow that starts with Facebook Lead Ads, new lead. Sign in, choose the Page and the form.',
      'Add a step that sends an HTTP request, method POST, to the URL above. Send all fields unchanged.',
      'Send a lead with Meta’s Lead Ads Testing Tool, then switch the flow on.',
      'If your own app enters the URL at Meta directly, Meta asks for the verify token.',
    ],
    verifyToken: true,
    file: 'meta-lead-ads.md',
  },
  {
    name: 'Google Ads lead forms',
    hint: 'Directly to the webhook URL',
    steps: [
      'In Google Ads, open the campaign’s Assets, and there the Lead form.',
      'Open Export leads from Google Ads, then Other data integration options, and find Webhook integration.',
      'Paste the URL as Webhook URL. Enter any word as Key: Google requires one, it is not checked.',
      'Send test data, then save. The test is stored here and creates no lead.',
    ],
    file: 'google-ads.md',
  },
  {
    name: 'IndiaMART',
    hint: 'Push API, set up by you',
    steps: [
      'On seller.indiamart.com open Lead Manager, its menu (three dots), Import/Export Leads, then Push API.',
      'Choose Other as the platform, give it a name, and paste the URL as the webhook (listener) URL.',
      'Save, and confirm with the OTP. The key of the Pull API is not needed.',
    ],
    file: 'indiamart.md',
  },
  {
    name: 'JustDial',
    hint: 'Their support enters the URL',
    steps: [
      'Write from your registered email to your account manager or to support: “Please send our leads in real time to this URL, by POST with JSON or by GET. It needs no user, password or API key.”',
      'Add the URL, your company name and your registered number.',
      'Ask for a test lead. The setup takes some days.',
    ],
    file: 'justdial.md',
  },
  {
    name: '99acres and MagicBricks',
    hint: 'Your account manager enters the URL',
    steps: [
      'Ask your account manager for lead push (CRM integration) as JSON by POST. XML is not supported.',
      'Send the URL. Say: no user and no password, status 200 is success.',
      'Ask for one test lead.',
    ],
    file: '99acres.md',
  },
  {
    name: 'Website form',
    hint: 'Contact Form 7, Elementor, Gravity Forms, WPForms, Fluent Forms, your own',
    steps: [
      'Contact Form 7: install the free plugin CF7 to Webhook; in the form’s Webhook tab enable sending and paste the URL.',
      'Elementor Pro: Actions After Submit, add Webhook, paste the URL as Webhook URL.',
      'Gravity Forms, WPForms, Fluent Forms: in the form’s settings add a webhook with the URL, method POST, format JSON, and name the keys name, email, phone, message.',
      'Your own form: send its fields from your server to the URL, as JSON or as a form.',
    ],
    file: 'wordpress-forms.md',
  },
  {
    name: 'Typeform',
    hint: 'Directly to the webhook URL',
    steps: [
      'Open the form, then Connect, Webhooks, Add a webhook. Paste the URL; leave the secret empty.',
      'Switch it on. Leave partial responses off, or half-filled forms become leads.',
      'View deliveries, Send test request.',
    ],
    file: 'typeform.md',
  },
  {
    name: 'WhatsApp',
    hint: 'Cloud API, AiSensy, Gupshup, Interakt, Wati',
    steps: [
      'Cloud API: in your app’s dashboard WhatsApp, Configuration, Webhook, Edit. Callback URL: the URL above. Verify token: the one below.',
      'Verify and save, then subscribe to the field messages.',
      'Providers: enter the URL as webhook or callback URL, and choose only incoming messages.',
    ],
    verifyToken: true,
    file: 'whatsapp.md',
  },
  {
    name: 'Zapier, Make, n8n, Pabbly',
    hint: 'For platforms that cannot send by themselves',
    steps: [
      'End the flow with a step that sends a POST with JSON to the URL, one lead for each request, no authentication.',
      'Name the fields name, phone, email, company, city, message. Other names are recognised too.',
      'Run the flow once; the answer says created or merged.',
    ],
    file: 'zapier-make-n8n-pabbly.md',
  },
  {
    name: 'Shopify and WooCommerce',
    hint: 'New customers and orders',
    steps: [
      'Shopify: Settings, Notifications, Webhooks, Create webhook. Event Customer creation or Order creation, format JSON, the URL.',
      'WooCommerce: WooCommerce, Settings, Advanced, Webhooks, Add webhook. Status Active, topic Order created or Customer created, the URL as Delivery URL.',
    ],
    file: 'more-platforms.md',
  },
  {
    name: 'Jotform, Tally, Webflow, Wix',
    hint: 'Forms and websites, directly to the webhook URL',
    steps: [
      'Jotform: the form’s Settings, Integrations, WebHooks; paste the URL.',
      'Tally: the form’s Integrations, Webhooks, Connect; paste the URL as the endpoint.',
      'Webflow: the site’s Settings, Apps & integrations, Webhooks, Add webhook. Trigger Form submission, the URL.',
      'Wix: Automations, New automation. Trigger Form submitted, action Send HTTP request, method POST, the URL.',
    ],
    file: 'more-platforms.md',
  },
  {
    name: 'HubSpot and Zoho',
    hint: 'Contacts of another CRM, Zoho Forms',
    steps: [
      'HubSpot: a contact workflow with the action Send a webhook, method POST, the URL, no authentication.',
      'Zoho CRM: Setup, Automation, Actions, Webhooks, method POST, and a workflow rule on leads that calls it.',
      'Zoho Forms: Integrations, Webhooks; the URL, content type application/json, and the fields.',
    ],
    file: 'more-platforms.md',
  },
  {
    name: 'Calendly, CallRail, Razorpay',
    hint: 'Bookings, calls, payments',
    steps: [
      'Calendly: create the webhook through its API (the command is in the documentation), or use Zapier, Make or n8n.',
      'CallRail: Settings, Integrations, Webhooks; paste the URL for Post-call.',
      'Razorpay: Account & Settings, Webhooks, Add new webhook. Event payment.captured or payment_link.paid, the URL.',
    ],
    file: 'more-platforms.md',
  },
  {
    name: 'Housing.com, LinkedIn, TikTok',
    hint: 'Through an account manager or a bridge',
    steps: [
      'Housing.com: ask your account manager for lead push as JSON by POST, and send the URL.',
      'LinkedIn: in Zapier, start with LinkedIn Lead Gen Forms, New lead gen form response.',
      'TikTok: in Zapier, start with TikTok Lead Generation, New lead.',
      'End both with a POST of all fields to the URL.',
    ],
    file: 'more-platforms.md',
  },
  {
    name: 'Anything else',
    hint: 'Any platform that can send to a URL',
    steps: [
      'Look for webhook, callback URL, CRM integration, Push API or HTTP request, and paste the URL.',
      'Supported are JSON or a form by POST, and a GET with the fields in the query.',
      'Each lead needs an email or a phone. XML is rejected.',
    ],
    file: 'README.md',
  },
]
