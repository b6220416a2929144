import t from 'tap'
import { type TProperties, Type } from 'typebox'
import type { NameUse } from '../../../src/engine/arguments/argument-flags.ts'
import {
  Confirm,
  Day,
  DayOrNone,
  idOr,
  names,
  oneOf,
  optional,
  Page,
  secret,
  text,
  texts,
  unlisted,
  userIds,
  When
} from '../../../src/engine/rows/fields.ts'
import { argumentReader } from '../../support/argument-reader.ts'

const read = (properties: TProperties, raw: unknown) => argumentReader(Type.Object(properties))(raw)

t.test('null counts as absent', async t => {
  t.same(read({ a: optional(Type.String()), b: optional(Type.Integer()) }, { a: null, b: null }), {})
  t.same(read({ a: optional(Type.String()) }, null), {}, 'in place of all arguments, too')
})

t.test('a time in words is refused with the day that it is, which a model does not know', async t => {
  const now = () => Date.parse('2026-11-29T23:59:59Z')
  const readNow = argumentReader(Type.Object({ since: optional(When), due_date: optional(Day) }), true, now)
  const today = /\(today is 2026-11-29, UTC\)\.$/
  t.throws(() => readNow({ since: 'yesterday' }), { message: today })
  t.throws(() => readNow({ due_date: 'next Friday' }), { message: today })
  t.throws(() => readNow({ since: '2026-11-31' }), {
    message:
      'Invalid arguments: since must be a time that there is, in ISO 8601, such as 2026-11-21T09:00:00Z.'
  })
})

t.test('a number serves as an id, and nowhere else as a string', async t => {
  t.same(read({ project_id: Type.String(), note_id: Type.String() }, { project_id: 7, note_id: 8 }), {
    project_id: '7',
    note_id: '8'
  })
  t.same(read({ parent: idOr('Id or path') }, { parent: 7 }), { parent: '7' }, 'nor for what may be one')
  t.throws(() => read({ title: Type.String() }, { title: 7 }), {
    message: 'Invalid arguments: title must be a string, not the number "7".'
  })
  t.throws(() => read({ project_id: Type.String() }, { project_id: 1.5 }))
})

t.test('digits and the words true and false serve where a number or boolean is asked for', async t => {
  t.same(
    read(
      { page: Type.Integer(), squash: Type.Boolean(), ids: userIds() },
      { page: '2', squash: 'false', ids: ['3', 4] }
    ),
    {
      page: 2,
      squash: false,
      ids: ['3', '4']
    }
  )
  for (const squash of ['yes', '', 1]) t.throws(() => read({ squash: Type.Boolean() }, { squash }))
})

t.test('of a time the day is taken where a day is asked for, also where it may be none', async t => {
  for (const day of [Day, DayOrNone])
    for (const due of ['2026-12-24', ' 2026-12-24 ', '2026-12-24T00:00:00Z'])
      t.same(read({ due: day }, { due }), { due: '2026-12-24' })
  t.same(read({ due: DayOrNone }, { due: '' }), { due: '' })
  t.throws(() => read({ due: DayOrNone }, { due: ' ' }), 'blanks do not take a day away')
})

t.test('a decimal number as text serves as a number, and not as a whole one', async t => {
  t.same(read({ coverage: Type.Number() }, { coverage: '85.5' }), { coverage: 85.5 })
  t.same(read({ coverage: Type.Number() }, { coverage: '85' }), { coverage: 85 })
  for (const coverage of ['85.', '.5', '8e1']) t.throws(() => read({ coverage: Type.Number() }, { coverage }))
  t.throws(() => read({ page: Type.Integer() }, { page: '1.5' }))
})

t.test('a text without a word in it is absent for a list, which without items is none', async t => {
  for (const list of [names(), texts(), userIds()])
    for (const empty of ['', ' ', ' , '])
      t.same(read({ list: optional(list) }, { list: empty }), {}, JSON.stringify(empty))
  for (const none of [[], '[]']) t.same(read({ list: optional(names()) }, { list: none }), { list: [] })
})

