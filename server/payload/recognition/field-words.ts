import { ofChannel } from './label-phrases.ts'

/**
 * The words that say which lead field a label means: lower case, Latin letters without accents, Devanagari without the
 * nukta. A word may stand in several lists. Chinese and Japanese labels are whole, because they have no spaces.
 */
export const fieldWords = {
  email: `email emails mail mails mailto mailid emailid emailaddress correo courriel mailadresse emailadresse emailadres
    epost eposta ईमेल इमेल मेल ইমেইল ઇમેઇલ ઈમેલ ಇಮೇಲ್ ఇమెయిల్ மின்னஞ்சல் ഇമെയിൽ ਈਮੇਲ ايميل البريد почта имейл 邮箱
    电子邮件 メール メールアドレス 이메일 surel ইমেল ઇમેલ ઈમેઈલ ఈమెయిల్ மெயில் ಇಮೇಲ ඊමේල් ایمیل אימייל דואל пошта メアド elektronicka
    sahkoposti sposti posta mailadress mejl อีเมล eml ଇମେଲ ଇମେଲ୍`,
  phone: `natel telemovel komorkowy komorka fone fones phone phones telephone tel telno mobile mobiles mob mobl mb tele cell cellphone cellular whatsapp msisdn ph telefon
    telefono telefone telefoon telefonnummer mobilnummer mobilfunk mobiltelefon handy handynummer rufnummer ruckrufnummer mobil
    movil celular portable cellulare gsm sms mobail jid fon telp hp landline फोन मोबाइल मोबाईल दूरभाष भ्रमणध्वनी
    व्हाट्सएप ফোন মোবাইল ફોન મોબાઇલ ಮೊಬೈಲ್ ಫೋನ್ ದೂರವಾಣಿ మొబైల్ ఫోన్ கைபேசி தொலைபேசி மொபைல் ഫോൺ മൊബൈൽ ਫੋਨ ਮੋਬਾਈਲ هاتف
    الهاتف جوال الجوال موبايل телефон 手机 手机号 电话 联系电话 電話 電話番号 전화번호 telefoni telefonen telefonnumer telefonszam
    telepon ponsel handphone nohp nomorhp mobiel mobilni mobiili puhelin puhelinnumero telefonnr tlf telefonas
    τηλεφωνο κινητο моб мобильный мобильного телефона телефону тел dienthoai sdt โทรศัพท์ เบอร์โทร เบอร์โทรศัพท์
    มือถือ טלפון נייד הנייד تلفن تلفون موبایل هاتفك جوالك المحمول محمول فون موبائل ਫ਼ੋਨ மொபைல்எண் அலைபேசி
    ఫోను ମୋବାଇଲ মুঠোফোন ফোনের 手机号码 联系方式 行動電話 手機 携帯 携帯電話 携帯番号 휴대폰 휴대전화 핸드폰 연락처 wapp recapito cellulari phn mbl mobno
    phoneno mobiele contactno simu talrunis ტელეფონი მობილური հեռախոս ስልክ মবাইল දුරකථන දුරකථනය telefonu telefonum telefonunuz`,
  number: `number numbers no num nr nos numero nummer nambar नंबर नम्बर नं क्रमांक संख्या رقم номер nomor numer
    cislo numara numarasi numarası nombor numeri номера নম্বর নম্বৰ নাম্বার নং අංකය નંબર નં ನಂಬರ್ ಸಂಖ್ಯೆ నంబర్ నెంబర్ నెంబరు
    எண் നമ്പർ ਨੰਬਰ ନମ୍ବର نمبر شماره מספר`,
  reach: `連絡先 contact cont contacto contato kontakt reach call sampark संपर्क सम्पर्क kontakts kontaktai संपर्कासाठी যোগাযোগ
    સંપર્ક ಸಂಪರ್ಕ సంప్రదించండి தொடர்பு ബന്ധപ്പെടാൻ iletisim`,
  from: `from originator originating caller cli ani calling callerid clid waid anrufer appelant llamante chamador chiamante arayan remetente remitente
    absender expediteur mittente gonderen penelepon звонящий звонивший`,
  name: `name names nm nominativo naam nome nombre nom nama navn fullname cname uname cnam nickname nick imie isim adsoyad jina pangalan emri nafn vards vardas სახელი անուն ስም नाम नाव নাম નામ ಹೆಸರು పేరు
    பெயர் പേര് ਨਾਮ نام الاسم اسم имя фио fio 고객명 姓名 您的姓名 名前 お名前 氏名 이름 nimi nev jmeno meno nume imena isminiz adiniz adınız
    ονομα ονοματεπωνυμο имени імя імя שם ชื่อ नाँव ਨਾਂ ନାମ නම نامک اسمك namn 성함 성명 名字 氏名お名前 ご氏名 hoten adı 担当者名 担当者 ご担当者名 顧客名 联系人 聯絡人 담당자 담당자명`,
  first: `primer roepnaam rufname krestni utonev 名 first fn fname firstname given forename vorname prenom voornaam primeiro pehla पहला fornavn fornamn etunimi
    keresztnev prenume krstne voornamen imię ime vornamen nomeproprio الأول الاول`,
  last: `姓 कुलनाम last zuname ln lname lastname surname family nachname familienname apellido apellidos sobrenome cognome achternaam
    upnaam उपनाम सरनेम आडनाव фамилия etternavn efternavn efternamn sukunimi vezeteknev nazwisko prijmeni priezvisko
    surnames soyad soyadi soyadı soyadiniz soyadınız apelido achternamen επωνυμο фамилии прізвище أسرة العائلة عائلة
    পদবি પદવી અટક משפחה นามสกุล खानदानी soyisim`,
  middle: 'middle mname middlename',
  company: `company biz corp comp affiliation institution companyname organisation organization org business arbeitgeber societate 屋号 orgnztn establishment enterprise cmpny firm employer empresa negocio compania
    entreprise compagnie denominazione societe firma firmenname unternehmen unternehmensname firmenbezeichnung betrieb azienda bedrijf kampani vyavsay vyapar sanstha कंपनी
    कम्पनी संस्था व्यवसाय কোম্পানি કંપની நிறுவனம் ಕಂಪನಿ కంపెనీ شركة الشركة компания 公司 公司名称 会社名 会社 회사 bedrijfsnaam
    organisatie perusahaan instansi syarikat sirket firmy firmie spolecnost yritys foretag foretagsnamn virksomhed
    virksomhet bedrift ceg cegnev companie empresas negocios компании компанія организация организации фирма
    предприятие εταιρεια επωνυμια חברה החברה עסק บริษัท مؤسسة المؤسسة شرکت کمپنی প্রতিষ্ঠান প্রতিষ্ঠানের কোম্পানির સંસ્થા
    ಸಂಸ್ಥೆ సంస్థ కంపెని சங்கம் കമ്പനി ਕੰਪਨੀ फर्म दुकान ditta impresa isletme isletmenizin betriebsname firmas workplace orgname 公司名 单位
    회사명 상호 御社名 貴社名 công`,
  city: `posttown bostadsort postort ikamet शहरात city town village suburb cidade ciudad ville stadt wohnort ort citta stad sheher shehar shahar shahr miasto kota domisili sehir
    municipio localidad localidade poblacion commune comune gemeinde localite comuna plaats शहर नगर শহর શહેર ನಗರ నగరం நகரம் നഗരം ਸ਼ਹਿਰ
    مدينة المدينة город 城市 都市 도시 woonplaats kommun kommune kaupunki mesto paikkakunta oras orasul varos miejscowosc miasta ilce
    ilçe kabupaten bandar πολη города місто населённый עיר เมือง จังหวัด بلدة شہر شهر শহরের শহরে গ্রাম ગામ ಊರು ఊరు ஊர்
    गांव गाँव ग्राम ਪਿੰਡ ଶହର ସହର ଗ୍ରାମ ଗାଁ চহৰ सहर නගරය නගර ქალაქი քաղաք ከተማ қала град mji jiji telepules localitate localitatea poststed pilseta miestas qyteti mjesto lungsod cidades ciudades thanhpho 所在城市 城市名 도시명 市区町村 市町村 गाव cty`,
  place: `adr loc location located place area locality address addr adresse direccion endereco indirizzo region district पता
    स्थान जगह jagah pata wilayah lokasi alamat adresi adres osoite indirizzi konum bairro barrio
    quartiere adresa cim διευθυνση адрес адреса العنوان عنوان ঠিকানা સરનામું ವಿಳಾಸ చిరునామా முகவரி വിലാസം ਪਤਾ पत्ता
    ठिकाण anschrift wohnanschrift domicilio domicile morada lakcim ଠିକଣା`,
  source: `herkomst provenienza source sources sourcing src utm origem origen origine fuente quelle herkunft provenance fonte strot स्रोत источник 来源
    sumber kaynak kilde bron zrodlo zdroj lahde forras sursa источника джерело المصدر مصدر উৎস સ્ત્રોત ಮೂಲ
    మూలం மூலம் ਸਰੋਤ स्त्रोत`,
  note: `rmk rmks bemerkungsfeld sonderwunsche sonderwunsch recado onskemal talebiniz message messages msg enq memo 메모 comment comments commentary remark remarks note notes query enquiry inquiry qry requirement
    requirements description mensaje mensagem comentario comentarios consulta nachricht bemerkung bemerkungen
    notiz notizen anmerkung anmerkungen kommentar commentaire commentaires anliegen anfrage messaggio richiesta quesito queixa queixas queja quejas bericht opmerking
    opmerkingen observacao observacoes observacions observation observations remarque remarques osservazione osservazioni hinweis hinweise mitteilung freitext indicaciones aclaraciones anotacoes observaciones duvida nota notas demande besoin sandesh tippani zaroorat
    jarurat avashyakta sawal vivaran chahiye feedback textarea multiline संदेश सन्देश टिप्पणी जरूरत आवश्यकता प्रश्न
    विवरण चाहिए বার্তা સંદેશ செய்தி సందేశం ಸಂದೇಶ സന്ദേശം ਸੁਨੇਹਾ رسالة الرسالة сообщение комментарий 留言 备注 消息 メッセージ
    お問い合わせ内容 pesan mesaj besked meddelande keterangan catatan kebutuhan pertanyaan aciklama açıklama mesajiniz
    mesajınız notlar notunuz talep istek toelichting vraag boodschap viesti lisatiedot beskjed melding bemaerkninger
    kommentarer wiadomosc uwagi zprava poznamka sprava uzenet megjegyzes mesajul observatii μηνυμα σχολια
    комментарии комментария вопрос пожелания примечание повідомлення коментар הודעה הערות ข้อความ ملاحظات الملاحظات
    استفسار الاستفسار استفسارك رسالتك تعليق پیام توضیحات پیغام মন্তব্য প্রয়োজন সংবাদ সন্দেশ સંદેશો નોંધ ટિપ્પણી
    જરૂરિયાત ಟಿಪ್ಪಣಿ ಅವಶ್ಯಕತೆ సందేశము అవసరం వివరాలు கருத்து தேவை குறிப்பு സന്ദേശങ്ങൾ ആവശ്യം ਲੋੜ ਟਿੱਪਣੀ मागणी गरज
    चौकशी reqmt reqmnt rqmt requirment zarurat txtarea kommentti dotaz fraga fråga enquiries inquiries noidung loinhan 문의 문의사항 문의내용 메시지
    留言内容 咨询内容 需求 お問い合わせ ご要望 内容 ご質問 tresc wiadomosci instructions symptoms complaint complaints omschrijving
    beschreibung descricao descripcion descrizione opis testimonial testimonials dusunceleriniz dusunceler ବାର୍ତ୍ତା ମନ୍ତବ୍ୟ ପ୍ରଶ୍ନ ଆବଶ୍ୟକତା বাৰ্তা ujumbe maoni mensahe henvendelse poruka napomena sporocilo порука zinute zinojums sonum lisainfo mesazhi შეტყობინება հաղորդագրություն መልእክት පණිවිඩය සටහන`,
  softNote: `specifications expectation expectations objective objectives motivation explanation wish wishes text plain body chat content question questions interest interests interested interesse interes interessado
    need needs necesidad necesidades necessidade besoins pain summary details info information caption request problem challenge challenges goal goals situation
    reason reasons motivo motif contenu summarization summarisation интересует интересуют interessiert interessa interesa coverletter brief dettagli detalles detalhes szczegoly usecase beskrivelse beskrivning popis looking help detail req solicitud solicitacao anforderung bedarf reply concern concerns issue
    issues review reviews purpose ailment sintomas obiettivo obiettivi objetivo objetivos objectif objectifs narrative transcription voicemail recap snippet excerpt intent personalization personalisation engraving suggestion suggestions doubt doubts says duda dudas duvidas`,
  dialCode: `isd dialcode isdcode countrycode phonecode ddi vorwahl landcode landesvorwahl indicatif prefijo
    countrydialcode`,
} as const

