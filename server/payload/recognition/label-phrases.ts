/** What labels of several words mean, where their words alone say something else. */

/** In a question these words mean the business that asks, or nothing. */
export const spokenOf = new Set(
  'did by our support sales marketing system assistant consultant advisor adviser expert experts test connected'.split(
    ' ',
  ),
)

/** Words that mean the receiver of a call, but not of a message. */
export const endings = new Set('received recieved answered connected'.split(' '))

/** `Nombre y apellidos`, `Vor- und Nachname`: both parts of a name in one field. */
export const jointName =
  /\S (?:y|e|et|und|and|or|i|en|va|ve|och|og|и|та|و|और|व|dan) \S|\bad\S* soyad|^(?:isim|adi) soy|^ho (?:va )?ten$|^(?:nom prenom|prenom nom|nombres? apellidos?|apellidos? nombres?|cognome nome|nome cognome|(?:jmeno|meno) (?:prijmeni|priezvisko)|name surname|(?:vor|nach)name (?:vor|nach)name)$/u

/** A city and its state or country in one field. */
export const withState =
  /^(your )?(city|cidade|ciudad|town) (and |or |e |y )?(state|uf|estado|province|provincia|country|pais)$/

/** A name in the address of a person, and not that of an address. */
export const ofAddress = /^(billing|shipping|delivery|invoice) address (full ?)?name$|\baddress (first|last|sur|family)/

/** The person to contact at a company, and not the company. */
export const ofCompany = /\b(company|business|firm|organi[sz]ation) contact( person)?( name)?$/

/** What comes before the word for a source where it is that of a lead, and not that of money, energy or data. */
export const ofOrigin = new Set(
  'acq acquisition ad admission ads analytics appeal ats dni advertising application appointment attribution booking campaign case channel deal first form incoming inbound walkin media inquiry enquiry enq job last lead leads main marketing metadata mkt order original platform primary project reference referral referrer reg registration request session sign signup sub subscription ticket touch traffic utm visit web website'.split(
    ' ',
  ),
)

/** Why something is asked for, and not why something happened to it. */
export const ofReason =
  /^(your |main |primary )?reasons?$|\breasons? (for|of|to|why)\b|\b(visit|call|calling|contact|enquiry|inquiry|appointment|booking|consultation|meeting|request|selling|buying|moving|partnership|joining|arrival) reasons?$|^motivo (de |do |del )?(contat?to|contacto|consulta|visita|mensagem|mensaje|solicitud|solicitacao)$/

/** Texts that a business or a system writes beside a lead. */
export const ofBusiness =
  /^(follow up|private|back ?office|office|system|crm) (notes?|comments?|remarks?)$|\b(response|result|status|confirmation|clarification|trigger|greeting|welcome|fallback|closing|system|auto(matic)? reply|fulfil+ment|gateway|acknowledg(e)?ment) (message|msg|text|description)$|\b(hangup|cause|failure) (description|text|message)$|\b(outbound|outgoing) (message|text|body)$|\b(original|raw|mt) (body|text|message|msg|email)$|^mt content$|\b(check in|arrival|access|usage|care|payment|pickup) instructions?$|^utm\b/

/** `Tell us about your company`: asks for a text, whatever it is about. */
export const asksForText =
  /^(please )?(tell us|describe|explain|descreva|describa|decrivez|descrivi|opisz) (?!.*\bname\b)/

/** What a customer wants. */
export const wanted = /^(customer|client|buyer|guest|lead|caller|user) (request|need|problem)s?$/

/** Who asked for something. */
export const byWhom = /^(requested|submitted|raised|reported|ordered|book(ed)?|placed|enquired|inquired|purchased) by\b/

/** Where a lead comes from, though a channel or a network is a thing elsewhere. */
export const ofChannel =
  /^(acquisition|acq|first touch|source|sourcing|marketing|mkt|lead|referral|signup|sign up|booking|order|enquiry|inquiry) channel( name)?$|^(ad|ads|advertising|publisher|lead|source) (platform|network)( name)?$/

