import t from 'tap'
import { CallProblem } from '../../../src/results/problem.ts'
import { failingCases } from '../../../tools/ci/failing-cases.ts'

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

t.test('a case of very many values is passed over, and one that printed much is told', async t => {
  const failed = (name: string, more: string) => `{"status":"failed","name":"${name}",${more}}`
  const cases = [
    failed('wide', `"a":[${'{},'.repeat(6000)}0]`),
    failed('keys', Array.from({ length: 6000 }, (_, at) => `"k${at}":{}`).join()),
    failed('long', `"system_output":"${'[{,'.repeat(100_000)}"`)
  ]
  const report = `{"test_suites":[{"name":"unit","test_cases":[${cases.join()}]}]}`
  const found = await failingCases({ body: () => bytesOf(report) }, { suite: undefined, most: 10 })
  t.match(found, [{ suite: 'unit', name: 'long', message: /^(?:\[\{,)+.{0,2}… \[\d+ more\]$/ }])
})

t.test('a report with a case or a suite that is no JSON is none, and is not read on', async t => {
  for (const part of ['{"name":"unit","test_cases":[{x},', '{x},', '{"name":"unit","test_cases":[{"a":1]']) {
    let pieces = 0
    const body = (async function* () {
      for (; pieces < 3; pieces++)
        yield Buffer.from(pieces === 0 ? `{"test_suites":[${part}` : '{x},'.repeat(100))
    })()
    await t.rejects(
      failingCases({ body: () => body }, { suite: undefined, most: 10 }),
      new CallProblem('The forge answered with something that is no test report.')
    )
    t.equal(pieces, 0, part)
  }
})
