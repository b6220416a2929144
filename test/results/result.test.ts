import t from 'tap'
import { MAX_BLOCK_BYTES } from '../../src/results/blocks.ts'
import { cutStrings } from '../../src/results/cut-strings.ts'
import { problemResult, resultJson, type ToolOutput, writeResult } from '../../src/results/result.ts'
import { quoted } from '../../src/results/visible.ts'
import { cpuMsOf } from '../support/event-loop.ts'
import { textsOf } from '../support/texts.ts'

const policy = { output: 'compact', maxChars: 1000 } as const
const none = { inputs: new Set(['page']), structured: false, class: 'read', record: undefined } as const
const texts = (output: ToolOutput, settings: object = policy, of: Parameters<typeof writeResult>[2] = none) =>
  textsOf(writeResult(output, settings as typeof policy, of))
const textOf = (value: unknown, settings: object = policy) => texts({ value }, settings)[0]

t.test('compact output', async t => {
  t.test('leaves out nulls, links, avatars and zero time stats, at any depth', async t => {
    const value = {
      a: null,
      _links: { self: 'x' },
      avatar_url: 'x',
      time_stats: { time_estimate: 0, human_time_estimate: null },
      list: [{ b: null, c: 0, d: '', e: false, f: [] }]
    }
    t.equal(textOf(value), '{"list":[{"c":0,"d":"","e":false,"f":[]}]}')
  })

  t.test('keeps time stats that say something', async t => {
    t.equal(textOf({ time_stats: { time_estimate: 60 } }), '{"time_stats":{"time_estimate":60}}')
  })

  t.test('shortens people to id, username and name', async t => {
    const ada = {
      id: 1,
      username: 'ada',
      name: 'Ada',
      state: 'active',
      avatar_url: 'x',
      web_url: 'y',
      locked: false
    }
    t.equal(
      textOf({ author: ada, assignees: [ada] }),
      '{"author":{"id":1,"username":"ada","name":"Ada"},"assignees":[{"id":1,"username":"ada","name":"Ada"}]}'
    )
  })

  t.test('is off with FORGE_OUTPUT=full', async t => {
    t.equal(textOf({ a: null, _links: {} }, { ...policy, output: 'full' }), '{"a":null,"_links":{}}')
  })
})

t.test('a description that is not shown whole is said to be, once, and no other text', async t => {
  const said =
    'Invisible characters and passwords in URLs are left out of this description: writing it back whole would delete them from it.'
  t.same(texts({ value: { description: 'Donau\u00addampf\u200bschiff' } }), [
    '{"description":"Donaudampfschiff"}',
    said
  ])
  t.same(texts({ value: { title: 'a\u200bb', description: 'c' } }), ['{"title":"ab","description":"c"}'])
  t.same(texts({ value: [{ description: 'a\u200bb' }] }), ['[{"description":"ab"}]'])
  t.same(
    texts({ value: { description: 'API\u200cها' } }),
    ['{"description":"API\u200cها"}'],
    'what is needed stays'
  )
})

t.test('secrets never come back, in either mode', async t => {
  for (const output of ['compact', 'full']) {
    const text = textOf(
      { project: { runners_token: 'GR1348', name: 'x' }, import_url: 'https://me:pw@host/x.git' },
      { ...policy, output }
    )
    t.notMatch(text, /GR1348|pw/)
    t.match(text, /https:\/\/host\/x\.git/)
    const clone = 'git clone https://glpat-x7Kd_2mQ-81bZtRw3nPq@host/x ssh://git@host/x'
    t.equal(
      textOf({ clone }, { ...policy, output }),
      '{"clone":"git clone https://host/x ssh://git@host/x"}',
      'a token alone'
    )
    t.equal(
      textOf({ a: 'x://:pw@host/x', b: 'x://me:p@w@host/x' }, { ...policy, output }),
      '{"a":"x://host/x","b":"x://host/x"}',
      'a password without a name, or with an @'
    )
    for (const name of [
      'token',
      'authentication_token',
      'registration_token',
      'private_token',
      'incoming_email_token'
    ])
      t.equal(textOf([{ id: 1, [name]: 'hidden' }], { ...policy, output }), '[{"id":1}]', name)
  }
})

