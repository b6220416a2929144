import t from 'tap'
import { parsedUrl } from '../../src/base/parsed-url.ts'

const letters = (count: number, first = 0x4e00): string =>
  Array.from({ length: count }, (_, at) => String.fromCodePoint(first + at)).join('')

t.test('a URL is parsed as any parser does it', async t => {
  t.equal(parsedUrl('https://forge.example:8443/a?b#c')?.href, 'https://forge.example:8443/a?b#c')
  t.equal(parsedUrl('/b?c', 'https://forge.example/a')?.href, 'https://forge.example/b?c')
  t.equal(parsedUrl('b', 'https://forge.example/a/')?.pathname, '/a/b')
  t.equal(parsedUrl('com.example.app:/callback')?.protocol, 'com.example.app:')
})

t.test('what is no URL is none', async t => {
  for (const text of ['', 'forge.example', '/a', 'https://', 'https://a b/', 'https://forge.example:65536/'])
    t.equal(parsedUrl(text), undefined, text)
})

t.test('hosts beyond ASCII are written as parsers write them, be they encoded or not', async t => {
  t.equal(parsedUrl('https://b\u00fccher.example/')?.host, 'xn--bcher-kva.example')
  t.equal(parsedUrl('https://b%C3%BCcher.example/')?.host, 'xn--bcher-kva.example')
  t.ok(parsedUrl(`https://${letters(20)}.${letters(20, 0xac00)}.example:8443/`))
})

t.test('a host as long as a name can be is taken, with a dot, a port and any user before it', async t => {
  const name = `${`${'a'.repeat(62)}.`.repeat(4)}b`
  t.equal(name.length, 253)
  t.equal(parsedUrl(`https://${'u'.repeat(4_000)}:${'p@'.repeat(99)}@${name}.:65535/`)?.port, '65535')
})

const long = letters(300)
const longHosts = {
  'of letters beyond ASCII': long,
  'of escapes': encodeURIComponent(letters(40)),
  'in Punycode': `xn--${'zzzz9'.repeat(60)}`,
  'with a user': `a@${long}`,
  'with a user and password that have an @': `a:b@c@${long}`,
  'with a port': `${long}:80`,
  'among tabs and line ends': `${[...letters(262)].join('\t')}\r\n.example`
}

t.test('a host longer than a name can be is refused, however a parser would take it for one', async t => {
  for (const [how, host] of Object.entries(longHosts))
    for (const start of ['http://', 'HTTP:/', 'https:', 'ws:\\\\', ' \u0000http:////', 'h\nt\ttp:/\r/'])
      for (const end of ['', '/', '?', '#a@b', '\\a']) {
        const text = start + host + end
        t.ok(URL.canParse(text))
        t.equal(parsedUrl(text), undefined, JSON.stringify(`${start}…${end} ${how}`))
      }
})

t.test('so is one of a reference to another host', async t => {
  for (const start of ['//', '\\\\', '/\\', ' \u0000//', '/\t/', '\n////', 'https:'])
    t.equal(parsedUrl(`${start}${long}/`, 'http://forge.example/'), undefined, JSON.stringify(start))
})

t.test('paths, queries and fragments may be as long as they are', async t => {
  const long = encodeURIComponent(letters(500))
  for (const end of [`/${long}`, `?${long}`, `#${long}`, `/a@${long}:b//c`])
    t.ok(parsedUrl(`https://forge.example${end}`))
  t.ok(parsedUrl(`/${long}`, 'https://forge.example/'))
  t.ok(parsedUrl(`${long}/a`, 'https://forge.example/'))
})

t.test('the host within a blob, of which its origin is, may not be longer either', async t => {
  t.equal(parsedUrl('blob:https://forge.example/a')?.origin, 'https://forge.example')
  t.equal(parsedUrl(`blob:https://${long}/`), undefined)
  t.equal(parsedUrl(`\t BLOB:https:${long}/`), undefined)
})
