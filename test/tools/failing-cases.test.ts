import t from 'tap'
import { failingCases } from '../../tools/ci/failing-cases.ts'

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
  const found = await failingCases(bytesOf(report), { suite: undefined, most: 10 })
  t.match(found, [{ suite: 'unit', name: 'long', message: /^(?:\[\{,)+.{0,2}… \[\d+ more\]$/ }])
})