t.test('characters that only a model reads are removed', async t => {
  const hidden = 'a\u202eb\u200bc\u{e0041}d\u2066e\ufefff'
  t.equal(textOf({ title: hidden }), '{"title":"abcdef"}')
  t.equal(texts({ text: hidden })[0], 'abcdef')
  t.equal(textOf({ title: 'naïve 👩‍🚀 日本' }), '{"title":"naïve 👩‍🚀 日本"}')
})

t.test('a page that a forge names by its number alone can be asked for where pages have tokens', async t => {
  const page = { 'x-page': '1', 'x-next-page': '2' }
  t.equal(
    texts({ value: [1], page }, policy, { ...none, inputs: new Set(['page_token']) })[1],
    '{"pagination":{"next_page_token":"page=2"}}'
  )
})

t.test('control characters and halves of others are removed from each block of JSON', async t => {
  const title = 'a\u001b[31m\u0008\ud800b'
  const written = '{"title":"a[31mb"}'
  t.equal(textOf({ title }), written)
  t.equal(texts({ text: 'x', about: JSON.stringify({ title }) })[1], written, 'beside a text')
  const page = { link: '<https://forge.example/x?cursor=a%1B%08b>; rel="next"' }
  t.equal(
    texts({ value: [1], page }, policy, { ...none, inputs: new Set(['page_token']) })[1],
    '{"pagination":{"next_page_token":"cursor=ab"}}',
    'of a page'
  )
})

t.test('a list with more pages says so in one more block', async t => {
  const pageOf = (page: Record<string, string>, value: unknown[] = [1]) => texts({ value, page })[1]
  t.equal(
    pageOf({ 'x-page': '1', 'x-per-page': '20', 'x-next-page': '2', 'x-total': '93', 'x-total-pages': '5' }),
    '{"pagination":{"page":1,"per_page":20,"next_page":2,"total":93,"total_pages":5}}'
  )
  t.equal(
    pageOf({ 'x-page': '1', 'x-next-page': '2' }),
    '{"pagination":{"page":1,"next_page":2}}',
    'totals may be missing'
  )
  t.equal(
    pageOf({ link: '<https://f/x?page=3&per_page=20>; rel="next", <https://f/x?page=1>; rel="first"' }),
    '{"pagination":{"next_page":3}}'
  )
  t.equal(pageOf({ link: '<https://f/x?page=10>; rel="next"' }), '{"pagination":{"next_page":10}}')
  t.equal(pageOf({ 'x-page': '5', 'x-next-page': '' }), undefined, 'the last page needs no notice')
  t.equal(pageOf({ 'x-page': '5' }, []), 'There is no page 5: the list ends before it.', 'where none counts')
  t.equal(pageOf({ 'x-page': '1' }, []), undefined)
  t.equal(pageOf({ 'x-next-page': 'evil' }), undefined)
})

t.test('a list whose next page is named in no known way says that it goes on', async t => {
  const page = { link: '<https://f/x?after_key=9>; rel="next"' }
  t.equal(
    texts({ value: [1], page }, policy, { ...none, inputs: new Set(['page_token', 'per_page']) })[1],
    'The list goes on after these records, and this tool cannot read its next page: ask for less of it, or with a larger per_page.'
  )
  t.match(texts({ value: [1], page })[1], /cannot read its next page: ask for less of it\.$/)
})

t.test('so does a list with a next page for which the tool has no argument', async t => {
  for (const page of [{ 'x-next-page': '2' }, { link: '<https://f/x?page=2>; rel="next"' }])
    t.match(
      texts({ value: [1], page }, policy, { ...none, inputs: new Set() })[1],
      /cannot read its next page/
    )
})