t.test('every problem of a call is named in one sentence', async t => {
  t.throws(
    () =>
      read(
        {
          project_id: Type.String(),
          state: optional(oneOf(['opened', 'closed'])),
          labels: optional(texts())
        },
        { state: 'done', lables: [], labels: 7.5 }
      ),
    {
      message:
        'Invalid arguments: unknown argument "lables", did you mean "labels"?; project_id is required; state must be one of opened, closed; labels.0 must be a string, not the number "7.5".'
    }
  )
})

t.test('what a model meant is read, where only one thing can be meant', async t => {
  const state = optional(oneOf(['opened', 'closed', 'merged', 'all']))
  const event = optional(oneOf(['close', 'reopen']))
  const position = optional(Type.Object({ line: Type.Integer() }))
  const variables = Type.Array(Type.Object({ key: Type.String(), value: Type.String() }))
  const pairs = [
    { key: 'A', value: 'x' },
    { key: 'B', value: '2' }
  ]
  for (const [field, given, meant] of [
    [{ state }, { state: 'Open' }, { state: 'opened' }],
    [{ state }, { state: 'CLOSE' }, { state: 'closed' }],
    [{ state }, { state: '' }, {}],
    [{ event }, { event: 'reopened' }, { event: 'reopen' }],
    [{ issue_iid: Type.String() }, { issue_iid: '#12' }, { issue_iid: '12' }],
    [{ merge_request_iid: Type.String() }, { merge_request_iid: ' !3' }, { merge_request_iid: '3' }],
    [{ squash: Type.Boolean() }, { squash: 'True' }, { squash: true }],
    [{ labels: texts() }, { labels: 'bug, urgent' }, { labels: ['bug, urgent'] }],
    [{ labels: names() }, { labels: 'bug, urgent' }, { labels: ['bug', 'urgent'] }],
    [{ labels: names() }, { labels: '["a","b"]' }, { labels: ['a', 'b'] }],
    [{ labels: optional(names()) }, { labels: '' }, {}],
    [{ ids: userIds() }, { ids: 5 }, { ids: ['5'] }],
    [{ position }, { position: '{"line": "3"}' }, { position: { line: 3 } }],
    [{ variables }, { variables: '{"A": "x", "B": 2}' }, { variables: pairs }],
    [{ variables }, { variables: '{"key": "A", "value": "x"}' }, { variables: pairs.slice(0, 1) }],
    [{ labels: texts() }, { labels: '{"A": "x"}' }, { labels: ['{"A": "x"}'] }]
  ] as const)
    t.same(read(field as Parameters<typeof read>[0], given), meant, JSON.stringify(given))
})

t.test('a list that is written as text is read in the notations of JSON and Python', async t => {
  const both = ['bug', 'to do']
  for (const labels of [
    "['bug', 'to do']",
    "('bug','to do',)",
    "{'bug', 'to do'}",
    '"bug","to do"',
    ' "bug, to do" ',
    '[bug, to do]',
    '[bug, to do,]',
    '(bug,, to do,)',
    ['["bug","to do"]'],
    ["['bug', 'to do']"]
  ])
    t.same(read({ labels: names() }, { labels }), { labels: both }, JSON.stringify(labels))
  for (const one of ["['bug']", '{"bug"}', ['["bug"]']])
    t.same(read({ labels: names() }, { labels: one }), { labels: ['bug'] }, JSON.stringify(one))
  t.same(read({ suggestion_ids: texts() }, { suggestion_ids: '(5,)' }), { suggestion_ids: ['5'] })
  t.same(read({ titles: texts() }, { titles: "['1.5', 'it\\'s, \\d']" }), { titles: ['1.5', "it's, \\d"] })
})

t.test(
  'a list of one name in a list is a name where it is to be found, and read where one is set',
  async t => {
    const labels = (use: NameUse) => ({ ...names(), names: { noun: 'label' as const, use } })
    for (const [use, item, meant] of [
      ['taken', '{"bug"}', ['{"bug"}']],
      ['filter', '["bug"]', ['["bug"]']],
      ['set', '{"bug"}', ['bug']],
      ['taken', '["bug","to do"]', ['bug', 'to do']]
    ] as const)
      t.same(read({ labels: labels(use) }, { labels: [item] }), { labels: meant }, `${use} ${item}`)
    t.same(read({ labels: labels('taken') }, { labels: '["bug"]' }), { labels: ['bug'] })
  }
)

