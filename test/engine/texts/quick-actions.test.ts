import t from 'tap'
import { type TProperties, Type } from 'typebox'
import { inert, markdown, optional, text } from '../../../src/engine/rows/fields.ts'
import { noQuickActions, quickActionIn, textCheck } from '../../../src/engine/texts/quick-actions.ts'

t.test('lines that a forge may carry out', async t => {
  const cases: [title: string, text: string, found: string | undefined][] = [
    ['a command alone', '/merge', '/merge'],
    ['a command with arguments', 'Thanks!\n/move other/project\nBye', '/move'],
    ['any case', '/MeRgE', '/MeRgE'],
    ['a letter that is another one in small', 'a\n/loc\u212a', '/loc\u212a'],
    ['after blanks', ' \t/approve', '/approve'],
    ['after an empty line', '\n\n/close\n', '/close'],
    ['with blanks behind it', '/close \t', '/close'],
    ['lines that end as on Windows', 'a\r\n/merge\r\nb', '/merge'],
    ['a carriage return within, which the forge drops', '/me\rrge', '/merge'],
    ['a carriage return before, which ends a line for Markdown', 'a\r/merge', '/merge'],
    ['carriage returns on all sides', '\r /\rmer\rge\r x', '/merge'],
    ['what else ends a line', 'a\u2028/merge\u2029b', '/merge'],
    ['a path that goes on behind a carriage return', 'a\n/\rusr/bin', undefined],
    ['a command of any length', `/${'a'.repeat(100)}`, `/${'a'.repeat(59)}`],
    ['a command this service has never heard of', '/brand_new 1', '/brand_new'],
    ['a path', '/usr/bin/env', undefined],
    ['a path in a sentence', 'see /merge', undefined],
    ['a quote', '> /merge', undefined],
    ['a list item', '- /merge', undefined],
    ['inline code', '`/merge`', undefined],
    ['a division', '1\n/ 2', undefined],
    ['a comment in code', '// merge', undefined],
    ['an address', '/merge.html and /merge-it', undefined]
  ]
  for (const [title, given, found] of cases) t.equal(quickActionIn(given), found, title)
})

t.test('code blocks are no commands, unless a forge could read the text in another way', async t => {
  const cases: [title: string, text: string, found: string | undefined][] = [
    ['a code block', 'a\n```\n/merge\n```\nb', undefined],
    ['one with a language', '```sh\n/merge\n```', undefined],
    ['two of them', '```\n/merge\n```\nx\n```\n/close\n```', undefined],
    ['a command behind one', '```\n/merge\n```\n/close', '/close'],
    ['a command between two', '```\nx\n```\n/close\n```\ny\n```', '/close'],
    ['one that does not end', '```\n/merge', '/merge'],
    ['one whose end has blanks', '```\n/merge\n``` \n', '/merge'],
    ['one that begins after blanks', ' ```\n/merge\n```', '/merge'],
    ['one that ends after blanks', '```\nx\n ```\n/merge\n```', '/merge'],
    ['longer fences', '````\n/merge\n````', '/merge'],
    ['a longer fence around a shorter one', '````\n```\n````\n/merge\n```', '/merge'],
    ['an empty block, whose end older versions take for text', '```\n```\n```\n/merge\n```', '/merge'],
    ['a fence in a block of HTML', '<div>\n```\n</div>\n/merge\n```', '/merge'],
    ['a fence in a comment', '  <!--\n```\n-->\n/merge\n```', '/merge'],
    ['a fence in a quote of several lines', '>>>\n```\n>>>\n/merge\n```', '/merge'],
    ['a fence in another kind of fence', '~~~\n```\n~~~\n/merge\n```', '/merge'],
    ['a fence in front matter', '---\n```\n---\n/merge\n```', '/merge'],
    ['a fence that inline code takes in', 'a `\n```\n/merge\n```', '/merge'],
    ['tildes', '~~~\n/merge\n~~~', '/merge'],
    ['lines that end as on Windows', '```\r\n/merge\r\n```', undefined],
    ['a lone carriage return that ends a block', '```\nx\r```\n/merge\n```', '/merge']
  ]
  for (const [title, given, found] of cases) t.equal(quickActionIn(given), found, title)
})

t.test('of very many lines, in one text or in all of a call, none is taken for code', async t => {
  const block = '```\n/merge\n```\n'
  t.equal(quickActionIn(block + '\r\n'.repeat(19_000)), undefined)
  t.equal(quickActionIn(block + '\r\n'.repeat(20_000)), '/merge')
  const check = textCheck(Type.Object({ notes: Type.Array(markdown()) }))
  const notes = (count: number) => ({ notes: Array(count).fill(block + '\n'.repeat(190)) })
  t.doesNotThrow(() => check(notes(100), noQuickActions))
  t.throws(() => check(notes(110), noQuickActions), { message: /^notes\.0 has the line "\/merge"/ })
})

t.test('no string is made of each line of a text', async t => {
  const text = `\`\`\`\n${'a\n'.repeat(19_000)}\`\`\`\n/merge`
  const bytes = () => {
    const before = process.memoryUsage().heapUsed
    quickActionIn(text)
    return process.memoryUsage().heapUsed - before
  }
  // A collection in between makes it less, never more.
  t.ok(Math.max(...Array.from({ length: 5 }, bytes)) < 19_000 * 16)
})

t.test('a check looks at the texts that are marked, at any depth, and at no others', async t => {
  const check = (properties: TProperties, args: object) =>
    textCheck(Type.Object(properties))(args as Record<string, unknown>, noQuickActions)
  const input = {
    title: text(),
    body: optional(markdown()),
    description: inert(text()),
    notes: Type.Array(Type.Object({ body: markdown() })),
    names: Type.Array(text())
  }
  check(input, {
    title: '/merge',
    description: '/merge',
    names: ['/merge'],
    body: 'fine',
    notes: [{ body: 'fine' }]
  })
  t.throws(() => check(input, { body: 'x\n/merge !1' }), {
    message:
      'body has the line "/merge", which the forge would carry out as a quick action, and this server limits what may be done. Leave it out, or put it between two lines of three backticks.'
  })
  t.throws(() => check(input, { notes: [{ body: 'fine' }, { body: '/merge' }] }), {
    message: /^notes\.1\.body has/
  })
})