t.test('the second block says that there are more pages, and records keep their states', async t => {
  const issues = [1, 2].map(iid => ({ iid, project_id: 41, state: 'opened' }))
  t.same(texts({ value: issues, page: { 'x-next-page': '2' } }, policy, { ...none, record: 'issue' }), [
    '[{"iid":1,"state":"opened"},{"iid":2,"state":"opened"}]',
    '{"pagination":{"next_page":2}}',
    '{"in_each_record":{"project_id":41}}'
  ])
})

t.test('a file is shown as it is written, and what is left out of it is said', async t => {
  t.same(texts({ text: 'p = &it;', isSource: true }), ['p = &it;'])
  const [shown, notice] = texts({ text: '\ufeffp = &it;', isSource: true })
  t.equal(shown, 'p = &it;')
  t.match(notice, 'writing it back whole would delete them')
})

t.test('a result is bounded, stays JSON, and says how to get the rest', async t => {
  t.test('a record is cut where it is long, whatever was taken out of it before', async t => {
    const noise = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`a_field_without_a_value_${at}`, null])
    )
    const notes = Array.from({ length: 10 }, (_, id) => ({ id, ...noise, body: 'z'.repeat(200) }))
    const content = texts({ value: { notes } }, policy)
    t.ok(content[0]!.length <= 1000)
    t.equal(JSON.parse(content[0]!).notes.length, 10)
  })

  t.test('a list loses its last records', async t => {
    const value = Array.from({ length: 50 }, (_, id) => ({ id, text: 'x'.repeat(50) }))
    const content = texts({ value }, policy, { ...none, inputs: new Set(['page', 'per_page']) })
    const shown = JSON.parse(content[0]!)
    t.ok(content[0]!.length <= 1000)
    t.match(content[1], new RegExp(`${shown.length} of 50 records.*smaller per_page`))
  })

  t.test('of a list of thousands of tiny records only the first are read, and it says so', async t => {
    let reads = 0
    const tiny = {
      get a() {
        reads++
        return 1
      }
    }
    const inputs = new Set(['page', 'per_page'])
    const settings = { ...policy, maxChars: 200_000 }
    const [text, notice] = texts({ value: Array(60_000).fill(tiny) }, settings, { ...none, inputs })
    t.equal(JSON.parse(text!).length, 5_000)
    t.match(notice, /^Result cut at 5000 records: 5000 of 60000 records are shown\. .*smaller per_page/)
    t.ok(reads <= 4 * 5_000, `${reads} reads`)

    const whole = texts({ value: Array(1_000).fill(7) }, { ...policy, maxChars: 2_001 })
    t.same(whole, [JSON.stringify(Array(1_000).fill(7))], 'as many as ten pages have are all shown')
  })

  t.test('the same where one of them fits into no answer', async t => {
    let reads = 0
    const tiny = {
      get a() {
        reads++
        return 1
      }
    }
    const long = { a: 'y'.repeat(300_000) }
    const settings = { ...policy, maxChars: 200_000 }
    const [text, notice] = texts({ value: [long, ...Array(60_000).fill(tiny)] }, settings)
    const shown = JSON.parse(text!)
    t.equal(shown.length, 5_000)
    t.match(shown[0].a, /^y{1000,}… \[\d+ more\]$/)
    t.match(notice, /long texts end early\. .* 5000 of 60001 records are shown\.$/)
    t.ok(reads <= 8 * 5_000, `${reads} reads`)
  })

  t.test('a record of a list that fits into no answer is shortened, and hides none after it', async t => {
    const diffs = ['a', 'b', 'c', 'd'].map(new_path => ({ new_path, diff: 'y' }))
    diffs[1]!.diff = 'y'.repeat(5000)
    const content = texts({ value: diffs }, policy)
    const shown = JSON.parse(content[0]!)
    t.ok(content[0]!.length <= 1000)
    t.match(shown[1], { new_path: 'b', diff: /^y{500,}… \[\d+ more\]$/ })
    t.same([shown[0], ...shown.slice(2)], [diffs[0], ...diffs.slice(2)])
    t.match(content[1], /cut at 1000 characters: long texts end early/)
  })

  t.test('a record has its long texts cut', async t => {
    const content = texts({ value: { id: 1, description: 'y'.repeat(5000) } }, policy)
    t.ok(content[0]!.length <= 1000)
    t.match(JSON.parse(content[0]!), { id: 1, description: /^y+… \[\d+ more\]$/ })
    t.match(content[1], /cut at 1000 characters/)
  })

  t.test('of a record too large even with short texts what says which it is is shown', async t => {
    const files = Array.from({ length: 500 }, (_, id) => ({ id }))
    const [text, notice] = texts({ value: { files, id: 7, name: 'n'.repeat(300), owner: { id: 1 } } }, policy)
    t.ok(text!.length <= 1000)
    t.match(JSON.parse(text!), { id: 7, name: /^n{200}… \[100 more\]$/, owner: { id: 1 } })
    t.match(notice, /^Result cut at 1000 characters: only a part of the record is shown, without "files"\. /)
  })

  t.test('so is it of the first of a list', async t => {
    const one = { id: 7, lines: Array(900).fill(1) }
    const [text, notice] = texts({ value: [one, one] }, policy)
    t.same(JSON.parse(text!), [{ id: 7 }])
    t.match(notice, /without "lines"\. .* 1 of 2 records is shown\.$/)
  })

  t.test('of what is no record, no empty one is shown for a part of it', async t => {
    const [text, notice] = texts({ value: [Array(900).fill(1)] }, policy)
    t.same(JSON.parse(text!), [{ error: 'This is too large to show.' }])
    t.notMatch(notice, /only a part of the record/)
  })

  t.test('of a list of one record nobody is told to ask for fewer', async t => {
    const tool = { ...none, inputs: new Set(['file_paths']) }
    const diff = { new_path: 'a', diff: 'y'.repeat(5000) }
    const half = { new_path: 'a', diff: 'y'.repeat(600) }
    t.match(texts({ value: [half, half] }, policy, tool)[1], /fewer file_paths/)
    t.notMatch(texts({ value: [diff] }, policy, tool)[1], /fewer/)
    t.match(
      texts({ value: [half, diff] }, policy, tool)[1],
      /in the file itself/,
      'one of several is too long by itself'
    )
    t.match(
      texts({ value: [diff] }, policy, none)[1],
      /end early\. The rest cannot be had through this tool\.$/
    )
  })

  t.test('of one diff that is cut it is told that the file has the rest', async t => {
    for (const name of ['file_paths', 'unidiff', 'excluded_file_patterns'])
      t.match(
        texts({ value: [{ new_path: 'a', diff: 'y'.repeat(5000) }] }, policy, {
          ...none,
          inputs: new Set([name, 'per_page'])
        })[1],
        /end early\. What a diff leaves out is in the file itself, before and after the change\.$/,
        name
      )
  })

  t.test('text that fits exactly is whole', async t => {
    t.equal(writeResult({ text: 'z'.repeat(1000) }, policy, none).content.length, 1)
  })
})