t.test('a name in brackets or quotation marks of its own stays one', async t => {
  for (const name of ['[WIP]', '"quoted"', '[Type] bug', "'90s", '(a) b', '[a] [b]', '[1', "it's"])
    for (const labels of [name, [name]])
      t.same(read({ labels: names() }, { labels }), { labels: [name] }, name)
  t.same(read({ labels: names() }, { labels: ['[1]'] }), { labels: ['[1]'] })
  t.same(read({ labels: names() }, { labels: '[a], [b]' }), { labels: ['[a]', '[b]'] })
  for (const text of ['[\'"]', '[a, b]', '[.]ts$', "['abc]", 'pages/[id].ts'])
    t.same(read({ patterns: texts() }, { patterns: text }), { patterns: [text] })
})

t.test(
  'a number with the sign of another kind of thing is refused, and never read as one of its own',
  async t => {
    const item = { iid: Type.String(), project_id: optional(text()), group_id: optional(text()) }
    const note = { noteable_iid: Type.String(), noteable_type: optional(text()) }
    for (const [field, given, said] of [
      [
        { issue_iid: Type.String() },
        { issue_iid: '!7' },
        /^issue_iid must be .* #7 .*not "!7", which is a merge request: give 7 if issue #7 is meant\.$/
      ],
      [{ target_issue_iid: Type.String() }, { target_issue_iid: '&7' }, /not "&7", which is an epic/],
      [
        { merge_request_iid: Type.String() },
        { merge_request_iid: '#7' },
        /as in !7 .*not "#7", which is an issue: give 7 if merge request !7 is meant\.$/
      ],
      [
        { pipeline_id: Type.String() },
        { pipeline_id: '!7' },
        /not "!7", which is a merge request: give 7 if pipeline #7 is meant\.$/
      ],
      [note, { noteable_iid: '#7', noteable_type: 'merge_request' }, /not "#7", which is an issue/],
      [note, { noteable_iid: '!7', noteable_type: 'issue' }, /not "!7", which is a merge request/],
      [
        item,
        { iid: '&7', project: 'acme/rocket' },
        /not "&7", which is an epic: give its group as group_id, and no project_id; or, for what is of the project, 7\.$/
      ],
      [item, { iid: '&7' }, /not "&7", which is an epic/],
      [
        item,
        { iid: '#7', group_id: 'acme' },
        /not "#7", which is an issue: give its project as project_id, and no group_id; or, for what is of the group, 7\.$/
      ],
      [{ iids: texts(), project_id: text() }, { iids: '&7', project_id: 'a' }, /^iids must be .*not "&7"/]
    ] as const)
      t.throws(
        () => read(field as Parameters<typeof read>[0], given),
        { message: said },
        JSON.stringify(given)
      )
    t.same(read(item, { iid: '&7', group_id: 'acme' }), { iid: '7', group_id: 'acme' })
    t.same(read(item, { iid: ' #7', project_id: 'a' }), { iid: '7', project_id: 'a' })
    t.same(read(note, { noteable_iid: '!7', noteable_type: 'MergeRequest' }).noteable_iid, '7')
  }
)

t.test('~ is taken from the names of labels alone', async t => {
  t.same(read({ labels: names() }, { labels: '~bug ~"to do"' }), { labels: ['bug', 'to do'] })
  t.same(read({ usernames: names() }, { usernames: ['~ada'] }), { usernames: ['~ada'] })
})

t.test('an empty text is absent where a tool reads, and a text like any other where it writes', async t => {
  const schema = Type.Object({ search: optional(Type.String()), description: optional(Type.String()) })
  t.same(argumentReader(schema, true)({ search: '' }), {})
  t.same(argumentReader(schema)({ description: '' }), { description: '' })
  t.throws(() => argumentReader(Type.Object({ title: Type.String() }), true)({ title: 5 }))
})