/** Of the lead, though a word of it means a thing elsewhere. */
export const ofLeadsThing = [
  // Requirements for a thing, in the words of the lead.
  /^(your |client |customer )?((project|event|case|job|trip|order) (brief|description)|(project|event|case|job|trip|order|cart|booking|activity|service|delivery|treatment|tour|meeting|visit|viewing) (comments?|notes?|remarks?|memo|instructions?|message)|(project|event|case|job|trip|order|booking|service|product|course|property|delivery|treatment|tour|meeting|visit|viewing) (brief|requirements?|query|queries|enquiry|inquiry)|(survey|form) (comments?|notes?|remarks?|message|feedback|motivation)|\w+ needs|(detalhes|detalles) (do |del )?(pedido|evento|projeto|proyecto|servico|servicio))$/,
  // The company on an invoice, and what a guest writes to a host.
  /^(gst|gstin|tax) (company|business|firm|legal|trade)( name)?$|^(company|brand) or (company|brand)( name)?$|^(firm|company|business) (or )?shop( name)?$|^(school|college|university|institute) (or )?(company|organi[sz]ation|institution)( name)?$|^(in )?(which|what) (city|town) (do|would|are|did) you\b|^(message|notes?|comments?|remarks?) (to|for) (the )?(host|hotel|school|shop|store|restaurant)$|^special requests? (to|for)\b|\bcomments? (by|from) (the )?(customer|shopper|buyer|guest|visitor)$|\b(organi[sz]ation|institution|company) you represent\b|^service request (details|description)$/,
  // Where a person wants a service, and who wrote on a website.
  /^(service|job|installation|install|site) ((address )?(city|town|suburb)|location)$|^web(site)? (user|visitor|customer) /,
  // Where a project or an order comes from is where its lead comes from.
  /^(project|job|deal|booking|order|event) (lead )?sources?( name)?$|^(website|web|site|page|campaign|ad) source$/,
  ofChannel,
  // Who pays by card.
  /^card owners?( full)?( name| phone| mobile| e ?mail| id)?$/,
  // The Turkish word for a name is the English one for an advertisement.
  /\bad soyad|^company (name )?title$/,
]

/** What people ask to become, who are the business's otherwise. */
const recruits =
  '(vendor|dealer|dealership|seller|supplier|merchant|broker|host|agent|agency|partner|franchisee?|distributor|reseller|retailer|affiliate|driver|publisher|advertiser|exhibitor|sponsor|speaker|trainer|tutor|teacher|instructor|builder)s?'

export const isRecruit = new RegExp(`^${recruits}$`)

/** A form in which somebody asks to become one of these. */
export const ofRecruit = new RegExp(
  `\\b${recruits} (sign ?up|registration|onboarding|application|apply|proposal)( form)?$|\\bbecome (an? |our )?${recruits}\\b`,
)

/** Of the lead, though a word of it means the business elsewhere. */
export const ofLead =
  /\b(referr(al|er)|marketing) (source|src)\b|\bby (the )?(customer|client|guest|claimant|requester|patient|buyer|user|visitor|lead|caller|tenant|applicant)$|^admin area\b|^notify name$|^(marketing|referral) channel( name)?$|^publisher (platform|network)$|^account company( name)?$|^telecallers? (notes?|remarks?|comments?)$|^referred (from|through|via)$|^owner patron\b|^card owner\b|^support note$|^(individual|person|donor|member) account$|\bdispo(sition)? (notes?|remarks?|comments?)$|^(customer |buyer |guest )?(message|notes?|comments?|remarks?) (to|for) (the )?(seller|host|shop|store|vendor|merchant|restaurant|driver|courier|agent|owner|team|charity|organi[sz]er|hotel|school|dealer)$|^reason to\b|^assigned (contacts|leads?|customers?|clients?)$|^test (drive|ride)/

/** A service provider, the line or WhatsApp number that was called or written to, and a user of the sender's system. */
export const ofOurs =
  /^sp company\b|^managing organi[sz]ation\b|^return (address|to)\b|^(third|3rd) party (?!member|customer|user|guest)|^showing contact\b|^(in|line|local) number$|^(own|connected|session|instance) (number|phone|phone number|jid)$|^display (phone|number)|\b(created|modified|updated|changed|deleted) user\b/

export const callerId = /\b(caller|calling|clid)( party)? id\b/