t.test('text of strangers is searched for credentials in no more time than it is long', async t => {
  const long = `://${'a'.repeat(100_000)}`.repeat(3)
  const hostile = `${long} ://${'a:'.repeat(100_000)} git clone https://ada:s3:cret@forge.example/x`
  let content: string[] = []
  const took = await cpuMsOf(() => {
    content = texts({ text: hostile }, { ...policy, maxChars: 1_000_000 })
  })
  t.ok(content[0]!.startsWith(`${long} `) && content[0]!.endsWith(' git clone https://forge.example/x'))
  t.ok(took < 4000, `${took} ms`)
})

t.test('a value with a schema of its own is also structured, as clean as the text', async t => {
  const result = writeResult({ value: { a: 'x\u200by', b: null } }, policy, { ...none, structured: true })
  t.equal(result.structuredJson, '{"a":"xy"}')
  t.equal(textsOf(result)[0], '{"a":"xy"}')
  t.notOk('structuredJson' in writeResult({ value: { a: 1 } }, policy, none))
})

t.test('a structured value is whole beside a text that is cut, up to what no forge has', async t => {
  const structured = { ...none, structured: true }
  const written = (value: unknown) => JSON.parse(writeResult({ value }, policy, structured).structuredJson!)
  const blobs = Array.from({ length: 100 }, (_, at) => ({ file_name: `${at}`.repeat(40) }))
  t.same(written({ blobs }), { blobs })
  t.match(written({ name: 'a'.repeat(1_000_000), size: 1 }), {
    name: /^a{199900,200000}… \[\d+ more\]$/,
    size: 1
  })
  t.throws(() => written({ blobs: Array(100_000).fill('a') }), { name: 'ForgeError', fault: 'too-large' })
})

