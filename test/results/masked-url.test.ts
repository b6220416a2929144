import t from 'tap'
import { maskedUrl } from '../../src/results/masked-url.ts'

t.test('of an address that may hold secrets all is masked before its last @, and its query', async t => {
  for (const [url, masked] of [
    ['https://u:p@host/path', 'https://***@host/path'],
    ['https://u:p@ss@host/path', 'https://***@host/path'],
    ['https://host/@path?token=secret&x=1', 'https://host/@path?***'],
    ['https://host/path#secret', 'https://host/path'],
    ['https://host/path#sec\nret', 'https://host/path']
  ] as const)
    t.equal(maskedUrl(url), masked)
})
