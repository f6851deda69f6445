/**
 * The words that say which lead field a label means: lower case, Latin letters without accents, Devanagari without the
 * nukta. A word may stand in several lists. Chinese and Japanese write no spaces, so their labels stand whole.
 */
export const fieldWords = {
  email: `email emails mail mails mailid emailid emailaddress correo courriel mailadresse emailadresse emailadres epost
    eposta ईमेल इमेल मेल ইমেইল ઇમેઇલ ઈમેલ ಇಮೇಲ್ ఇమెయిల్ மின்னஞ்சல் ഇമെയിൽ ਈਮੇਲ ايميل البريد почта имейл 邮箱 电子邮件 メール
    メールアドレス 이메일 surel`,
  phone: `phone phones telephone tel telno mobile mobiles mob cell cellphone cellular whatsapp msisdn ph telefon telefono
    telefone telefoon telefonnummer mobilnummer mobilfunk mobiltelefon handy handynummer rufnummer mobil movil celular
    portable cellulare gsm sms mobail jid fon telp hp landline फोन मोबाइल मोबाईल दूरभाष भ्रमणध्वनी व्हाट्सएप ফোন মোবাইল ફોન
    મોબાઇલ ಮೊಬೈಲ್ ಫೋನ್ ದೂರವಾಣಿ మొబైల్ ఫోన్ கைபேசி தொலைபேசி மொபைல் ഫോൺ മൊബൈൽ ਫੋਨ ਮੋਬਾਈਲ هاتف الهاتف جوال الجوال موبايل
    телефон 手机 手机号 电话 联系电话 電話 電話番号 전화번호`,
  number: 'number numbers no num nr nos numero nummer nambar नंबर नम्बर नं क्रमांक संख्या رقم номер',
  reach: 'contact contacto contato kontakt reach call sampark संपर्क सम्पर्क',
  from: 'from caller cli ani calling callerid clid waid',
  name: `name names naam nome nombre nom nama navn fullname nickname imie isim adsoyad नाम नाव নাম નામ ಹೆಸರು పేరు பெயர்
    പേര് ਨਾਮ نام الاسم اسم имя фио 姓名 您的姓名 名前 お名前 氏名 이름`,
  first: `first fname firstname given forename vorname prenom voornaam primeiro pehla पहला`,
  last: `last lname lastname surname family nachname familienname apellido apellidos sobrenome cognome achternaam upnaam
    उपनाम सरनेम आडनाव фамилия`,
  middle: 'middle mname middlename',
  company: `company companyname organisation organization org business firm employer empresa negocio compania entreprise
    societe firma firmenname unternehmen betrieb azienda bedrijf kampani vyavsay vyapar sanstha कंपनी कम्पनी संस्था
    व्यवसाय কোম্পানি કંપની நிறுவனம் ಕಂಪನಿ కంపెనీ شركة الشركة компания 公司 公司名称 会社名 会社 회사`,
  city: `city town cidade ciudad ville stadt wohnort ort citta stad sheher shehar shahar shahr miasto kota sehir
    municipio localidad poblacion commune comune gemeinde localite plaats शहर नगर শহর શહેર ನಗರ నగరం நகரம் നഗരം ਸ਼ਹਿਰ مدينة المدينة город 城市 都市 도시`,
  place: `location located place area locality address addr adresse direccion endereco indirizzo region district पता स्थान जगह
    jagah pata`,
  source: `source sources src utm origem origen fuente quelle herkunft provenance fonte strot स्रोत источник 来源`,
  note: `message messages msg comment comments remark remarks note notes query enquiry inquiry qry requirement
    requirements description mensaje mensagem comentario comentarios consulta nachricht bemerkung bemerkungen anmerkung
    anmerkungen kommentar commentaire commentaires anliegen anfrage messaggio richiesta bericht opmerking opmerkingen
    observacao observacoes observaciones duvida nota notas demande besoin sandesh tippani zaroorat jarurat avashyakta
    sawal vivaran chahiye feedback textarea multiline संदेश सन्देश टिप्पणी जरूरत आवश्यकता प्रश्न विवरण বার্তা સંદેશ செய்தி సందేశం
    ಸಂದೇಶ സന്ദേശം ਸੁਨੇਹਾ رسالة الرسالة сообщение комментарий 留言 备注 消息 メッセージ お問い合わせ内容 pesan mesaj besked
    meddelande`,
  softNote: `text body chat content question questions interest interests interested interesse interes interessado need needs
    summary details info information caption request problem challenge challenges goal goals situation reason reasons looking help`,
  dialCode: 'isd dialcode isdcode countrycode phonecode ddi vorwahl',
} as const

/** Question texts, without accents, that mean a field though none of its words stand in them. */
export const fieldPhrases: readonly (readonly [RegExp, 'name' | 'source' | 'company' | 'notes'])[] = [
  [/\b(call|address) you\b|\bwho (are you|is this|am i|are we)\b/, 'name'],
  [/\bcomo (te llamas|se llama|se chama)\b|\bcomment vous appelez\b|\bwie heissen\b/, 'name'],
  [/\b(raison sociale|razon social|razao social|ragione sociale)\b/, 'company'],
  [/\b(hear|heard|hearing|find|found|learn|learned|know|discover|come to know) (about|of|out about|us)\b/, 'source'],
  [/\bhow did (you|u) (hear|find|know|learn|discover|come)\b/, 'source'],
  [/\bcomo (nos )?(conocio|conociste|conheceu|encontro|encontrou|ficou sabendo|soube)\b/, 'source'],
  [/\bnous (avez vous )?(connu|decouvert)|\b(von|auf) uns (erfahren|gehort|aufmerksam)/, 'source'],
  [/hamare baare me|हमारे बारे में/, 'source'],
  [/\bhow (can|may|could|should) (we|i|our team) (help|assist|serve)\b|\btell (us|me)\b/, 'notes'],
  [/\banything (else|you|we|specific)\b|\bspecial (request|instruction|need)s?\b/, 'notes'],
  [/\bwhat (are you|do you|would you|can we|should we|brings|problem)\b/, 'notes'],
  [/\bwhat is your (need|query|question|requirement|problem)\b/, 'notes'],
  [/\b(describe|explain|elaborate|looking for|share (more|your|any|some|with))\b/, 'notes'],
  [/\bcomo podemos (ayudar|ajudar)|\ben que podemos|\bcomment pouvons nous|\b(wie|was) konnen wir/, 'notes'],
]
