import t from 'tap'
import { withArticle } from '../../src/results/with-article.ts'

t.test('a word has the article of its first sound', async t => {
  t.same(['branch', 'issue', 'user', 'array'].map(withArticle), [
    'a branch',
    'an issue',
    'a user',
    'an array'
  ])
})