t.test('a problem is told in few words, without half a credential', async t => {
  const content = textsOf(
    problemResult(`${'x'.repeat(3980)} https://ada:s3cret-s3cret-s3cret@forge.example/ ${'y'.repeat(9000)}`)
  )
  t.equal(content[0]?.length, 4001)
  t.notMatch(content[0], /ada|s3cret/)
})

t.test('no record, text, notice or name that is cut shows a credential, wherever it is cut', async t => {
  const faults = Array.from({ length: 200 }, (_, at) => at).flatMap(at => {
    const long = `${'a'.repeat(800 + at)} https://oauth2:s3cret-s3cret@forge.example/ ${'z'.repeat(5000)}`
    const shown = {
      record: texts({ value: { description: long } }),
      list: texts({ value: [{ notes: [{ body: long }] }] }),
      fields: texts({ value: { name: long.slice(650), parts: Array(1000).fill({ a: 1 }) } }),
      structured: [writeResult({ value: { a: long } }, policy, { ...none, structured: true }).content],
      text: texts({ text: long }),
      source: texts({ text: long, isSource: true }),
      notice: textsOf(problemResult(`${'x'.repeat(3100)}${long}`)),
      quote: textsOf(problemResult(quoted(`${'x'.repeat(3100)}${long}`)))
    }
    return Object.entries(shown)
      .filter(([, all]) => /s3c/.test(JSON.stringify(all)))
      .map(([where]) => `${where} ${at}`)
  })
  t.same(faults, [])
})

t.test('so is what is said besides a result, whatever a forge has put into it', async t => {
  t.equal(texts({ value: {}, notices: ['word '.repeat(20_000)] })[1]?.length, 4001)
})

t.test('of notices as many are shown as there is room for, however many there are', async t => {
  const [, ...shown] = texts({ value: {}, notices: Array(5000).fill('word '.repeat(400)) })
  t.equal(shown.length, 33)
  t.equal(shown.at(-1), '4968 more notices are left out.')
})

t.test('a record too large to show costs no more than a look at what could be shown', async t => {
  let seen = 0
  const field = { enumerable: true, get: () => `field ${++seen}` }
  const names = Array.from({ length: 10_000 }, (_, at) => [`f${at}`, field])
  const record = Object.defineProperties({}, Object.fromEntries(names))
  t.equal(cutStrings(record, 1000), undefined)
  t.ok(seen < 1000, `${seen} of 10000 fields read`)
  t.equal(cutStrings(Array(100_000).fill(1), 1000), undefined)
  seen = 0
  const get = () => {
    seen++
    return 'sixteen letters!'
  }
  const sixteen = { enumerable: true, get }
  const many = Array.from({ length: 10_000 }, () => Object.defineProperties({}, { a: sixteen }))
  t.equal(cutStrings(many, 20_000), undefined)
  t.ok(seen < 1000, `${seen} of 10000 texts read, none of which can be cut`)
})