/** Question texts, without accents, that mean a field without containing any of its words. */
export const fieldPhrases: readonly (readonly [RegExp, 'name' | 'phone' | 'city' | 'source' | 'company' | 'notes'])[] =
  [
    [
      /^nazwa klienta$|\bwho is (making|asking|calling|enquiring|inquiring)\b|как к вам обращаться|^(billing|shipping|delivery) (attn|attention)$/,
      'name',
    ],
    [/^(authori[sz]ed|concerned) person( name)?$|^decision maker( name)?$|^ten (khach hang|nguoi)\b/, 'name'],
    [/\b(call|address) you\b|\bwho (are you|is this|am i|are we)\b/, 'name'],
    [/\bcomo (te llamas|se llama|se chama)\b|\bcomment vous appelez\b|\bwie heissen\b/, 'name'],
    [/\bcome (ti chiami|si chiama)\b|\bhoe heet\b|как вас зовут|\bjak sie nazywasz\b/, 'name'],
    [
      /^(attention|attn)( to)?$|^(ho va ten|ho ten|iletisim kisisi)\b|^(ansprechpartner(in)?|kontaktperson|interlocuteur)$/,
      'name',
    ],
    [
      /\b(quem (ligou|chamou)|quien llam[ao]|wer hat angerufen|qui a appele|chi ha chiamato|kto dzwonil)\b|кто звонил/,
      'phone',
    ],
    [
      /\b(person|whom?) (to|should we|do we|can we) contact\b|\bwho(m)? should (we|i) (contact|ask for|speak (to|with))\b/,
      'name',
    ],
    [/^((no|nomor) )?wa$|\bdien thoai\b|\b(viber|signal|telegram) number\b/, 'phone'],
    [
      /\bthanh pho\b|\bmunicipality$|\bpost town$|お住まい|\badmin area 2$|\bwhere (do|are) (you|u) (come from|live|living|stay|reside|based|located|from|staying)\b/,
      'city',
    ],
    [
      /^((moving|shifting|relocating|leaving|travel(l?ing)?|departing|starting) from|(from|base|starting|origin|departure|pickup|boarding) city)( city)?$/,
      'city',
    ],
    [
      /\bcong ty\b|^(employment name|dba( name)?|doing business as|legal entity( name)?|(gst|gstin|tax) (legal|trade|business) name|corporate (client|customer)( name)?|trading (name|as)|ngo name|nome fantasia|co (name|nm)|(work|working) (place|company|organi[sz]ation)|place of (work|employment))$|\b(works?|working) (at|for)( (legal )?name)?$|\b(organi[sz]ation|institution|company|firm) you (represent|work)|\bwhere (do|are) you (currently )?work(ing)?\b|^currently (working|employed) (with|by)$/,
      'company',
    ],
    [/\b(noi dung|loi nhan|tin nhan|ghi chu)\b|\breview (text|body|content|comments?|message|description)$/, 'notes'],
    [/\b(raison sociale|razon social|razao social|ragione sociale)\b/, 'company'],
    [
      /\b(hear|heard|hearing|find|found|learn|learned|discover|come to know) (about|abt|of|out about|us)\b|\bknow (about|abt|of) us\b/,
      'source',
    ],
    [
      /^(how)?(did)?(you)?hear(d)?about(us|this)?$|^how (did |do )?(you )?(know|knew)( (about )?us)?$|\b(how|where|who) (you )?heard\b|\bheard (from|via|through)\b/,
      'source',
    ],
    [/\b(free ?form|free ?text)\b|\blast (user )?(input|message|reply|text)\b|\buser (input|reply|message)\b/, 'notes'],
    [
      /^(leads?|enquir(y|ed)|inquir(y|ed)|enq)( \S+)? (from|via|through|thru)$|^(came|generated|captured|acquired|sourced|hear|heard|found)( us)? (from|via|through|thru)$|^lead origin( (name|portal|source|channel))?$/,
      'source',
    ],
    [
      /\bhow did (you|u) (reach (us|here)|get here)\b|\bcome across (us|our)\b|\bwhat brought (you|u) here\b|\bse pata chala\b|^how (did )?((you|u) )?(found|find|heard|hear|knew|know)( us)?$|どこで(お)?知り|알게 된|如何得知|きっかけ|유입 ?경로|(了解|知道)(到)?我们|كيف سمعت|biet den chung toi|tahu kami|aufmerksam geworden|\bse entero\b|horde (du|ni) talas/,
      'source',
    ],
    [
      /\b(referred|reached us|came to know) (from|through|via)\b|\b(get|got) (our|the) reference\b|\bdari ?mana .*(tahu|kenal|mengenal|mengetahui)\b/,
      'source',
    ],
    [
      /\bwho (told|referred|recommended) you\b|\bsent you (here|to us)\b|\bwhere did (you|u)( \S+)? (hear|find|see|learn|know)\b|\bhow did (you|u) (hear|find|know|learn|discover|come (to know|across|upon|here))\b/,
      'source',
    ],
    [/\bcomo (nos )?(conocio|conociste|conheceu|encontro|encontrou|ficou sabendo|soube)\b/, 'source'],
    [/\bnous (avez vous )?(connu|decouvert)|\b(von|auf) uns (erfahren|gehort|aufmerksam)/, 'source'],
    [/hamare baare me|हमारे बारे में|हमें कैसे (जाना|ढूंढा|पाया)|आमच्याबद्दल कसे/, 'source'],
    [
      /(?:^| )(?:wie|wo|woher|comment|come|dove|como|donde|onde|hoe|waar|jak|skad|odkud|hur|hvor|hvordan|откуда|как|nereden)(?: \S+)* (?:gefunden|erfahren|gehort|aufmerksam|kennen|connus?|trouves?|entendu|conosciut[oi]|trovat[oi]|conoci\S+|enter(?:o|aste|asteis)|encontr(?:o|aste|ou)|supo|conheceu|soube|gevonden|gehoord|wiesz|dowiedzial\S*|trafil\S*|znate|dozvedeli|nasli|hitta\S*|hort|fant|fandt|узнали|нашли|duydunuz|buldunuz)(?: |$)/,
      'source',
    ],
    [
      /\btahu (tentang kami )?dari\b|^mode of (enquiry|inquiry)$|^(enquiry|inquiry|enq|lead) mode$|^source of business$|^(reference|traffic) ?source$/,
      'source',
    ],
    [ofChannel, 'source'],
    [/\bhow (to )?(can|may|could|should) (we|i|our team) (help|assist|serve)\b|\btell (us|me)\b/, 'notes'],
    [/\banything (else|you|we|specific)\b|\bspecial (request|instruction|need)s?\b/, 'notes'],
    [/\bwhat (are you|do you|would you|can we|should we|brings|problem)\b/, 'notes'],
    [/\bwhat is your (need|query|question|requirement|problem)\b/, 'notes'],
    [/\bdescribe \S|\b(explain|elaborate|looking for|share (more|your|any|some|with))\b/, 'notes'],
    [
      /\b(parlez nous|decrivez|dites nous|cuentanos|hablanos|describa|conte nos|fale nos|raccontaci|descrivi|beschreiben sie|erzahlen sie)\b/,
      'notes',
    ],
    [/\b(project|event|job|case|trip) (details|description)$|\buse case\b|\byour story\b|^requirement name$/, 'notes'],
    [
      /\bcover (letter|note)\b|^(customer|delivery|special|order|cooking) instruction$|^(scope of work|(work|job|project) scope|(incoming|inbound) (text|content|body)|speech result|transcript text)$|^zusatz ?info(s|rmation(en)?)?$|चाहिए/,
      'notes',
    ],
    [
      /^(votre|vos|ihr|ihre|dein|tu|su|seu|uw|il tuo|ditt) (projet|projekt|proyecto|projeto|progetto|project)$/,
      'notes',
    ],
    [/(?:^| )(?:beskriv|popiste|opisz|опишите|расскажите|jelaskan|omschrijf)(?: |$)/, 'notes'],
    [/^about( (you|yourself|me))?$|^additional (info|information|details)$/, 'notes'],
    [/\bnumber (should|can|do|may|could) (we|i)\b|\b(text|call|reach|contact) you (on|at)\b/, 'phone'],
    [/\bcomo podemos (ayudar|ajudar)|\ben que podemos|\bcomment pouvons nous|\b(wie|was) konnen wir/, 'notes'],
  ]