t.test('what a value of another type should have been is said as where there is none', async t => {
  t.throws(() => read({ confirm: Confirm('title') }, { confirm: true }), {
    message: /confirm must be a string \(its title, to be sure\), not the boolean "true"/
  })
})

t.test('a fault inside an array or object is placed', async t => {
  t.throws(() => read({ labels: texts() }, { labels: ['a', 5] }), {
    message: /labels\.1 must be a string, not the number "5"/
  })
  t.throws(() => read({ position: Type.Object({ sha: Type.String() }) }, { position: {} }), {
    message: /position\.sha is required/
  })
})

t.test('a long value is cut in the message', async t => {
  const error = t.throws(() => read({ n: Type.Integer() }, { n: 'x'.repeat(10_000) }))
  t.ok((error as unknown as Error).message.length < 200)
})

t.test('a default is filled in, at every depth', async t => {
  const state = optional(oneOf(['opened', 'all'], undefined, 'opened'))
  t.same(read({ state }, {}), { state: 'opened' })
  t.same(read({ state }, { state: null }), { state: 'opened' })
  t.same(read({ state }, { state: 'all' }), { state: 'all' })
  t.same(read({ filter: optional(Type.Object({ state })) }, { filter: {} }), { filter: { state: 'opened' } })
  t.same(read({ filter: optional(Type.Object({ state })) }, {}), {})
})

t.test('what is not listed is validated like the rest', async t => {
  const position = Type.Object({ line: Type.Integer(), width: optional(unlisted(Type.Integer())) })
  t.same(read({ position }, { position: { line: 1, width: '2' } }), { position: { line: 1, width: 2 } })
  t.throws(() => read({ position }, { position: { line: 1, width: 'wide' } }), {
    message: /position\.width must be an integer/
  })
})

t.test('a bound is told to a call that exceeds it', async t => {
  t.throws(() => read(Page, { per_page: 101 }), { message: 'Invalid arguments: per_page must be <= 100.' })
  t.throws(() => read(Page, { page: 0 }), { message: 'Invalid arguments: page must be >= 1.' })
})

t.test('a name is proposed for one that is mistyped, and for none that means something else', async t => {
  const names = [
    'reviewer_ids',
    'created_after',
    'project_id',
    'username',
    'per_page',
    'ref',
    'active',
    'label'
  ]
  const properties = Object.fromEntries(names.map(name => [name, optional(Type.String())]))
  const proposed = (name: string): string | undefined => {
    try {
      return void read(properties, { [name]: 'x' })
    } catch (error) {
      return /did you mean "(\w+)"/.exec(String(error))?.[1]
    }
  }
  const mistyped = {
    reviewr_ids: 'reviewer_ids',
    reviewer_id: 'reviewer_ids',
    cerated_after: 'created_after',
    Project_ID: 'project_id',
    projectid: 'project_id',
    user_name: 'username',
    'per-pages': 'per_page',
    fre: 'ref',
    lable: 'label'
  }
  t.same(Object.fromEntries(Object.keys(mistyped).map(name => [name, proposed(name)])), mistyped)
  const others = [
    'add_reviewer_ids',
    'not_label',
    'closed_after',
    'author_username',
    'protected',
    'raw',
    'inactive'
  ]
  t.same(others.filter(proposed), [])
})

