import t from 'tap'
import { plainLine } from '../../src/log/plain-line.ts'
import { hideProxyCredentials } from '../../src/log/proxy-credentials.ts'
import { scrub } from '../../src/upstream/answers/said.ts'

for (const url of [
  'http://op:s%2Fkret%3Fpw1@proxy.example',
  'http://me:letters@p',
  'http://operator@p',
  'http://a:b@p',
  'http://p'
])
  hideProxyCredentials(url)
const base64 = Buffer.from('op:s/kret?pw1').toString('base64')

for (const [where, clean] of [
  ['a refusal', (text: string) => scrub(text, 'token')],
  ['the log', plainLine]
] as const)
  t.test(
    `the operator’s credential at a proxy is taken out of ${where} in whichever form it stands`,
    async t => {
      for (const form of [
        base64,
        base64.replace(/=+$/, ''),
        encodeURIComponent(base64),
        base64.replaceAll('=', '%3d'),
        'op:s/kret?pw1',
        'op:s%2Fkret%3Fpw1',
        'op%3as%2fkret%3fpw1',
        's/kret?pw1',
        's\\/kret?pw1',
        'me:letters'
      ])
        for (const before of ['', 'Basic ', 'Basic%20', 'Basic+', 'Basic\t', 'Basic: ', 'Basic&nbsp;'])
          t.match(
            clean(`asked with ${before}${form} here`),
            /^asked with (?:Basic\S*\s?)?\[redacted\](?:=|%3d)* here$/i,
            before + form
          )
      for (const plain of ['letters are of operator: me', 'a:b, YTpi'])
        t.equal(clean(plain), plain, 'what is no more than a word stays')
    }
  )
