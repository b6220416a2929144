import { repository } from '../../../tools/repository/index.ts'
import { cpuMsOf } from '../../support/event-loop.ts'
import { story } from '../../support/sandbox-tools.ts'

const rocket = { project_id: 'acme/rocket' }
const commit = { ...rocket, branch: 'edits', start_branch: 'main', commit_message: 'Edit' }
const edit = (file_path: string, ...edits: { find: string; replace: string; all?: boolean }[]) => ({
  action: 'edit',
  file_path,
  edits
})

story('parts of files are edited without sending the files', [repository], async (t, as) => {
  const ada = as('ada')
  const before = (await ada('get_file_contents', { ...rocket, path: 'src/engine.ts' })).value
  const made = await ada('commit_files', {
    ...commit,
    actions: [
      edit(
        'src/engine.ts',
        { find: 'BURN_RATE', replace: 'RATE', all: true },
        { find: '12', replace: '$& 10' }
      ),
      edit('README.md', { find: '# Rocket\n', replace: '' }),
      { action: 'create', file_path: 'docs/x.md', content: 'x\n' }
    ]
  })
  t.match(made.value, { branch: 'edits', paths: ['src/engine.ts', 'README.md', 'docs/x.md'] })
  const read = async (path: string) =>
    (await ada('get_file_contents', { ...rocket, path, ref: 'edits' })).value
  t.equal(
    await read('src/engine.ts'),
    before.replaceAll('BURN_RATE', 'RATE').replace('12', () => '$& 10')
  )
  t.match(await read('README.md'), /^\nFlight software/)
  const again = await ada('commit_files', {
    ...rocket,
    branch: 'edits',
    commit_message: 'Again',
    actions: [{ action: 'update', path: 'docs/x.md', edits: [{ old_string: 'x', new_string: 'y' }] }]
  })
  t.equal(again.error, undefined)
  t.equal(await read('docs/x.md'), 'y\n', 'without start_branch it is read where it is committed')
})

story(
  'an update keeps a comment that the file has, and puts none in place of it',
  [repository],
  async (t, as) => {
    const ada = as('ada')
    const committed = async (action: string, content: string, on: object = { branch: 'edits' }) =>
      (
        await ada('commit_files', {
          ...{ ...rocket, commit_message: 'Write', ...on },
          actions: [{ action, file_path: 'x.ts', content }]
        })
      ).error
    const text = 'const a = 1\n// ... existing code ...\n'
    t.equal(await committed('create', text, { branch: 'edits', start_branch: 'main' }), undefined)
    t.equal(await committed('update', text.replace('1', '2')), undefined)
    t.equal(await committed('update', 'const a = 2\n'), undefined)
    t.equal(
      await committed('update', text),
      'actions.0.content has the line "// ... existing code ...", which would be all that stays of what it stands for: update replaces the whole file. Nothing was done. To change a part, use action=edit with edits of find and replace; where the line is meant, give the content in base64.'
    )
  }
)

story('a file in another encoding is said to be in one, wherever it is read', [repository], async (t, as) => {
  const ada = as('ada')
  const made = { action: 'create', file_path: 'a.properties', encoding: 'base64', content: 'Z3L232U9MQo=' }
  await ada('commit_files', { ...commit, actions: [made] })
  const perhaps = 'is not UTF-8 text (perhaps Latin-1, Shift-JIS, GBK or another encoding).'
  const { error } = await ada('commit_files', {
    ...{ ...rocket, branch: 'edits', commit_message: 'Edit' },
    actions: [edit('a.properties', { find: '1', replace: '2' })]
  })
  t.equal(
    error,
    `"a.properties" cannot be edited: it ${perhaps} Nothing was committed. An update with its whole content in base64 keeps that encoding.`
  )
  const { notices } = await ada('get_files', { ...rocket, ref: 'edits', paths: ['a.properties'] })
  t.same(notices, [`"a.properties" ${perhaps}`])
})

story('an edit of Markdown may write such a line where it is code', [repository], async (t, as) => {
  const start = { action: 'create', file_path: 'a.md', content: '# A\n\n```js\none()\n```\n\nEnd\n' }
  await as('ada')('commit_files', { ...commit, actions: [start] })
  const edited = async (find: string, replace: string) =>
    (
      await as('ada')('commit_files', {
        ...{ ...rocket, branch: 'edits', commit_message: 'Edit' },
        actions: [edit('a.md', { find, replace })]
      })
    ).error
  t.equal(await edited('one()', '// ... existing code ...\ntwo()'), undefined)
  t.match(
    await edited('End', '... existing content ...\n\nEnd'),
    'actions.0.edits has the line "... existing content ...", which would be in the file instead of what it stands for'
  )
})