t.test('the few longer names that begin or end with a name are proposed for it', async t => {
  const times = ['created_after', 'created_before', 'updated_after', 'updated_before', 'order_by', 'until']
  const properties = Object.fromEntries(times.map(name => [name, optional(Type.String())]))
  for (const [name, proposed] of [
    ['after', '"created_after" or "updated_after"'],
    ['since', '"created_after" or "updated_after"'],
    ['order', '"order_by"']
  ] as const)
    t.throws(
      () => read(properties, { [name]: 'x' }),
      { message: new RegExp(`unknown argument "${name}", did you mean ${proposed}\\?`) },
      name
    )
  const many = Object.fromEntries(['a', 'b', 'c', 'd'].map(name => [`by_${name}`, optional(Type.String())]))
  t.throws(() => read(many, { by: 'x' }), { message: /unknown argument "by" \(/ }, 'but not many')
})

t.test('what is given already is not proposed for another name', async t => {
  const ids = { project_id: Type.String(), merge_request_iid: Type.String() }
  t.throws(() => read(ids, { project_id: '1', id: 303 }), {
    message:
      /unknown argument "id", did you mean "merge_request_iid" \(the number in the project, not the id\)\?/
  })
  t.throws(() => read(ids, { id: 'acme/rocket', merge_request_iid: '7' }), {
    message: /unknown argument "id", did you mean "project_id"\?/
  })
})

t.test('the same rules hold inside an object with declared fields', async t => {
  const position = Type.Object({ sha: Type.String(), line: optional(Type.Integer()), note_id: Type.String() })
  t.same(read({ position }, { position: { sha: 'a', line: '7', note_id: 5 } }), {
    position: { sha: 'a', line: 7, note_id: '5' }
  })
  t.same(read({ position }, { position: { sha: 'a', line: null, note_id: '5' } }), {
    position: { sha: 'a', note_id: '5' }
  })
  t.throws(() => read({ position }, { position: { sha: 'a', note_id: '5', lien: 7 } }), {
    message: 'Invalid arguments: unknown argument "position.lien", did you mean "position.line"?'
  })
  t.throws(() => read({ position }, { position: ['a'] }), {
    message: /position must be an object, not an array/
  })
})

t.test('names that every object has are names like any other', async t => {
  const instead = { file: 'which path is' }
  const link = Type.Object({ path: Type.String() }, { instead })
  const kind = { ...oneOf(['blocks']), alias: { blocking: 'blocks' } }
  t.same(read({ kind }, { kind: 'blocking' }), { kind: 'blocks' })
  for (const name of ['constructor', 'toString']) {
    t.throws(() => read({ link }, { link: { path: 'a', [name]: 1 } }), {
      message: `Invalid arguments: unknown argument "link.${name}" (valid: path).`
    })
    t.throws(() => read({ kind }, { kind: name }), {
      message: 'Invalid arguments: kind must be one of blocks.'
    })
  }
})

t.test('an object without declared fields is passed on as it is', async t => {
  const inputs = { any: null, of: { them: ['1'] } }
  t.same(read({ inputs: Type.Object({}) }, { inputs }), { inputs })
})

t.test('a value of another type is told what it must be, not what a text must not be', async t => {
  const says = (problem: string) => ({ value: Type.String({ pattern: '^[^-]', problem }) })
  t.throws(() => read(says('must not be empty'), { value: { text: 'x' } }), {
    message: 'Invalid arguments: value must be a string, not an object.'
  })
  t.throws(() => read(says('must be a time'), { value: ['x', 'y'] }), {
    message: 'Invalid arguments: value must be a time, not an array.'
  })
})

t.test('several values of what names one thing are told how several are done', async t => {
  const several = (properties: TProperties, args: object) => {
    try {
      return read(properties, args)
    } catch (error) {
      return (error as Error).message
    }
  }
  t.equal(
    several({ job_id: text() }, { job_id: [20, 21] }),
    'Invalid arguments: job_id must be a string, not an array: call once for each.'
  )
  t.equal(
    several({ issue_iid: { ...text(), ofSeveral: 'update_issues' } }, { issue_iid: [20, 21] }),
    'Invalid arguments: issue_iid must be a string, not an array: call once for each; update_issues takes several.'
  )
  t.match(
    several(
      { files: Type.Array(Type.Object({ file_path: text() })) },
      { files: [{ file_path: ['a', 'b'] }] }
    ),
    /files\.0\.file_path must be a string, not an array: give each in an item of its own\.$/
  )
  t.match(several({ body: text() }, { body: ['a', 'b'] }), /not an array\.$/, 'which are no things')
})

t.test('a secret is not quoted', async t => {
  t.throws(() => read({ approval_password: secret() }, { approval_password: 12345678 }), {
    message: 'Invalid arguments: approval_password must be a string, not a number.'
  })
})

t.test('a call with very many faults is refused in a few words, and soon', async t => {
  const properties = {
    labels: optional(texts()),
    list: optional(Type.Array(Type.Object({ sha: Type.String() }))),
    few: optional(Type.Array(Type.String(), { maxItems: 2 })),
    inputs: optional(Type.Object({}))
  }
  const says = (raw: unknown): string => (t.throws(() => read(properties, raw)) as unknown as Error).message
  const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, 1]))

  t.test('the valid names stand there once, and a few of the unknown ones', async t => {
    t.equal(
      says(named(8)),
      'Invalid arguments: unknown argument "x0" (valid: labels, list, few, inputs); unknown argument "x1"; unknown argument "x2"; unknown argument "x3"; unknown argument "x4"; and 3 more unknown arguments.'
    )
    t.equal(says({ list: Array(900).fill({ ...named(3) }) }).match(/valid:/g)?.length, 1)
    t.ok(says({ list: Array(900).fill(named(3)) }).length < 1000)
  })

  t.test('an object of more names than any tool has is not looked into', async t => {
    t.match(says(named(201)), /the object has 201 names, and may have 200/)
    t.match(says({ list: [named(201)] }), /list\.0 has 201 names/)
    t.same(read(properties, { inputs: named(201) }), { inputs: named(201) }, 'but for names of its own')
  })

  t.test('an array of more items than are read is not looked into', async t => {
    const unread = new Proxy([1, 2], {
      get: (items, key) =>
        key === 'length' ? 1001 : key === '0' ? t.fail('was read') : Reflect.get(items, key)
    })
    t.match(says({ labels: unread }), /labels has 1001 items, and may have 1000/)
    t.match(says({ few: ['a', 'b', 'c'] }), /few has 3 items, and may have 2/)
    t.equal((read(properties, { labels: Array(1000).fill('a') }).labels as unknown[]).length, 1000)
  })
})

