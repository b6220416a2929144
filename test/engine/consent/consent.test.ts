import t from 'tap'
import { consentStep } from '../../../src/engine/consent/consent.ts'
import { QUESTION } from '../../../src/engine/consent/consent-question.ts'
import { KnownFacts } from '../../../src/engine/facts/known.ts'
import { Names } from '../../../src/engine/facts/names.ts'
import { toolsets } from '../../../tools/index.ts'

const row = toolsets.flatMap(({ rows }) => rows).find(({ name }) => name === 'update_work_item')!

t.test('what names stood for before a person was asked counts no more once they agree', async t => {
  let path = 'acme/rocket'
  const names = new Names(new KnownFacts().of('ada'), true)
  const pathOf41 = () => names.find('path of project 41', async () => path)
  const context = {
    client: {
      can: () => true,
      ask: async () => {
        path = 'acme/rocket-old'
        return { [QUESTION]: { action: 'accept', content: { agree: true } } }
      }
    },
    forge: { webUrl: 'https://forge.example' },
    names,
    consent: () => undefined,
    checkStill: () => undefined
  }
  t.equal(await pathOf41(), 'acme/rocket')
  const ask = consentStep(row, 'writes')!
  await ask({ project_id: '41', iid: '1', title: 'x' }, context as never, undefined)
  t.equal(await pathOf41(), 'acme/rocket-old')
})