story('an edit that changes nothing is refused, and says so', [repository], async (t, as) => {
  const actions = [
    edit('README.md', { find: 'Flight', replace: 'Space' }, { find: '# Rocket', replace: '# Rocket' })
  ]
  t.equal(
    (await as('ada')('commit_files', { ...commit, actions })).error,
    'actions.0.edits.1 changes nothing, as find and replace are the same: give in replace what is to stand there, or leave that edit out.'
  )
})

story('what is not there just once is not edited, and nothing is committed', [repository], async (t, as) => {
  const ada = as('ada')
  const error = async (...actions: unknown[]) => (await ada('commit_files', { ...commit, actions })).error
  t.match(
    await error(
      edit('README.md', { find: '# Rocket', replace: '# R' }),
      edit('src/engine.ts', { find: 'BURN_RATES', replace: 'x' })
    ),
    /actions\.1\.edits\.0: "BURN_RATES" is not in src\/engine\.ts.*read the file again/
  )
  t.match(
    await error(edit('src/engine.ts', { find: 'BURN_RATE', replace: 'x' })),
    /2 times \(lines 6, 9\).*or set all/
  )
  t.match(
    await error(edit('src/engine.ts', { find: ' export const  BURN_RATE = 12', replace: 'x' })),
    /Nothing was committed: line 6 is "export const BURN_RATE = 12/,
    'blanks that differ are shown'
  )
  t.match(
    await error(edit('src/engine.ts', { find: 'export const BURN_RATES = 10\n\n', replace: 'x' })),
    /Nothing was committed: line 6 is "export const BURN_RATE = 12/,
    'and so is the nearest line'
  )
  t.match(
    await error(edit('src/none.ts', { find: 'x', replace: 'y' })),
    /^There is no "src\/none\.ts" on "main"\. Beside it are "src\/engine\.ts".* Nothing was committed\.$/
  )
  t.match(
    await error(edit('src/engine.ts#L1-3', { find: 'x', replace: 'y' })),
    /"src\/engine\.ts" is the file: give that alone\. Nothing was committed\.$/
  )
  for (const lines of ['#L3', '#L3-L4', ':3-4'])
    t.match(
      await error({ action: 'create', file_path: `src/launch.ts${lines}`, content: 'x' }),
      `actions.0.file_path ends with lines, "${lines}": give the path alone.`
    )
  t.match(await error({ action: 'edit', file_path: 'README.md' }), /needs edits/)
  t.match(
    await error({ ...edit('README.md', { find: 'x', replace: 'y' }), content: 'z' }),
    /takes edits to edit, and content for anything else/
  )
  t.match(
    await error(edit('src/engine.ts', { find: 'e', replace: 'x'.repeat(1_000_000), all: true })),
    /would have \d{7,} characters, and may have 3145728/,
    'a small file is not made into one that fills the process'
  )
  t.match(await error(edit('README.md', { find: '', replace: 'y' })), /find/)
  t.match(
    await error({ action: 'update', file_path: 'README.md', content: '1\t# Rocket\n2\t' }),
    /^actions\.0\.content has a number with a tab or a bar before each line/
  )
  t.match(await error(edit('README.md', { find: '#', replace: '\ud800' })), /half of a character/)
  t.match((await ada('get_file_contents', { ...rocket, path: 'README.md', ref: 'edits' })).error, /404/)
})

story('a text to find that is there in another way is told in which', [repository], async (t, as) => {
  const error = async (find: string) =>
    (
      await as('ada')('commit_files', {
        ...commit,
        actions: [edit('README.md', { find, replace: 'x' })]
      })
    ).error
  t.match(
    await error('# Rocket\\n\\nFlight'),
    / is not in README\.md, but it is there escaped once less: give line breaks, .* Nothing was committed\.$/
  )
  t.match(
    await error('1\t# Rocket\n2\t\n3\tFlight'),
    / is not in README\.md, but it is there without the numbers .*: leave them out\. Nothing was committed\.$/
  )
  t.match(await error('1\t# Racket'), /, character by character\. /)
})

story('a file that an empty text empties is told', [repository], async (t, as) => {
  const said = async (action: string, file_path: string) =>
    (
      await as('ada')('commit_files', {
        ...commit,
        branch: `empty-${action}`,
        actions: [{ action, file_path, content: '' }]
      })
    ).notices
  t.same(await said('update', 'README.md'), [
    'content was given as an empty text, which empties the file: "README.md".'
  ])
  t.same(await said('create', 'empty.md'), [], 'a new one is meant to be empty')
})