t.test('a text longer than any on a forge is refused', async t => {
  const input = {
    body: optional(Type.String()),
    patch: optional(Type.String({ maxLength: 5 })),
    name: optional(Type.String({ maxLength: 250 })),
    tags: optional(texts())
  }
  t.same(read(input, { body: 'x'.repeat(1_048_576) }), { body: 'x'.repeat(1_048_576) })
  t.throws(() => read(input, { body: 'x'.repeat(1_048_577) }), {
    message: 'Invalid arguments: body has 1048577 characters, and may have 1048576.'
  })
  t.throws(() => read(input, { patch: '123456' }), {
    message: 'Invalid arguments: patch must not have more than 5 characters.'
  })
  const ofPairs = '\u{1f600}'.repeat(250)
  t.same(read(input, { name: ofPairs }), { name: ofPairs }, 'characters are counted, not what they take')
  t.throws(() => read(input, { name: `${ofPairs}a` }), {
    message: 'Invalid arguments: name has 501 characters, and may have 250.'
  })
  t.throws(() => read(input, { tags: ['x'.repeat(2_000_000)] }), {
    message: /^Invalid arguments: tags\.0 has 2000000/
  })
})

t.test('only a text that is written somewhere may be long', async t => {
  const input = {
    filter: optional(Type.String()),
    content: optional(Type.String({ maxLength: 50_000 })),
    state: optional(oneOf(['opened', 'closed'])),
    states: optional(Type.Array(oneOf(['opened', 'closed']))),
    is_draft: optional(Type.Boolean()),
    names: optional(names())
  }
  const says = (raw: object, reads: boolean) => () => argumentReader(Type.Object(input), reads)(raw)
  const long = (characters: number) => 'a,'.repeat(characters / 2)
  for (const reads of [true, false]) {
    t.throws(says({ state: long(202) }, reads), /state has 202 characters, and may have 200/)
    t.throws(says({ states: [long(202)] }, reads), /states\.0 has 202 characters, and may have 200/)
    t.throws(says({ is_draft: long(202) }, reads), /is_draft has 202 characters, and may have 200/)
    t.throws(says({ names: long(20_002) }, reads), /names has 20002 characters, and may have 20000/)
    t.same(says({ content: long(50_000) }, reads)(), { content: long(50_000) })
  }
  t.throws(says({ filter: long(20_002) }, true), /filter has 20002 characters, and may have 20000/)
  t.same(says({ filter: long(20_002) }, false)(), { filter: long(20_002) })
})