t.test('long texts are cut to what fits and hardly less, whatever they hold', async t => {
  for (const letter of ['y', '"', '\u0001', '\ud800']) {
    const value = { a: letter.repeat(50_000), b: { c: [letter.repeat(300), 'short'] } }
    const text = cutStrings(value, 1000) ?? ''
    t.ok(text.length <= 1000 && text.length > 950, `${JSON.stringify(letter)}: ${text.length}`)
    t.equal(JSON.parse(text).b.c[1], 'short')
  }
  const mixed = { plain: 'y'.repeat(400), last: `${'\u0001'.repeat(900)}${'y'.repeat(90_000)}` }
  t.ok((cutStrings(mixed, 1000) ?? '').length <= 1000, 'escapes all at the start')
  const uneven = { a: `${'\u0001'.repeat(300)}${'y'.repeat(700)}`, b: 'y'.repeat(900) }
  t.ok((cutStrings(uneven, 1000) ?? '').length <= 1000, 'more of them where the text is cut than after it')
})

t.test('blocks of other kinds', async t => {
  const image = { type: 'image', bytes: Buffer.from('png'), mimeType: 'image/PNG' } as const
  const write = (output: ToolOutput) => writeResult(output, policy, none).content

  t.test('stand after the text, or alone, and before what is said of them', async t => {
    t.same(write({ text: 'a picture', blocks: [image], notices: ['of a cat'] }), [
      { type: 'text', text: 'a picture' },
      { type: 'image', data: 'cG5n', mimeType: 'image/png' },
      { type: 'text', text: 'of a cat' }
    ])
    t.same(write({ blocks: [{ ...image, type: 'audio', mimeType: 'audio/wav' }] }), [
      { type: 'audio', data: 'cG5n', mimeType: 'audio/wav' }
    ])
  })

  t.test(
    'are resources as text, as bytes, or by their names, clean of what strangers hide in them',
    async t => {
      const uri = 'https://ada:pw@forge.example/x'
      t.same(
        write({
          blocks: [
            { type: 'resource', uri, mimeType: 'text/plain', text: 'a\u200bb' },
            { type: 'resource', uri, bytes: Buffer.from('x') },
            { type: 'resource_link', uri, name: 'x\u202e\ny\u2028z', mimeType: 'no type', size: 7 }
          ]
        }),
        [
          {
            type: 'resource',
            resource: { uri: 'https://forge.example/x', mimeType: 'text/plain', text: 'ab' }
          },
          { type: 'resource', resource: { uri: 'https://forge.example/x', blob: 'eA==' } },
          {
            type: 'resource_link',
            uri: 'https://forge.example/x',
            name: 'x y z',
            mimeType: 'application/octet-stream',
            size: 7
          }
        ]
      )
    }
  )

  t.test('are small enough for an event of 1 MiB, with a record and what is said of them', async t => {
    const largest = { ...image, bytes: Buffer.alloc(MAX_BLOCK_BYTES, 255) }
    const output = { value: { path: 'é'.repeat(800) }, blocks: [largest], notices: ['"'.repeat(4000)] }
    const { length } = Buffer.from(resultJson(writeResult(output, policy, none)))
    t.ok(length > 900_000 && length < 1024 * 1024, `${length} bytes`)
  })

  t.test('are bounded together, bytes and text, and what is left out is named', async t => {
    const half = { ...image, bytes: Buffer.alloc(MAX_BLOCK_BYTES / 2 + 1) }
    const content = write({ blocks: [half, half, image] })
    t.same(
      content.map(({ type }) => type),
      ['image', 'image', 'text']
    )
    t.match(content[2], { text: /^The image is left out: with 350001 bytes/ })
    const text = { type: 'resource', uri: 'x:y', text: 'z'.repeat(600) } as const
    t.match(write({ blocks: [text, text] }), [{ type: 'resource' }, { text: /^x:y is left out: with 600/ }])
    const link = { type: 'resource_link', uri: 'x:y', name: 'n'.repeat(600) } as const
    t.match(write({ blocks: [link, link] }), [
      { type: 'resource_link' },
      { text: /^The link to n{188}… is left out: with 603/ }
    ])
  })
})
