import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generatedPages, readPage } from './limits-pages.ts'

for (const [page, text] of Object.entries(generatedPages()))
  test(`${page} has the limits and the variables of the code`, () => {
    assert.equal(readPage(page), text, 'Run "npm run limits-pages" and commit the page.')
  })
