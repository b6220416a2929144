import t from 'tap'
import { form, InputRequired, type Questions, type Replies } from '../../../../src/engine/consent/question.ts'
import { modernAsker } from '../../../../src/protocol/eras/modern/asker.ts'
import { RequestStates } from '../../../../src/protocol/questions/request-states.ts'
import { testSealer } from '../../../support/sealing.ts'

const requestStates = new RequestStates(testSealer().sealer, Date.now)
const call = { caller: 'ada', tool: 'one', args: {}, forge: 'https://x/api/v4' }
const first = { name: form('Who?', {}) }
const second = { color: form('Which?', {}) }
const reply = (word: string) => ({ action: 'accept', content: { word } })

/** One round of a call that asks those questions, one after the other. */
async function round(asks: readonly Questions[], params: Record<string, unknown> = {}) {
  const asker = modernAsker({ id: 1, method: 'tools/call', params }, 7, { requestStates })
  const replies: Replies[] = []
  try {
    for (const questions of asks) replies.push(await asker.ask(questions, call))
    return { replies }
  } catch (error) {
    if (!(error instanceof InputRequired)) throw error
    return {
      asked: Object.keys(error.questions),
      says: Object.values(error.questions).map(({ params }) => params.message),
      requestState: error.requestState
    }
  }
}

t.test('what was answered in one round is known in the next', async t => {
  const one = await round([first, second])
  t.same(one.asked, ['name'])
  const { requestState } = one
  const two = await round([first, second], { requestState, inputResponses: { name: reply('Ada') } })
  t.same(two.asked, ['color'])
  const three = await round([first, second], {
    requestState: two.requestState,
    inputResponses: { color: reply('blue') }
  })
  t.same(three.replies, [{ name: reply('Ada') }, { color: reply('blue') }])
})

t.test('of several questions only those are asked again that have no answer', async t => {
  const both = { ...first, ...second }
  const { requestState } = await round([both])
  const two = await round([both], { requestState, inputResponses: { color: reply('blue') } })
  t.same(two.asked, ['name'])
  const three = await round([both], {
    requestState: two.requestState,
    inputResponses: { name: reply('Ada'), color: reply('red') }
  })
  t.same(three.replies, [{ name: reply('Ada'), color: reply('blue') }], 'the first answer stands')
})

t.test('an answer to a question in other words is none', async t => {
  const { requestState } = await round([first])
  const other = { name: form('Whom?', {}) }
  const two = await round([other], { requestState, inputResponses: { name: reply('Ada') } })
  t.same(two.asked, ['name'])
})

t.test(
  'answers without the state of their questions are refused: nobody can tell what they answer',
  async t => {
    await t.rejects(round([first], { inputResponses: { name: reply('Ada') } }), {
      code: -32602,
      message: /^inputResponses come with the requestState /
    })
  }
)

t.test('an answer under a name that was not asked is told in the question that is asked again', async t => {
  const told = ['Who?\n(Asked again: inputResponses had no answer under the name "name".)']
  const stray = { nom: reply('Ada') }
  const one = await round([first], { inputResponses: stray })
  t.same(one.says, told, 'without a state')
  const two = await round([first], { requestState: one.requestState, inputResponses: stray })
  t.same(two.says, told, 'with one')
  const three = await round([first], {
    requestState: two.requestState,
    inputResponses: { name: reply('Ada') }
  })
  t.same(three.replies, [{ name: reply('Ada') }], 'the remark is no part of the question')
})

t.test('an answer that is no object is told in the question that is asked again', async t => {
  const { requestState } = await round([first])
  const { says } = await round([first], { requestState, inputResponses: { name: true } })
  t.same(says, [
    'Who?\n(Asked again: what inputResponses had under the name "name" was no object, as the result of elicitation/create is.)'
  ])
})

t.test('what is no object says nothing of a question that is asked for the first time', async t => {
  const { requestState } = await round([first, second])
  const inputResponses = { name: reply('Ada'), color: true }
  t.same((await round([first, second], { requestState, inputResponses })).says, ['Which?'])
})

t.test('a name that was not asked says nothing of a question that is asked for the first time', async t => {
  const { requestState } = await round([first, second])
  const inputResponses = { name: reply('Ada'), more: reply('x') }
  t.same((await round([first, second], { requestState, inputResponses })).says, ['Which?'])
})
