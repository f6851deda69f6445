/** First names, last names and cities that go together. */
interface Region {
  first: string[]
  last: string[]
  cities: string[]
}

const words = (text: string) => text.split(' ')
const lines = (text: string) => text.trim().split(/\s*\n\s*/)

export const regions: (readonly [Region, number])[] = [
  [
    {
      first: words(
        'Ravi Amit Rahul Sanjay Vikas Deepak Rohit Manish Ankit Saurabh Neha Pooja Priya Anjali Kavita Shweta Ritu Nisha Preeti Sunita',
      ),
      last: words(
        'Sharma Verma Gupta Singh Mishra Tiwari Yadav Agarwal Srivastava Pandey Chauhan Saxena Jain Bansal Rastogi Tripathi',
      ),
      cities: words('Delhi Noida Gurugram Ghaziabad Lucknow Kanpur Jaipur Agra Varanasi Indore Bhopal Patna'),
    },
    30,
  ],
  [
    {
      first: words(
        'Aditya Nikhil Sachin Sandeep Prasad Omkar Tejas Swapnil Mahesh Ganesh Snehal Ashwini Rutuja Manasi Sayali Pallavi Vaishali Madhuri',
      ),
      last: words(
        'Patil Deshmukh Kulkarni Joshi Jadhav Pawar Shinde Gaikwad Deshpande Bhosale Chavan Kadam Sawant More',
      ),
      cities: words('Mumbai Pune Nagpur Nashik Thane Aurangabad Kolhapur Solapur'),
    },
    18,
  ],
  [
    {
      first: words(
        'Hardik Jignesh Chirag Parth Dhaval Ketan Mitesh Bhavesh Hetal Krupa Dhara Bhoomi Jinal Riddhi Kinjal Urvashi',
      ),
      last: words('Patel Shah Mehta Desai Parikh Trivedi Solanki Rathod Bhatt Dave Modi Vyas Gandhi Parmar'),
      cities: words('Ahmedabad Surat Vadodara Rajkot Bhavnagar Jamnagar Gandhinagar'),
    },
    13,
  ],
  [
    {
      first: words(
        'Karthik Senthil Murugan Prakash Arun Vignesh Saravanan Bala Lakshmi Divya Kavya Meenakshi Revathi Deepa Anitha Gayathri',
      ),
      last: words(
        'Subramanian Krishnan Raman Iyer Murugesan Natarajan Selvam Rajendran Venkatesan Sundaram Palaniswami Ganesan',
      ),
      cities: words('Chennai Coimbatore Madurai Tiruchirappalli Salem Tiruppur Erode'),
    },
    11,
  ],
  [
    {
      first: words(
        'Srinivas Venkat Naveen Kiran Rajesh Praveen Suresh Ramesh Sravani Swathi Lavanya Sirisha Padma Harika Anusha Bhavani',
      ),
      last: words('Reddy Rao Naidu Chowdary Varma Raju Goud Sastry Prasad Murthy Gowda Hegde Shetty Bhat'),
      cities: words('Hyderabad Bengaluru Visakhapatnam Vijayawada Mysuru Mangaluru Guntur Warangal Hubballi'),
    },
    14,
  ],
  [
    {
      first: words(
        'Arnab Sourav Debashis Subhash Partha Anirban Abhijit Joydeep Moumita Sharmistha Ananya Rupa Sudipta Paromita',
      ),
      last: words('Banerjee Mukherjee Chatterjee Ghosh Das Sen Dutta Bose Roy Sarkar Mondal Saha'),
      cities: words('Kolkata Howrah Siliguri Durgapur Asansol Guwahati Bhubaneswar Ranchi'),
    },
    9,
  ],
  [
    {
      first: words(
        'Harpreet Gurpreet Manpreet Jaspreet Amarjit Balwinder Sukhwinder Navjot Simran Rajdeep Kulwinder Parminder',
      ),
      last: words('Singh Kaur Gill Sandhu Dhillon Sidhu Grewal Bajwa Brar Arora Khanna Malhotra'),
      cities: words('Ludhiana Amritsar Chandigarh Jalandhar Mohali Patiala Delhi'),
    },
    7,
  ],
  [
    {
      first: words('Imran Salman Faisal Irfan Zubair Farhan Rizwan Sameer Shabana Ayesha Nasreen Zainab'),
      last: words('Khan Ansari Shaikh Siddiqui Pathan Qureshi Syed Mirza'),
      cities: words('Hyderabad Mumbai Lucknow Bhopal Delhi Aurangabad'),
    },
    6,
  ],
  [
    {
      first: words('Thomas Mathew George Anu Jincy Sreejith Vishnu Asha Lekshmi Biju Sheeba Rajeev'),
      last: words('Varghese Kurian Joseph Nair Menon Pillai Kurup Nambiar'),
      cities: words('Kochi Thiruvananthapuram Kozhikode Thrissur Kottayam Bengaluru'),
    },
    5,
  ],
]

export const devanagari: Record<string, string> = {
  ...{ Sunita: 'सुनीता', Kavita: 'कविता', Rahul: 'राहुल', Deepak: 'दीपक', Pooja: 'पूजा', Ravi: 'रवि' },
  ...{ Sharma: 'शर्मा', Verma: 'वर्मा', Gupta: 'गुप्ता', Mishra: 'मिश्रा', Pandey: 'पांडे', Yadav: 'यादव' },
  ...{ Sachin: 'सचिन', Mahesh: 'महेश', Ganesh: 'गणेश', Snehal: 'स्नेहल', Ashwini: 'अश्विनी', Vaishali: 'वैशाली' },
  ...{ Patil: 'पाटील', Kulkarni: 'कुलकर्णी', Joshi: 'जोशी', Jadhav: 'जाधव', Shinde: 'शिंदे', Pawar: 'पवार', More: 'मोरे' },
}

export const companyWords = words(
  'Suryoday Navrang Annapurna Shubham Pragati Akshar Sagar Himalaya Vardhman Triveni Udaan Swastik Lotus Ganga Sahyadri Kaveri Nandan Everest Sapphire Bluebell',
)

export const companyKinds = lines(`
  Traders
  Enterprises
  Industries
  Textiles
  Infotech
  Foods
  Logistics
  Realty
  Engineering Works
  Exports
  Academy
  Clinic
  Interiors
  Agro Products
  Travels
  Electricals`)

/** Reasons after a conversation. New accounts have them. */
export const lostReasons = ['Too expensive', 'Bought elsewhere', 'Not interested', 'Wrong enquiry']

/** A `#` is a small number. */
export const leadNotes = lines(`
  Asked for a quotation for # units.
  Wants a call back after # pm.
  Compares us with # other suppliers.
  Needs delivery within # weeks.
  Prefers to talk on WhatsApp.
  Looking for a 2 BHK, budget still open.
  Site visit wanted next weekend.
  Asked about EMI and GST invoice.
  Came through a friend who bought last year.
  Decision is with the family, speak to both.
  Wants the brochure in Hindi.
  Only available in the evening.
  Asked for a demo for a team of #.
  Price is the main concern.
  Already uses another product, contract ends in # months.
  Wants to visit the showroom first.
  Bulk order, asked for dealer price.
  Please share location and timings.`)

export const callNotes = lines(`
  Interested, send the quotation.
  Will decide in # days.
  Asked to call again tomorrow.
  Budget is lower than our price.
  Demo fixed, # people will join.
  Talked to the partner, needs approval.
  Happy with the offer, wants the invoice.
  Shared details on WhatsApp.
  Follow up after the festival.`)
