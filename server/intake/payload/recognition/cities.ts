/** Known cities, for values without a clear label. None is an ordinary word or a common name. */
const cities = `
Mumbai,Bombay,Delhi,New Delhi,Bengaluru,Bangalore,Hyderabad,Ahmedabad,Chennai,Madras,Kolkata,Calcutta,Surat,Pune,Jaipur,
Lucknow,Kanpur,Nagpur,Indore,Thane,Bhopal,Visakhapatnam,Vizag,Patna,Vadodara,Baroda,Ghaziabad,Ludhiana,Agra,Nashik,Nasik,
Faridabad,Meerut,Rajkot,Varanasi,Banaras,Srinagar,Aurangabad,Dhanbad,Amritsar,Navi Mumbai,Prayagraj,Allahabad,Ranchi,
Howrah,Coimbatore,Jabalpur,Gwalior,Vijayawada,Jodhpur,Madurai,Raipur,Kota,Guwahati,Chandigarh,Solapur,Hubli,Hubballi,
Dharwad,Bareilly,Moradabad,Mysuru,Mysore,Gurugram,Gurgaon,Aligarh,Jalandhar,Tiruchirappalli,Trichy,Bhubaneswar,Salem,
Warangal,Thiruvananthapuram,Trivandrum,Bhiwandi,Saharanpur,Guntur,Amravati,Bikaner,Noida,Greater Noida,Jamshedpur,Bhilai,
Cuttack,Kochi,Cochin,Ernakulam,Bhavnagar,Dehradun,Durgapur,Asansol,Nanded,Kolhapur,Ajmer,Gulbarga,Kalaburagi,Jamnagar,
Ujjain,Loni,Siliguri,Jhansi,Nellore,Jammu,Mangaluru,Mangalore,Belagavi,Belgaum,Tirunelveli,Malegaon,Gaya,Jalgaon,Udaipur,
Davanagere,Kozhikode,Calicut,Kurnool,Rajahmundry,Bokaro,Bellary,Ballari,Patiala,Agartala,Bhagalpur,Muzaffarnagar,Latur,
Dhule,Rohtak,Korba,Bhilwara,Berhampur,Muzaffarpur,Ahmednagar,Mathura,Kollam,Kadapa,Bilaspur,Shahjahanpur,Satara,Bijapur,
Vijayapura,Rampur,Shivamogga,Shimoga,Chandrapur,Junagadh,Thrissur,Trichur,Alwar,Bardhaman,Nizamabad,Parbhani,Tumakuru,
Tumkur,Khammam,Panipat,Darbhanga,Aizawl,Dewas,Ichalkaranji,Karnal,Bathinda,Jalna,Eluru,Purnia,Satna,Mau,Sonipat,Farrukhabad,
Durg,Imphal,Ratlam,Hapur,Anantapur,Karimnagar,Etawah,Bharatpur,Begusarai,Gandhidham,Tiruppur,Puducherry,Pondicherry,Sikar,
Thoothukudi,Tuticorin,Rewa,Mirzapur,Raichur,Pali,Haridwar,Nagercoil,Thanjavur,Bulandshahr,Katihar,Sambalpur,Nadiad,
Secunderabad,Naihati,Yamunanagar,Bidar,Panchkula,Burhanpur,Kharagpur,Dindigul,Gandhinagar,Hospet,Malda,Ongole,Deoghar,Chapra,
Haldia,Khandwa,Nandyal,Morena,Amroha,Anand,Bhind,Bhusawal,Bahraich,Vellore,Roorkee,Rourkela,Rishikesh,Shimla,Manali,Solan,
Mandi,Gangtok,Shillong,Itanagar,Kohima,Dimapur,Jorhat,Silchar,Dibrugarh,Tezpur,Panaji,Panjim,Margao,Vasco da Gama,Mapusa,
Port Blair,Silvassa,Daman,Leh,Palakkad,Alappuzha,Kottayam,Kannur,Malappuram,Idukki,Wayanad,Hosur,Erode,Karur,Namakkal,
Kanchipuram,Cuddalore,Udupi,Hassan,Mandya,Tirupati,Kakinada,Vizianagaram,Srikakulam,Sangli,Ratnagiri,Akola,Wardha,Yavatmal,
Vapi,Valsad,Navsari,Bharuch,Ankleshwar,Mehsana,Palanpur,Morbi,Porbandar,Bhuj,Godhra,Hisar,Ambala,Rewari,Bhiwani,Kurukshetra,
Mohali,Hoshiarpur,Pathankot,Phagwara,Moga,Firozpur,Haldwani,Nainital,Kashipur,Rudrapur,Gorakhpur,Ayodhya,Faizabad,Sultanpur,
Jaunpur,Azamgarh,Ballia,Deoria,Basti,Gonda,Sitapur,Hardoi,Unnao,Rae Bareli,Hathras,Firozabad,Mainpuri,Etah,Budaun,Pilibhit,
Lakhimpur,Bijnor,Sagar,Damoh,Chhindwara,Betul,Hoshangabad,Vidisha,Guna,Shivpuri,Neemuch,Mandsaur,Chittorgarh,Beawar,Nagaur,
Churu,Jhunjhunu,Sri Ganganagar,Barmer,Jaisalmer,Mount Abu,Puri,Balasore,Angul,Jharsuguda,Hazaribagh,Giridih,Arrah,Sasaram,
Nalanda,Samastipur,Motihari,Hajipur,Bettiah,Darjeeling,Cooch Behar,Krishnanagar,Kalyan,Dombivli,Vasai,Virar,Panvel,Ulhasnagar,
Pimpri,Chinchwad,Mira Road,Gurdaspur,Sangrur,Barnala,Kapurthala,Jagdalpur,Raigarh,Ambikapur,
Dubai,Abu Dhabi,Sharjah,Ajman,Riyadh,Jeddah,Doha,Muscat,Kuwait City,Manama,Singapore,Kuala Lumpur,Jakarta,Bangkok,Manila,
Hong Kong,Tokyo,Osaka,Seoul,Beijing,Shanghai,Taipei,Hanoi,Kathmandu,Pokhara,Dhaka,Chittagong,Colombo,Kandy,Karachi,Lahore,
Islamabad,Nairobi,Mombasa,Lagos,Abuja,Accra,Kampala,Johannesburg,Cape Town,Durban,Cairo,Casablanca,Istanbul,Ankara,Tel Aviv,
London,Manchester,Birmingham,Leeds,Glasgow,Edinburgh,Liverpool,Bristol,Dublin,Paris,Lyon,Marseille,Toulouse,Nantes,Bordeaux,
Lille,Berlin,Hamburg,Munich,München,Cologne,Köln,Frankfurt,Stuttgart,Düsseldorf,Leipzig,Dresden,Hannover,Nürnberg,Vienna,Wien,
Graz,Zurich,Zürich,Geneva,Basel,Amsterdam,Rotterdam,Utrecht,Brussels,Antwerp,Madrid,Barcelona,Valencia,Sevilla,Seville,
Zaragoza,Málaga,Bilbao,Lisbon,Lisboa,Porto,Braga,Rome,Roma,Milan,Milano,Naples,Napoli,Turin,Torino,Warsaw,Warszawa,Kraków,
Prague,Budapest,Bucharest,Athens,Stockholm,Oslo,Copenhagen,Helsinki,Moscow,Kyiv,New York,Los Angeles,Chicago,Houston,Dallas,
San Francisco,Seattle,Boston,Atlanta,Miami,Denver,Phoenix,Philadelphia,San Diego,San Jose,Las Vegas,Toronto,Vancouver,
Montreal,Calgary,Ottawa,Mexico City,Ciudad de México,Guadalajara,Monterrey,Puebla,Tijuana,Bogotá,Medellín,Cali,Lima,Quito,
Guayaquil,Caracas,Buenos Aires,Córdoba,Rosario,Montevideo,Asunción,São Paulo,Rio de Janeiro,Brasília,Curitiba,Porto Alegre,
Belo Horizonte,Recife,Fortaleza,Salvador,Campinas,Florianópolis,Goiânia,Manaus,Sydney,Melbourne,Brisbane,Perth,Auckland,
मुंबई,दिल्ली,नई दिल्ली,पुणे,लखनऊ,कानपुर,जयपुर,इंदौर,भोपाल,पटना,वाराणसी,नागपुर,नासिक,आगरा,रांची,रायपुर,देहरादून,कोलकाता,चेन्नई`

const known = new Set(cities.split(',').map((city) => city.trim().toLowerCase()))

export function isKnownCity(text: string): boolean {
  return text.length <= 40 && known.has(text.trim().toLowerCase())
}