story(
  'what a commit starts from is named where it is not there, or is taken',
  [repository],
  async (t, as) => {
    const ada = as('ada')
    const error = async (args: object, ...actions: unknown[]) =>
      (await ada('commit_files', { ...rocket, commit_message: 'X', actions, ...args })).error
    const change = edit('README.md', { find: '# Rocket', replace: '# R' })
    const create = { action: 'create', file_path: 'new.md', content: 'x' }
    for (const action of [change, create])
      t.match(
        await error({ branch: 'none' }, action),
        /no (?:such )?branch.*for a new one give start_branch/i
      )
    for (const action of [change, { action: 'update', file_path: 'README.md', content: 'x' }]) {
      t.match(
        await error({ project_id: 'acme/rokcet', branch: 'main' }, action),
        /^The forge answered 404 Not Found: "404 Project Not Found"\. Perhaps "acme\/rocket" is meant\. There is no such project/,
        'in a project that is not there no file is missing'
      )
      t.match(
        await error({ branch: 'new', start_branch: 'main', start_project: 'acme/websit' }, action),
        /"404 Project Not Found"\. It is start_project that is not found\. Perhaps "acme\/website" is meant\./
      )
    }
    t.match(await error({ branch: 'new', start_branch: 'none' }, change), /There is no "none" to start from/)
    t.match(await error({ branch: 'new', start_branch: 'none' }, create), /check start_branch or start_sha/)
    t.match(
      await error({ branch: 'release/1.4', start_branch: 'main' }, create),
      /already exists.*Nothing was committed: leave out start_branch/s
    )
    t.match(
      await error(
        { branch: 'new', start_branch: 'main' },
        { action: 'update', file_path: 'no.md', content: 'x' }
      ),
      /names a file that is not there/
    )
  }
)

story('a file that changed since it was read is refused by the forge', [repository], async (t, as) => {
  const actions = [
    { ...edit('README.md', { find: '# Rocket', replace: '# R' }), last_commit_id: '0'.repeat(40) }
  ]
  t.match((await as('ada')('commit_files', { ...commit, actions })).error, /has changed since you started/)
})

story('texts that are made to be slow to search are given up', [repository], async (t, as) => {
  const ada = as('ada')
  const slow = 'a'.repeat(1_500_000)
  const made = await ada('commit_files', {
    ...commit,
    actions: [{ action: 'create', file_path: 'slow.txt', content: slow }]
  })
  t.equal(made.error, undefined)
  const took = await cpuMsOf(async () => {
    const { error } = await ada('commit_files', {
      ...rocket,
      branch: 'edits',
      commit_message: 'Edit',
      actions: [edit('slow.txt', { find: `${'a'.repeat(500_000)}b`, replace: '' })]
    })
    t.match(error, /too much to search for in so long a text: edit fewer places/)
  })
  t.ok(took < 5000, `${took} ms`)
})

story('a file that edits leave too large is not searched', [repository], async (t, as) => {
  const create = {
    action: 'create',
    file_path: 'large.txt',
    content: `${'a\n'.repeat(500_000)}${'b\n'.repeat(100_000)}`
  }
  t.equal((await as('ada')('commit_files', { ...commit, actions: [create] })).error, undefined)
  const edited = async (edit: { find: string }) =>
    (
      await as('ada')('commit_files', {
        ...{ ...rocket, branch: 'edits', commit_message: 'Edit' },
        actions: [{ action: 'edit', file_path: 'large.txt', edits: [{ ...edit, replace: '' }] }]
      })
    ).error
  t.match(await edited({ find: 'ab' }), /more than 1048576 characters together\. Nothing was committed/)
  t.equal(await edited({ find: 'b\n'.repeat(100_000) }), undefined, 'one may take away enough')
})

story(
  'a small call does not make more of many small files than a commit may hold',
  [repository],
  async (t, as) => {
    const ada = as('ada')
    const paths = Array.from({ length: 5 }, (_, at) => `docs/${at}.md`)
    const create = paths.map(file_path => ({ action: 'create', file_path, content: 'x' }))
    t.equal((await ada('commit_files', { ...commit, actions: create })).error, undefined)
    const grown = [
      { find: 'x', replace: 'y'.repeat(1000) },
      { find: 'y', replace: 'z'.repeat(3000), all: true }
    ]
    const { error } = await ada('commit_files', {
      ...rocket,
      branch: 'edits',
      commit_message: 'Grow',
      actions: paths.map(path => edit(path, ...grown))
    })
    t.match(error, /more than 1048576 characters together\. Nothing was committed/)
  }
)

