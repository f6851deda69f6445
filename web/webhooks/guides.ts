export interface Guide {
  name: string
  /** In order. `**…**` are words on the screen of the platform. */
  steps: readonly string[]
  /** Set if the platform asks for the verify token. */
  verifyToken?: true
  /** In docs/webhooks, with the same steps: a test compares them. */
  page: string
}

const bridgeSteps = [
  'Name the fields `name`, `phone`, `email`, `company`, `city`, `message`. Other names are recognised too.',
  'Run the flow once: the answer says `created` or `merged`.',
]

const accountManager = (portal: string) => [
  `Send the URL to your account manager at ${portal}. Ask for **lead push** (CRM integration) as JSON by POST, without user and password; status 200 is success. XML is not supported.`,
  'Ask for one test lead, and look whether it came. The setup takes some days.',
]

/** By kind; within a kind, the most used first. */
export const guides: Readonly<Record<string, readonly Guide[]>> = {
  Ads: [
    {
      name: 'Meta Lead Ads (Facebook, Instagram)',
      steps: [
        'In a bridge (Zapier, Make, n8n or Pabbly), create a flow that starts with **Facebook Lead Ads**, new lead. Sign in, choose the Page and the form.',
        'Add a step that sends an HTTP request, method **POST**, to the URL. Send all fields of the lead unchanged.',
        'Send a lead with Meta’s **Lead Ads Testing Tool**, then switch the flow on.',
        'If your own app enters the URL at Meta instead, Meta asks for the verify token of the webhook.',
      ],
      verifyToken: true,
      page: 'meta-lead-ads.md',
    },
    {
      name: 'Google Ads lead forms',
      steps: [
        'In Google Ads, open the **Assets** of the campaign, and there the **Lead form** (new, or the pencil of an existing one).',
        'Open **Export leads from Google Ads** (in some accounts **Lead delivery options**), then **Other data integration options**, and find **Webhook integration**.',
        'Paste the URL as **Webhook URL**. Enter any word as **Key**: Google requires one, it is not checked.',
        '**Send test data**, then save. The test is stored as a delivery and creates no lead.',
      ],
      page: 'google-ads.md',
    },
    {
      name: 'LinkedIn',
      steps: [
        'In Zapier, create a Zap that starts with **LinkedIn Ads**, **New Lead Gen Form Response**.',
        'End it with **Webhooks by Zapier**, **POST**, and the URL. Send all fields as they are.',
      ],
      page: 'more-platforms.md',
    },
    {
      name: 'TikTok',
      steps: [
        'In Zapier, create a Zap that starts with **TikTok Lead Generation**, **New Lead**.',
        'End it with **Webhooks by Zapier**, **POST**, and the URL. Send all fields as they are.',
      ],
      page: 'more-platforms.md',
    },
  ],
  Portals: [
    {
      name: 'IndiaMART',
      steps: [
        'On seller.indiamart.com open **Lead Manager**, its menu (three dots), **Import/Export Leads**, then **Push API**.',
        'Choose **Other** as the platform, give it a name, and paste the URL as the webhook (listener) URL.',
        'Save, and confirm with the OTP. The key of the **Pull API** in the same menu is not needed.',
      ],
      page: 'indiamart.md',
    },
    {
      name: 'JustDial',
      steps: [
        'Write from your registered email to your account manager or to JustDial’s support: “Please send our leads in real time to this URL, by POST with JSON or by GET. It needs no user, password or API key.”',
        'Add the URL, your company name and your registered number.',
        'Ask for a test lead, and look whether it came. The setup takes some days.',
      ],
      page: 'justdial.md',
    },
    { name: '99acres', steps: accountManager('99acres'), page: '99acres.md' },
    { name: 'MagicBricks', steps: accountManager('MagicBricks'), page: 'magicbricks.md' },
    { name: 'Housing.com', steps: accountManager('Housing.com'), page: 'more-platforms.md' },
    {
      name: 'TradeIndia',
      steps: [
        'In a bridge, create a flow with a **schedule** of every 15 minutes, then an HTTP **GET** of the link from **My Inquiry API**, with `from_date` and `to_date` set to today. TradeIndia limits how often you may ask; its page says how often.',
        'Split the answer, a list, into single inquiries. Let only those through whose `rfi_id` was not seen before.',
        'Send each inquiry as JSON with an HTTP **POST** to the URL.',
      ],
      page: 'tradeindia.md',
    },
  ],
  'Forms and websites': [
    {
      name: 'Contact Form 7',
      steps: [
        'In WordPress, install the free plugin **CF7 to Webhook**.',
        'Edit the form, open its **Webhook** tab, tick sending, paste the URL, and save.',
      ],
      page: 'wordpress-forms.md',
    },
    {
      name: 'Elementor',
      steps: [
        'Edit the Form widget (Elementor Pro). Under **Actions After Submit** add **Webhook**.',
        'Open the **Webhook** section below it, and paste the URL as **Webhook URL**. **Advanced Data** may be on or off.',
        'Update the page.',
      ],
      page: 'wordpress-forms.md',
    },
    {
      name: 'Gravity Forms',
      steps: [
        'Open the form’s **Settings**, **Webhooks**, **Add New** (needs the Webhooks Add-On).',
        'Paste the URL as **Request URL**. Method POST, format JSON.',
        'Request Body: **Select Fields**, with the keys `name`, `email`, `phone`, `message`. **All Fields** works too, but sends numbers for names.',
      ],
      page: 'wordpress-forms.md',
    },
    {
      name: 'WPForms',
      steps: [
        'In the form builder open **Settings**, **Webhooks**, and switch them on (needs the Webhooks addon).',
        'Paste the URL as **Request URL**. Method POST, format JSON.',
        'Request Body: the keys `name`, `email`, `phone`, `message`, each with its field.',
      ],
      page: 'wordpress-forms.md',
    },
    {
      name: 'Fluent Forms',
      steps: [
        'Open the form’s **Settings & Integrations**, **WebHook**, **Add New** (Fluent Forms Pro).',
        'Paste the URL as **Request URL**. Method POST, format JSON; all data, or the fields you choose.',
      ],
      page: 'wordpress-forms.md',
    },
    {
      name: 'Typeform',
      steps: [
        'Open the form, then **Connect**, **Webhooks**, **Add a webhook**.',
        'Paste the URL and save. Leave the secret empty: signatures are not checked.',
        'Switch the webhook **on**. Leave **partial responses** off, or half-filled forms become leads.',
        '**View deliveries**, **Send test request**.',
      ],
      page: 'typeform.md',
    },
    {
      name: 'Jotform',
      steps: [
        'Open the form’s **Settings**, **Integrations**, and search **WebHooks**.',
        'Paste the URL, and complete the integration.',
      ],
      page: 'more-platforms.md',
    },
    {
      name: 'Tally',
      steps: [
        'Publish the form, then open its **Integrations** tab and click **Connect** at **Webhooks**.',
        'Paste the URL as the endpoint URL. Leave the signing secret off: it is not checked.',
      ],
      page: 'more-platforms.md',
    },
    {
      name: 'Wix',
      steps: [
        'In the site’s dashboard open **Automations**, **New Automation**, **Start from Scratch**.',
        'Trigger: **Wix Forms**, **Form submitted**.',
        'Action: **Send via webhook** (if there is none, one for an HTTP request). Paste the URL as **Target URL**, and send **All keys and values**.',
        'Save, then **Activate**.',
      ],
      page: 'more-platforms.md',
    },
    {
      name: 'Webflow',
      steps: [
        'Open the site’s settings, **Apps & integrations**, **Webhooks**, **Add webhook**.',
        'Trigger **Form submission**, API version 2 (1 works too), and the URL.',
      ],
      page: 'more-platforms.md',
    },
    {
      name: 'Calendly',
      steps: [
        'Calendly has no page for webhooks. Without a programmer, use Zapier, Make or n8n: start with **Calendly**, **Invitee Created**, and end with a POST to the URL.',
        'With a personal access token and a paid plan, create the webhook through Calendly’s API. The documentation has the command.',
      ],
      page: 'more-platforms.md',
    },
  ],
  'Chat and calls': [
    {
      name: 'WhatsApp Cloud API',
      steps: [
        'In your app’s dashboard open **WhatsApp**, **Configuration**, **Webhook**, **Edit**.',
        'Callback URL: the URL. Verify token: that of the webhook. **Verify and save**.',
        'Subscribe to the field **messages**.',
      ],
      verifyToken: true,
      page: 'whatsapp.md',
    },
    {
      name: 'AiSensy',
      steps: [
        'Open the project’s settings for webhooks (AiSensy says which plan has them), and paste the URL.',
        'Choose only messages from the user (`message.sender.user`).',
      ],
      page: 'whatsapp.md',
    },
    {
      name: 'Gupshup',
      steps: [
        'Open the app’s settings, and paste the URL as **callback URL** (webhook), payload format v2.',
        'Choose only **message** events, and save. Gupshup tries the URL with an event without a person, which is answered 200 `ignored`.',
      ],
      page: 'whatsapp.md',
    },
    {
      name: 'Interakt',
      steps: [
        'Open **Settings**, **Developer Settings**. Enter the URL as webhook URL, and any secret key.',
        'Choose only **incoming customer messages** (`message_received`).',
      ],
      page: 'whatsapp.md',
    },
    {
      name: 'Wati',
      steps: [
        'Open **Webhooks** (under **Connectors** or **API** in newer versions), **Add Webhook**, and paste the URL.',
        'Status enabled, only **Message Received**.',
      ],
      page: 'whatsapp.md',
    },
    {
      name: 'Exotel',
      steps: [
        'Open the **App Bazaar** (call flows), and edit the flow that your ExoPhone uses.',
        'Drag the **Passthru** applet into it: at the start, to catch everyone who calls; or after **Connect**, to have the outcome too.',
        'Paste the URL there. Tick **Make Passthru Async**: otherwise the caller waits for the answer.',
        'Save the flow.',
      ],
      page: 'exotel.md',
    },
    {
      name: 'MyOperator',
      steps: [
        'In the **Admin Panel** open **APIs & Webhooks**, **Webhooks**, the tab **v2**, and **Add Webhook**.',
        'Paste the URL as **Webhook URL**. Authentication: **None**.',
        'Of the call events choose only **call.summary** (the end of a call). Each further one is another delivery for the same call.',
        'Save, and see that it is enabled.',
      ],
      page: 'myoperator.md',
    },
    {
      name: 'Tata Smartflo',
      steps: [
        'In the left menu open **API Connect**, **Webhook** (in older accounts **Services**, **Webhook**), then **Add Webhook**, and give it a name.',
        'Trigger: **Call hangup (Missed or Answered)**, which comes once for each call. For missed calls only, **Call hangup (Missed)**. Call type: **Inbound**.',
        'Paste the URL. Method **POST**, content type **JSON**; GET works as well. No headers.',
        'Where the body is put together from variables, keep at least `$call_id`, `$caller_id_number`, `$call_to_number`, `$direction` and `$call_status`, each under its own name. Save.',
      ],
      page: 'tata-smartflo.md',
    },
    {
      name: 'CallRail',
      steps: [
        'Open **Integrations** in the left bar, **Webhooks**, and choose the company.',
        'Paste the URL for **Post-call**, and for form submissions if you use the forms of CallRail. **Activate**.',
      ],
      page: 'more-platforms.md',
    },
  ],
  'Shops and payments': [
    {
      name: 'Shopify',
      steps: [
        'In the Shopify admin open **Settings**, **Notifications**, **Webhooks**, **Create webhook**.',
        'Event **Customer creation** or **Order creation**, format **JSON**, the URL, and the latest API version. Save.',
      ],
      page: 'more-platforms.md',
    },
    {
      name: 'WooCommerce',
      steps: [
        'Open **WooCommerce**, **Settings**, **Advanced**, **Webhooks**, **Add webhook**.',
        'Status **Active**, topic **Order created** or **Customer created**, the URL as **Delivery URL**. The secret is not checked.',
        'Save. WooCommerce sends a ping, which is stored and creates no lead.',
      ],
      page: 'more-platforms.md',
    },
    {
      name: 'Razorpay',
      steps: [
        'In the dashboard open **Account & Settings**, then **Webhooks** under **Website and app settings**, and **Add New Webhook**.',
        'Paste the URL. The secret may stay empty: it is not checked. Enter an **Alert Email**.',
        'Choose few events, such as `payment.captured` or `payment_link.paid`: each one that names the person is merged. **Create Webhook**.',
      ],
      page: 'more-platforms.md',
    },
  ],
  CRM: [
    {
      name: 'HubSpot',
      steps: [
        'Open **Automation**, **Workflows**, and a contact workflow (needs Data Hub Professional, formerly Operations Hub).',
        'Add the action **Send a webhook**: method **POST**, the URL (it must begin with https), no authentication. Include all contact properties, or choose them.',
      ],
      page: 'more-platforms.md',
    },
    {
      name: 'Zoho CRM',
      steps: [
        'Open **Setup**, **Automation**, **Actions**, **Webhooks**, and configure one: method **POST**, the URL, module **Leads**.',
        'Name the parameters `First_Name`, `Last_Name`, `Email`, `Mobile`, `Company`, `City`, `Description`.',
        'Under **Workflow Rules**, create a rule for leads that calls it.',
      ],
      page: 'more-platforms.md',
    },
    {
      name: 'Zoho Forms',
      steps: [
        'In the form builder open **Integrations**, **Webhooks**, **Configure Webhook**.',
        'Paste the URL as **Webhook URL**. Content type **application/json**.',
        'Under **Payload Parameters**, choose the fields.',
      ],
      page: 'more-platforms.md',
    },
  ],
  Bridges: [
    {
      name: 'Zapier',
      steps: [
        'End the Zap with **Webhooks by Zapier**, **POST** (a paid plan). URL: the URL. Payload Type: **JSON**. Wrap Request In Array: no.',
        ...bridgeSteps,
      ],
      page: 'zapier-make-n8n-pabbly.md',
    },
    {
      name: 'Make',
      steps: [
        'End the scenario with **HTTP**, **Make a request**. URL: the URL; method **POST**; body as **JSON** (**Raw**, content type JSON, in older versions). No authentication.',
        ...bridgeSteps,
      ],
      page: 'zapier-make-n8n-pabbly.md',
    },
    {
      name: 'n8n',
      steps: [
        'End the workflow with the node **HTTP Request**. Method **POST**; URL: the URL; authentication none; **Send Body** on, content type **JSON**, **Using Fields Below**.',
        ...bridgeSteps,
      ],
      page: 'zapier-make-n8n-pabbly.md',
    },
    {
      name: 'Pabbly Connect',
      steps: [
        'End the workflow with **API by Pabbly**, **Execute API Request**. Method **POST**; URL: the URL; payload type **JSON**; no authentication.',
        ...bridgeSteps,
      ],
      page: 'zapier-make-n8n-pabbly.md',
    },
  ],
  Other: [
    {
      name: 'Anything else',
      steps: [
        'Look for **webhook**, **callback URL**, **CRM integration**, **Push API** or **HTTP request**, and paste the URL.',
        'Choose JSON or a form by POST, or a GET with the fields in the query. XML is rejected.',
        'Each lead needs an email or a phone.',
      ],
      page: 'README.md',
    },
  ],
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
