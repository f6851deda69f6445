/** The words that say whose value it is, or that it is an attribute of something. Written as in `fieldWords`. */
export const contextWords = {
  /** The lead. */
  person: `gast orderer cst candidat candidato kandidat bewerber postulante aspirante locataire acquereur mieter kaufer huurder koper inquilino comprador solicitante requerente titular contactpersoon contactperson klant aanvrager interesado interessato richiedente musteri pelanggan клиент клиента
    покупатель العميل demandeur acheteur anfragesteller poc spoc customer customers cust client clients cliente clientes kunde kunden lead leads visitor guest buyer student
    patient applicant candidate interactor attendee invitee registrant subscriber contact contacts cntct prospect billing responder
    respondent reviewer couple bride groom policyholder complainant resident submitter consumer purchaser enquirer inquirer seeker person participant delegate shopper user users
    author requester requestor caller sender tenant member learner parent guardian traveller traveler passenger donor investor
    borrower profile patron booker proposer payer homeowner wa grahak ग्राहक interessent besteller aluno paciente recipient signer end
    basvuran kandydata cand stud appl proprietor reporter klienta renter lessee claimant insured assured enrollee trainee mentee pledger giver benefactor diner camper hirer entrant contestant
    signatory petitioner addressee payor remitter debtor grantee licensee registree depositor cardholder fundraiser congregant parishioner
    volunteer constituent citizen coachee complainer commenter examinee pupil aspirant charterer reserver bidder asiakas zakaznik klientas ugyfel
    opdrachtgever kundin huesped hospede ospite patiente alumno alumna eleve schueler elev ogrenci siswa uczen teilnehmer participante
    deelnemer peserta ucastnik inscrito inscrit socio mitglied membre membro lid donante doador spender donateur mandant
    versicherungsnehmer antragsteller auftraggeber besucher visiteur visitante visitatore bezoeker pengunjung zajemce navstevnik
    misafir yolcu pasien pacjent pacient tamu penyewa pembeli nasabah klien klient klientka kupujacy najemca gosc gost vendeg vasarlo
    kupac kupec oaspete cumparator naudotojas zamawiajacy prospecto acheteuse locatario proponente contratante tomador asegurado
    segurado assicurato inquilina viajero viajante passageiro passager voyageur reisender fahrgast passagier pasajero comensal assinante
    suscriptor abonne abonnent abonnee prenumerant besteller kaeufer`,
  /** Users of the receiving business, or people near the lead. */
  staff: `agent agents owner staff employee emp host hosts salesperson salesman rep representative seller vendor dealer
    dealership supplier merchant broker corretor assigned assignee assigned manager executive counsellor counselor
    coordinator admin admins operator operators advisor adviser consultant organizer organiser organizers creator
    assignee assignment exhibitor practitioner therapist mentor insurer collector cashier courier landlord inspector coach by builder developer promoter agency partner franchise reseller sponsor receptionist telecaller rm bot assistant
    teammate notification notifications notify webmaster proprietarios proprietario imobiliaria responsavel vendedor setter support sales marketing referrer
    sdr bdr closer referred referral reference child kid ward nominee emergency emergencia emergenza emergence notfall urgencia relative
    doctor vet veterinarian physician attorney lawyer advocate dentist stylist technician mechanic teacher tutor trainer instructor provider recruiter interviewer did virtual tracking
    masked internal ivr forwarded whom cc bcc carbon system fax helpline our approver responsible responsable attender handler supervisor pilot gateway account accounts test agente agentes asesor berater mitarbeiter verkaufer makler vermittler anbieter conseiller commercial negociateur
    engineer engineers crew repairer speaker speakers moderator presenter caregiver tradesperson tradie pro realtor barber groomer beautician hairdresser nurse surgeon clinician hygienist dispatcher lender negotiator adjuster underwriter enumerator surveyor valuer appraiser fleet advertiser publisher haendler maklare professionista agencia biuro storefront producer payee vendeur consultor atendente anfitrion gastgeber venditore agenzia agence imobiliario indicador indicante actor initiator occupant tribute tributee honoree honouree pusher committer transfer expert worker officer administrator concierge paralegal guide estimator installer csm affiliate affiliates afiliado afiliada performer dropbox modifier cosigner cosigners coapplicant coborrower guarantor
    lister planner biller preparer steward facilitator invigilator examiner assessor evaluator caretaker janitor guard
    porter waiter chef cook chauffeur foreman superintendent principal lecturer faculty registrar clerk bookkeeper accountant teller notary
    solicitor barrister mediator arbitrator telemarketer csr bda bde rsm asm telesales presales watcher watchers collaborator collaborators
    plumber electrician cleaner handyman gardener contractor subcontractor architect designer photographer decorator caterer florist
    forwarder vertreter betreuer sachbearbeiter bearbeiter verkaeufer lieferant fahrer dozent lehrer arzt aerztin
    behandler therapeut hausarzt rechtsanwalt medewerker adviseur verkoper makelaar behandelaar docent leverancier vervoerder bezorger
    vendeuse conseillere gestionnaire animateur formateur medecin praticien avocat livreur fournisseur organisateur prestataire
    asesora vendedora gerente encargado encargada medico abogado profesor profesora instructora repartidor proveedor organizador
    prestador professora motorista fornecedor entregador prestadora consulente venditrice avvocato insegnante autista fornitore corriere
    organizzatore handlowiec opiekun sprzedawca doradca lekarz prawnik nauczyciel kierowca dostawca organizator saelger selger saljare
    forsaljare handlaggare lakare temsilci temsilcisi danisman danismani doktor avukat ogretmen surucu tedarikci penjual sopir dokter
    pengacara penyedia karyawan petugas pegawai`,
  /** The receiver of a call or message. */
  to: 'to dnis target called callee dialed dialled dst destination receiver reciever received recieved answered connected',
  /** Words of events, which do not say whose the value is. */
  happened: `created updated modified changed submitted completed added started ended deleted scheduled booked confirmed
    cancelled canceled finished`,
  /** Relatives of the lead: used only if there is no other contact. */
  kin: 'father mother spouse husband wife',
  /** A thing with a name, a place or a price of its own. */
  thing: `form forms page pages site website web campaign campaigns adset adgroup ad ads creative project projects projeto
    product producto produto products item items imovel property listing apartment flat house villa bungalow unit tower building society
    course courses class classes program programme degree college school university institute plan package workflow automation flow
    funnel step stage pipeline list lists segment audience queue team department dept inbox channel room event events
    schedule meeting webinar conference service practice services brand model car vehicle variant store shop branch outlet showroom ota modrefname
    activity activities asset vacancy offer internship newsletter membership club center centre bookable resource priority
    file files document attachment attachments image template bank payment order orders invoice transaction coupon
    category categories subcategory mcat tag tags label labels role skill group groups app host browser device os network
    carrier language locale timezone currency plugin server job vacancy position designation occupation title salutation
    prefix suffix honorific gender industry sector quiz survey screen block table sheet spreadsheet board
    integration config configuration settings keyword keywords placement subject topic theme cart basket hotel hostel trip tour restaurant
    treatment procedure hospital clinic salon gym spa cafe warehouse airport campus pet vaccine medicine insurance policy scheme workspace signature batch semester venue
    card upi thank thanks thankyou disclaimer terms policy privacy gdpr agreement gst gstin pan aadhaar passport nationality religion specialization stream tax objekt immobilie wohnung inmueble immobile bien annonce anuncio anzeige resolution welcome greeting sentiment assessment audit repository commit commits fahrzeug vehiculo veiculo voiture auto
    produkt prodotto campana campanha campagne kampagne formulario formulaire formular pagina seite evento veranstaltung
    curso cours kurs tienda loja magasin filiale sucursal filial proyecto servicio servico pedido bestellung commande
    factura fattura portal asunto assunto sujet objet betreff oggetto anrede civilite`,
  /** Requests of a person, whose text is theirs. */
  case: 'ticket tickets chamado booking appointment conversation chat thread session deal opportunity',
  /** Attributes of a field, such as its type or id. */
  attribute: `stat id ids uid uuid guid type kind status state url uri link href date time datetime timestamp day month year
    hour count total sum score rating verified valid consent optin opt code hash token secret key format lang avatar
    photo picture pic logo color width height size age dob birth birthday version ip sid lat lng latitude longitude pincode
    pin zip zipcode postcode postal country province percent price amount budget duration length index sequence slug
    ref action method mode medium term preference timeline deadline income revenue salary turnover experience quantity
    qty linkedin facebook instagram twitter recording audio video transcript html pretty debug error errors
    extension ext flag has enabled active deleted archived domain hint placeholder options choices visible disposition
    outcome ack alias mailbox verification dnc history sub landmark fecha datum tipo typ hora estado etat codigo pais pays land plz edad idade alter nacimiento nascimento cep cp cap
    presupuesto orcamento privacidad privacidade datenschutz privacy rgpd dsgvo`,
  /** Alternatives, such as a second phone. */
  alternate: 'alt alternate alternative secondary second other another landline old previous shipping',
  /** Names that a form builder gives to controls without a name. */
  control: `udf field input text single singleline line multi multiline textarea dropdown select radio checkbox choice answer
    question q value entry item col column row cells rows textbox short long longtext shorttext paragraph box prompt control
    element elem untitled component cf custom var param fld`,
  filler: `more extended raw json xml your you ur the a an my me mine i we us is are am may can could would please plz kindly enter give tell know purified
    provide what whats which where who how do does did of for in at and or on if s d l q full complete completo completa
    complet vollstandiger entire actual real legal display push formatted official personal home work office primary main
    default best current currently reside residence residing live living based native preferred correct registered digit
    digits indian national international sanitized remote local data payload field fields value values answer answers entry entries response responses result
    results submission submissions attributes properties custom customfields merges merge meta input string row named
    aap aapka aapki apka apki aapke apna apni apne ka ki ke kya hai poora pura puri batayein likhein bataye aapko
    आपका आपकी आपके अपना अपनी अपने का की के क्या है पूरा पुरा कृपया लिखें बताएं दर्ज करें तुमचे तुमचा आपले आपला আপনার તમારું તમારો
    tu su sus mi el la las los de del da do dos das e y o seu sua teu qual cual es votre vos le les du des et ihr ihre
    dein deine der die das und bitte il lo suo sua uw jouw mijn electronico eletronico electronique elektronisch dati
    em voce mora moras vive vives reside donde usted dans quelle habitez habites wo wohnen wohnst welcher dove abiti vivi
    ваш ваше ваша dtl dtls nm val txt details info information section required optional additional individual req
    sms reminder callback alert obligatoire obligatorio pflichtfeld optionnel facultatif lengkap penuh anda kamu saya volledig volledige naamvan uw je heel pelanggan tam adinizi lutfen sizin полное полный название названия укажите введите контактный контактное эл электронная электронной электронный адрес كامل الكامل بالكامل الإلكتروني الالكتروني إلكتروني رقمك পূর্ণ পুরো আপনার আপনি সম্পূর্ণ પૂરું તમારો પૂરુ ನಿಮ್ಮ ಪೂರ್ಣ మీ పూర్తి உங்கள் முழு உங்களது നിങ്ങളുടെ മുഴുവൻ ਤੁਹਾਡਾ ਪੂਰਾ तुमचं आपलं संपूर्ण वा ganzer vollstaendiger teljes cele pelne koko fullstandigt helt new latest opening offline public কী কি কোন কোথায় থাকেন என்ன எந்த ఏమిటి ఏ మీరు શું છે કયા काय आहे कोणत्या कोठे राहता ಏನು ಯಾವ എന്താണ് nedir apa siapa mana employment special departure paterno curr pref badge selected yasadiginiz residential perm permanent communication correspondence glusr cooking incoming inbound ask asked get collect capture extracted collected captured variable variables slot slots output structured analysis meaning`,
} as const