for (const { title, find, replace, becomes } of [
  { title: 'what is new has them', find: 'eins', replace: 'eins\nmehr', becomes: 'eins\r\nmehr\r\nzwei\r\n' },
  { title: 'several lines are found in them', find: 'eins\nzwei', replace: 'drei', becomes: 'drei\r\n' },
  {
    title: 'what has them itself keeps them',
    find: 'eins\r\n',
    replace: 'a\r\nb\r\n',
    becomes: 'a\r\nb\r\nzwei\r\n'
  },
  {
    title: 'those of lines that are the same are not what an edit is about where it has more',
    find: 'eins\n',
    replace: 'eins\nmehr\r\n',
    becomes: 'eins\r\nmehr\r\nzwei\r\n'
  },
  { title: 'an edit of one changes it alone', find: 'eins\r\n', replace: 'eins\n', becomes: 'eins\nzwei\r\n' }
])
  story(`an edit keeps the line ends of a file that has CRLF: ${title}`, [repository], async (t, as) => {
    const ada = as('ada')
    const made = await ada('commit_files', {
      ...commit,
      actions: [{ action: 'create', file_path: 'w.txt', content: 'eins\r\nzwei\r\n' }]
    })
    t.equal(made.error, undefined)
    const edited = await ada('commit_files', {
      ...rocket,
      branch: 'edits',
      commit_message: 'Edit',
      actions: [edit('w.txt', { find, replace })]
    })
    t.equal(edited.error, undefined)
    t.equal((await ada('get_file_contents', { ...rocket, path: 'w.txt', ref: 'edits' })).value, becomes)
  })

story('what is not in a file that has CRLF is told as it was meant', [repository], async (t, as) => {
  const ada = as('ada')
  const actions = [{ action: 'create', file_path: 'w.txt', content: 'eins\r\nzwei\r\n' }]
  t.equal((await ada('commit_files', { ...commit, actions })).error, undefined)
  const error = async (find: string) =>
    (
      await ada('commit_files', {
        ...rocket,
        branch: 'edits',
        commit_message: 'Edit',
        actions: [edit('w.txt', { find, replace: 'x' })]
      })
    ).error
  t.match(await error('eins\nzwo'), '"eins\\nzwo" is not in w.txt, character by character.')
  t.match(await error('eins\nzwo'), 'Nothing was committed: line 2 is "zwei".')
  t.match(await error('eins\\nzwei'), 'it is there escaped once less')
})

story('lines that an edit does not find for their ends are told with these', [repository], async (t, as) => {
  const ada = as('ada')
  const actions = [
    { action: 'create', file_path: 'mixed.txt', content: 'é\r\nb\r\na\r\nz\n' },
    { action: 'create', file_path: 'plain.txt', content: 'a\nb\n' }
  ]
  t.equal((await ada('commit_files', { ...commit, actions })).error, undefined)
  const error = async (path: string, find: string) =>
    (
      await ada('commit_files', {
        ...{ ...rocket, branch: 'edits', commit_message: 'Edit' },
        actions: [edit(path, { find, replace: 'x' })]
      })
    ).error
  const ends = (there: string) =>
    `, but with other line ends, as ${JSON.stringify(there)}: give them so, also`
  t.match(await error('mixed.txt', 'b\na'), `"b\\na" is not in mixed.txt${ends('b\r\na')}`)
  t.match(await error('mixed.txt', 'a\nz\n'), ends('a\r\nz\n'))
  t.match(await error('plain.txt', 'a\r\nb'), ends('a\nb'))
  t.match(
    await error('mixed.txt', 'b\nz'),
    /character by character\. Nothing was committed: line 2 is "b"\.$/
  )
  t.equal(await error('mixed.txt', 'a\r\nz\n'), undefined)
})

story('a commit says which files have the marks of a conflict now', [repository], async (t, as) => {
  const conflict = '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> topic\n'
  const { notices } = await as('ada')('commit_files', {
    ...commit,
    actions: [
      { action: 'create', file_path: 'a.txt', content: conflict },
      { action: 'create', file_path: 'title.rst', content: 'Title\n=======\n' },
      edit('README.md', { find: '# Rocket\n', replace: conflict })
    ]
  })
  t.same(notices, [
    'The marks of a conflict (<<<<<<<, =======, >>>>>>>) are in "a.txt", "README.md" now: unless they are meant, commit what stands between them resolved.'
  ])
})

