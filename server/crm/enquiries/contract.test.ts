import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerLine, enquiryLine, questionText } from './contract.ts'

for (const [sent, shown] of [
  ['what_is_your_budget?', 'What is your budget?'],
  ['your-budget', 'Your budget'],
  ['budget', 'Budget'],
  ['preferredVisitDate', 'Preferred visit date'],
  ['_carpet_area_', 'Carpet area'],
  ['budget_60-80', 'Budget 60-80'],
  ['BHK', 'BHK'],
  ['Which city do you live in?', 'Which city do you live in?'],
  ['when do you want to visit', 'when do you want to visit'],
  ['आपका_बजट_क्या_है?', 'आपका बजट क्या है?'],
  ['---', '---'],
] as const)
  test(`the question ${sent} is shown as “${shown}”`, () => assert.equal(questionText(sent), shown))

test('an answer follows its question in one line', () => {
  assert.equal(answerLine({ question: 'what_is_your_budget?', answer: '60 lakh' }), 'What is your budget? 60 lakh')
  assert.equal(answerLine({ question: 'city', answer: 'Pune' }), 'City: Pune')
})

test('the line of an enquiry is its product and first answer, else its message, each cut', () => {
  const answers = [
    { question: 'budget', answer: '60 lakh' },
    { question: 'visit', answer: 'Sunday' },
  ]
  const message = 'Wants\n2 BHK'
  assert.equal(enquiryLine({ product: 'Skyline', answers, message }), 'Skyline · Budget: 60 lakh')
  assert.equal(enquiryLine({ product: null, answers, message }), 'Budget: 60 lakh')
  assert.equal(enquiryLine({ product: 'Skyline', answers: [], message }), 'Skyline')
  assert.equal(enquiryLine({ product: null, answers: [], message }), 'Wants 2 BHK')
  assert.equal(enquiryLine({ product: null, answers: [], message: null }), null)
  assert.equal(enquiryLine({ product: 'x'.repeat(90), answers: [], message: null }), `${'x'.repeat(80)}…`)
})
