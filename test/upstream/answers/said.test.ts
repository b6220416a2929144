import t from 'tap'
import { explainFailure } from '../../../src/results/failure.ts'
import { forgeWordsOf, MAX_ERROR_BYTES, saidOf, scrub, titleOf } from '../../../src/upstream/answers/said.ts'
import { SaidInstead } from '../../../src/upstream/errors.ts'

t.test('of a refusal of very many values no more are read than can be told', async t => {
  let reads = 0
  const message = new Proxy(Array(200_000).fill(0), {
    get(list, name) {
      if (/^\d+$/.test(String(name))) reads++
      return Reflect.get(list, name)
    }
  })
  const words = forgeWordsOf({ message }, 'token')
  t.match(words, /^0, 0, 0, .*…$/)
  t.ok(reads < 10_000, `${reads}`)
})

t.test('a refusal that is longer than what is read of one is told as it begins', async t => {
  const body = JSON.stringify({ message: 'no '.repeat(MAX_ERROR_BYTES) })
  t.match(saidOf({ body }, 'token'), /^\{"message":"no no no .*…$/)
})

t.test('words of any nesting are joined, and what is too deep is left out', async t => {
  const message = { base: ['is bad', 'is old'], note: { a: [[[['deep']]]] }, none: [] }
  t.equal(forgeWordsOf({ message }, 'token'), 'base: is bad, is old; note: a: …; none:')
})

t.test('null says nothing', t => {
  for (const value of [null, { error: null }, { message: null }, { message: [null, { base: null }] }])
    t.notMatch(forgeWordsOf(value, 'token'), /null/, JSON.stringify(value))
  t.equal(forgeWordsOf({ error: null, error_description: 'not now' }, 'token'), 'not now')
  t.equal(
    explainFailure(new SaidInstead('record', ''), false),
    'The forge gave no record, and did not say why.'
  )
  t.equal(forgeWordsOf({ message: null, errors: ['not now'] }, 'token'), 'errors: not now')
  t.end()
})

t.test('a long token is taken out in whichever form it stands, and where it is cut off', async t => {
  for (const token of ['/~+='.repeat(500), `${'q'.repeat(300)}${'/~'.repeat(800)}`]) {
    const encoded = encodeURIComponent(token)
    const forms = [token, encoded, encoded.replaceAll('~', '%7E'), token.replaceAll('/', '\\/')]
    const said = [...forms, ...forms.map(form => form.slice(0, 400))].map(form =>
      scrub(`no ${form} here`, token)
    )
    t.same([...new Set(said)], ['no [token] here'])
  }
})

t.test('of a token that a text does not have no more is encoded than its beginning', async t => {
  const lengths: number[] = []
  const { encodeURIComponent: encode } = globalThis
  t.intercept(globalThis, 'encodeURIComponent', {
    value(text: string) {
      lengths.push(text.length)
      return encode(text)
    }
  })
  t.equal(scrub('no such thing '.repeat(100), '/~+='.repeat(500)).length, 1399)
  t.equal(scrub('no such thing', '/~+='.repeat(500)), 'no such thing')
  t.same(lengths, [200])
})

t.test(
  'credentials of headers, such as the operator’s at a proxy, are taken out of an echo of a request',
  async t => {
    const echo =
      'CONNECT forge.example:443\r\nproxy-authorization: Basic cHJveHk6UzNjcmV0UHc=\r\nhost: forge.example'
    for (const said of [
      saidOf({ body: `echo ${echo}` }, 'token'),
      saidOf({ body: JSON.stringify({ message: echo }) }, 'token'),
      titleOf(`<title>Error ${echo}</title>`, 'token')
    ])
      t.match(said, /proxy-authorization: Basic\[redacted\]\s+host: forge\.example$/)
  }
)

t.test('so are those of an echo that was written into a URL, a page or a list', async t => {
  for (const between of ['%20', '+', '\t', ': ', '&nbsp;'])
    t.equal(scrub(`asked with Bearer${between}S3cretOfMine`, 'token'), 'asked with Bearer[redacted]', between)
})

t.test('words about a way to log in are told', async t => {
  const message =
    'HTTP Basic: Access denied. Basic: Credentials. Basic authentication is off; use Bearer authentication.'
  t.equal(forgeWordsOf({ message }, 'token'), message)
})

t.test(
  'of a token that stands where a text is cut off nothing is told, however much shorter it got',
  async t => {
    const token = 'Zq8vXw3nL0pKs7TbYc2R'.repeat(4)
    for (let before = 0; before < token.length; before++)
      t.notMatch(scrub(`${'.'.repeat(before)}${`${token} `.repeat(150)}`, token), /Zq8/, `${before}`)
  }
)