story('a new file may end with a number after a colon', [repository], async (t, as) => {
  const paths = ['certs/db.internal:5432', 'images/app.v1:12', 'time.log:12', 'at.log:10:30']
  const { error } = await as('ada')('commit_files', {
    ...commit,
    actions: paths.map(file_path => ({ action: 'create', file_path, content: 'x' }))
  })
  t.equal(error, undefined)
})

story('an edit of what is not shown says what is there', [repository], async (t, as) => {
  const ada = as('ada')
  const content = 'one\r\na\u200bb\r\nhttps://u:pw@h.example/\r\n\u{e0041}c 👍🏽\r\n'
  await ada('commit_files', { ...commit, actions: [{ action: 'create', file_path: 'x.txt', content }] })
  const edited = (find: string, replace = 'z') =>
    ada('commit_files', {
      ...{ ...rocket, branch: 'edits', commit_message: 'Edit' },
      actions: [edit('x.txt', { find, replace })]
    })
  const error = async (find: string) => (await edited(find)).error
  t.equal(
    await error('ab'),
    'actions.0.edits.0: "ab" is not in x.txt, character by character: line 2 has invisible characters, which are left out where the file is read: find what is before or behind them, or write them in find as escapes of JSON (\\u200b). Nothing was committed.'
  )
  t.match(await error('one\nab\n'), /: line 1 has invisible characters, .* \(\\u200b\)\./)
  t.match(await error('Ac 👍🏽'), /character by character/, 'what is not shown is not found either')
  t.match(await error('https://h.example/'), /: line 3 has a password in a URL, which is left out where/)
  t.equal((await edited('a\u200bb')).error, undefined, 'written as escapes it is found')
})

story('of an edit of what is not shown only that is named', [repository], async (t, as) => {
  const ada = as('ada')
  const content = '❤\ufe0f a\u200bb 👩\u200d💻\r\n👩\u200d💻 https://u:pw@h.example/\r\n'
  await ada('commit_files', { ...commit, actions: [{ action: 'create', file_path: 'x.txt', content }] })
  const error = async (find: string) =>
    (
      await ada('commit_files', {
        ...{ ...rocket, branch: 'edits', commit_message: 'Edit' },
        actions: [edit('x.txt', { find, replace: 'z' })]
      })
    ).error
  t.match(await error('ab'), /line 1 has invisible characters, .* \(\\u200b\)\./)
  t.match(await error('https://h.example/'), /line 2 has a password in a URL/)
})

story('a mistyped text is looked for in all of a long file', [repository], async (t, as) => {
  const ada = as('ada')
  const content = `${'what is said here\n'.repeat(50_000)}one line is another\n`
  await ada('commit_files', { ...commit, actions: [{ action: 'create', file_path: 'x.txt', content }] })
  const { error } = await ada('commit_files', {
    ...{ ...rocket, branch: 'edits', commit_message: 'Edit' },
    actions: [edit('x.txt', { find: 'one line is anothr\nor', replace: 'z' })]
  })
  t.match(error, /is not in x\.txt, character by character\. Nothing was committed: /)
})

story('an edit of lines that end with CR alone says so', [repository], async (t, as) => {
  const ada = as('ada')
  const content = 'id,n\r1,a\r'
  await ada('commit_files', { ...commit, actions: [{ action: 'create', file_path: 'x.csv', content }] })
  const edited = (find: string) =>
    ada('commit_files', {
      ...{ ...rocket, branch: 'edits', commit_message: 'Edit' },
      actions: [edit('x.csv', { find, replace: 'z' })]
    })
  t.match((await edited('id,n\n1,a')).error, /but its lines end there with CR alone: give line breaks as \\r/)
  t.equal((await edited('id,n\r1,a')).error, undefined)
})

story('an edit whose text an earlier one of the call replaced is told so', [repository], async (t, as) => {
  const edits = (...found: readonly string[]) =>
    as('ada')('commit_files', {
      ...commit,
      actions: [edit('README.md', ...found.map(find => ({ find, replace: 'x' })))]
    })
  t.match(
    (await edits('# Rocket', '# Rocket\n')).error,
    'actions.0.edits.1 finds what is in README.md, and after edits.0 is not there any more: edits are made one after the other. Nothing was committed: find what is there then, or make one edit of both.'
  )
  t.match((await edits('# Rocket', 'Rockets')).error, 'edits.1: "Rockets" is not in README.md')
})
