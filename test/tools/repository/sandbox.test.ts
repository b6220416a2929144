import { repository } from '../../../tools/repository/index.ts'
import { story } from '../../support/sandbox-tools.ts'

const P = { project_id: 'acme/rocket' }

story('code is found, read and traced to who wrote it', [repository], async (t, as) => {
  const ada = as('ada')
  const root = await ada('get_repository_tree', { ...P, per_page: 3 })
  t.same(
    root.value.map(({ path }: { path: string }) => path),
    ['.gitlab-ci.yml', '.nvmrc', 'README.md']
  )
  const token = JSON.parse(root.notices[0]!).pagination.next_page_token
  const rest = await ada('get_repository_tree', { ...P, page_token: token })
  t.same(
    rest.value.slice(1),
    [
      { path: 'src', type: 'tree' },
      { path: 'test', type: 'tree' }
    ],
    'directories stand in Git’s order'
  )
  const found = await ada('search_code', { ...P, query: 'Math.max', path: 'src/*' })
  t.match(found.value, [{ path: 'src/launch.ts', ref: 'main', project_id: 41 }])
  const { startline, path } = found.value[0]
  const file = await ada('get_file_contents', { ...P, path, start_line: startline, end_line: startline + 2 })
  t.match(file.value, 'Math.max')
  const record = JSON.parse(file.notices[0]!)
  t.match(record, { path, ref: 'HEAD', executable: false, window: { start_line: startline } })
  const blame = await ada('get_file_blame', {
    ...P,
    path,
    start_line: startline + 2,
    end_line: startline + 2
  })
  t.match(blame.value, [{ title: 'Stop the countdown at zero', author_name: /Ada/ }])
  t.ok(record.last_commit_id.startsWith(blame.value[0].commit))
  const commit = await ada('get_commit', { ...P, sha: record.last_commit_id })
  t.match(commit.value, { message: /Closes #3/, stats: { additions: 3, deletions: 2 }, project_id: 41 })
  const diff = await ada('get_commit_diff', {
    ...P,
    sha: record.last_commit_id,
    excluded_file_patterns: ['json$']
  })
  t.match(diff.value, [{ new_path: 'src/launch.ts', diff: /Math\.max/ }])
  const log = await ada('list_commits', { ...P, path: 'src/launch.ts', with_stats: true })
  t.match(log.value, [
    { title: 'Stop the countdown at zero', stats: { additions: 3 } },
    { title: 'First flight' }
  ])
  const people = await ada('list_contributors', P)
  t.match(people.value[0], { commits: Number })
  t.equal(new Set(people.value.map(({ email }: { email: string }) => email)).size, people.value.length)
})

story('several files are those of one commit', [repository], async (t, as) => {
  const files = await as('grace')('get_files', {
    ...P,
    paths: ['README.md', 'no.md', 'src/engine.ts'],
    ref: 'v1.4.0'
  })
  t.match(files.value.files, [{ text: /^# Rocket/ }, { skipped: 'not found' }, { text: /BURN_RATE/ }])
  const tag = await as('grace')('get_tag', { ...P, tag_name: 'v1.4.0' })
  t.equal(files.value.commit, tag.value.commit.id)
})

story(
  'a search of code that finds nothing says that it was for the whole text',
  [repository],
  async (t, as) => {
    const ada = as('ada')
    const said = async (args: object) => {
      const { value, notices } = await ada('search_code', { ...P, ...args })
      t.same(value, [])
      return notices
    }
    const whole =
      'A forge with basic search alone looks for the whole query as one text: search for each word alone, without quotes, | or *.'
    for (const query of ['BURN_RATE|refuel', 'BURN_RAT*', '"BURN_RATE"', 'BURN_RATE refuel'])
      t.same(await said({ query }), [whole], query)
    t.match(await said({ query: 'BURN_RAT*', search_type: 'basic' }), [/^Basic search looks/])
    t.same(await said({ query: 'BURN_RATES ' }), [], 'one word is simply not there')
    t.same(
      await said({ query: 'BURN_RATE extension:.ts' }),
      ['"extension:.ts" fits no file: write "extension:ts".'],
      'a filter is no text'
    )
    t.same(await said({ query: 'BURN_RATES extension:ts' }), [], 'a filter is taken out of the text')
    t.same(await said({ query: 'BURN_RATE refuel', search_type: 'zoekt' }), [], 'it has a syntax of its own')
  }
)

story('what is not there is said in words that help', [repository], async (t, as) => {
  const ada = as('ada')
  t.match((await ada('get_file_contents', { ...P, path: 'src' })).error, /get_repository_tree/)
  t.match((await ada('get_file_contents', { ...P, path: 'a', ref: 'no' })).error, /404 Commit Not Found/)
  t.match((await ada('get_repository_tree', { ...P, path: 'README.md' })).error, /404 Tree Not Found/)
  t.match((await ada('search_code', { query: 'burn' })).error, /give project_id/)
  t.match(
    (await ada('get_file_blame', { ...P, path: 'README.md', start_line: 99, end_line: 99 })).error,
    /how many/
  )
  t.match((await as('linus')('list_protected_branches', P)).error, /403/)
})

story('tags, statuses and protection are read', [repository], async (t, as) => {
  const ada = as('ada')
  const tags = await ada('list_tags', { ...P, order_by: 'name', sort: 'asc', per_page: 1 })
  t.match(tags.value, [{ name: 'nightly' }])
  const next = await ada('list_tags', {
    ...P,
    order_by: 'name',
    sort: 'asc',
    page_token: JSON.parse(tags.notices[0]!).pagination.next_page_token
  })
  t.match(next.value, [{ name: 'v1.4.0', message: 'Rocket 1.4' }])
  const inTag = await ada('list_commit_refs', { ...P, sha: 'v1.4.0', type: 'tag' })
  t.match(inTag.value, [{ type: 'tag', name: 'v1.4.0' }])
  const rules = await ada('list_protected_branches', P)
  t.match(rules.value, [
    { name: 'main', merge_access_levels: [{ role: 'developer' }] },
    { name: 'release/*', push_access_levels: [{ role: 'maintainer' }] }
  ])
  const [commit] = (await ada('list_commits', { ...P, path: 'src/launch.ts' })).value
  const statuses = await ada('list_commit_statuses', { ...P, sha: commit.id })
  t.ok(statuses.value.length > 0)
  t.ok(statuses.value.every(({ pipeline_id }: { pipeline_id: number }) => pipeline_id > 0))
})

const commit = (actions: object[], more: object = {}) => ({
  ...P,
  branch: 'fix/tank',
  commit_message: 'Guard the tank',
  actions,
  ...more
})

story(
  'a change is committed to a new branch, guarded, undone and applied elsewhere',
  [repository],
  async (t, as) => {
    const linus = as('linus')
    const path = 'src/engine.ts'
    const file = await linus('get_file_contents', { ...P, path })
    const last = JSON.parse(file.notices[0]!).last_commit_id
    const update = {
      action: 'update',
      file_path: path,
      content: `${file.value}// end\n`,
      last_commit_id: last
    }
    t.match((await linus('commit_files', commit([update], { branch: 'main' }))).error, /create_merge_request/)
    t.match(
      (await linus('commit_files', commit([update]))).error,
      /400 Bad Request: "You can only create or edit/
    )
    const first = await linus('commit_files', commit([update], { start_branch: 'main' }))
    t.match(first.value, { branch: 'fix/tank', paths: [path], title: 'Guard the tank' })
    const stale = await linus(
      'commit_files',
      commit([update, { action: 'create', file_path: 'x', content: '' }])
    )
    t.match(
      stale.error,
      /has changed since you started editing it.*read that file again with get_file_contents/
    )
    t.match(
      (await linus('get_file_contents', { ...P, path: 'x', ref: 'fix/tank' })).error,
      /404/,
      'none of it was done'
    )
    const sha = first.value.id
    t.match((await linus('revert_commit', { ...P, sha, branch: 'fix/tank', dry_run: true })).value, {
      dry_run: 'success'
    })
    const undone = await linus('revert_commit', { ...P, sha, branch: 'fix/tank' })
    t.match(undone.value, { title: 'Revert "Guard the tank"', parent_ids: [sha] })
    t.match(
      (await linus('revert_commit', { ...P, sha, branch: 'fix/tank' })).error,
      /\(empty\)"\. Nothing was committed: the change is undone on the branch already, or never came to it\.$/
    )
    t.match((await linus('create_branch', { ...P, branch: 'again', ref: 'main' })).value, { name: 'again' })
    t.match((await linus('cherry_pick_commit', { ...P, sha, branch: 'again' })).value, {
      title: 'Guard the tank'
    })
    const other = { action: 'update', file_path: path, content: `${file.value}// other\n` }
    await linus('commit_files', commit([other], { branch: 'other', start_sha: last }))
    t.match(
      (await linus('cherry_pick_commit', { ...P, sha, branch: 'other' })).error,
      /\(conflict\).*commit_files/
    )
    t.match((await linus('delete_branch', { ...P, branch: 'other' })).value, { status: 'success' })
    t.match((await linus('delete_branch', { ...P, branch: 'main' })).error, /list_protected_branches/)
    t.match((await linus('create_branch', { ...P, branch: 'again', ref: 'main' })).error, /already exists/)
  }
)

story('files of every kind are kept, and told apart', [repository], async (t, as) => {
  const ada = as('ada')
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 9\n`
  const names = { empty: 'docs/empty', crlf: 'docs/crlf.txt', odd: 'docs/größe & ü 100%.md', run: 'run.sh' }
  await ada(
    'commit_files',
    commit(
      [
        { action: 'create', file_path: names.empty, content: '' },
        { action: 'create', file_path: names.crlf, content: 'a\r\nb\r\n' },
        { action: 'create', file_path: names.odd, content: 'odd\n' },
        {
          action: 'create',
          file_path: 'latin1',
          content: Buffer.from('größe', 'latin1').toString('base64'),
          encoding: 'base64'
        },
        { action: 'create', file_path: 'zip', content: 'UEsDBAAAAAA=', encoding: 'base64' },
        { action: 'create', file_path: 'big.bin', content: pointer },
        { action: 'create', file_path: names.run, content: '#!/bin/sh\n' },
        { action: 'move', file_path: 'src/rocket.ts', previous_path: 'src/engine.ts' },
        { action: 'delete', file_path: 'src/telemetry.ts' }
      ],
      { start_branch: 'main' }
    )
  )
  await ada('commit_files', commit([{ action: 'chmod', file_path: names.run, execute_filemode: true }]))
  const read = async (path: string, more = {}) => {
    const { value, notices, error } = await ada('get_file_contents', { ...P, path, ref: 'fix/tank', ...more })
    return { value, error, record: notices[0]?.startsWith('{') ? JSON.parse(notices[0]) : undefined }
  }
  t.match(await read(names.empty), { value: '', record: { size: 0, total_lines: 0 } })
  t.match(await read(names.crlf), { value: 'a\r\nb\r\n', record: { total_lines: 2 } })
  t.match(await read(names.odd), { value: 'odd\n', record: { path: names.odd } })
  t.match(await read('latin1'), { value: { size: 5, media_type: 'application/octet-stream' } })
  t.match(await read('zip'), { value: { media_type: 'application/zip' } })
  t.match(await read('big.bin'), { record: { lfs: { oid: '0'.repeat(64), size: 9 } } })
  t.match(
    (await read('big.bin', { lfs: true })).error,
    /404 Not Found.* "big\.bin" is there, and what its LFS pointer stands for is not: without lfs the pointer is read\./,
    'what is there is not looked for elsewhere'
  )
  t.match(await read(names.run), { record: { executable: true } })
  t.match((await read('src/engine.ts')).error, /404/)
  const files = await ada('get_files', {
    ...P,
    ref: 'fix/tank',
    paths: ['zip', 'big.bin', names.odd, 'src/rocket.ts']
  })
  t.match(files.value.files, [
    { skipped: 'binary' },
    { skipped: 'lfs' },
    { text: 'odd\n' },
    { text: /BURN_RATE/ }
  ])
})

story('tags and protection are set and taken away', [repository], async (t, as) => {
  const ada = as('ada')
  t.match((await ada('create_tag', { ...P, tag_name: 'v2.0.0', ref: 'main', message: 'Two' })).value, {
    message: 'Two'
  })
  t.match(
    (await ada('create_tag', { ...P, tag_name: 'v2.0.0', ref: 'main' })).error,
    /already exists.*get_tag says/
  )
  t.match((await ada('delete_tag', { ...P, tag_name: 'v2.0.0' })).value, { status: 'success' })
  t.match((await ada('get_tag', { ...P, tag_name: 'v2.0.0' })).error, /404 Tag Not Found.*list_tags/)
  await ada('create_tag', { ...P, tag_name: 'v2.0.1', ref: 'main' })
  t.match((await ada('get_tag', { ...P, tag_name: 'v2.0.0' })).error, /Did you mean "v2\.0\.1"/)
  t.match(
    (await ada('delete_tag', { ...P, tag_name: 'v2.0.0' })).error,
    /Not Found"\. It may be deleted already; nothing was done\. list_tags has those there are\.$/,
    'a neighbour is not suggested for what is deleted twice'
  )
  t.match(
    (await ada('delete_branch', { ...P, branch: 'fix/countdown' })).error,
    /Not Found"\. It may be deleted already; nothing was done\. list_branches has those there are\.$/
  )
  const rule = { ...P, name: 'fix/*', push_access_level: 'no_access' }
  t.match((await ada('protect_branch', rule)).value, {
    push_access_levels: [{ access_level: 0, role: 'no_access' }]
  })
  t.match((await ada('protect_branch', rule)).error, /unprotect_branch first/)
  const file = { action: 'create', file_path: 'x', content: '' }
  t.match((await ada('commit_files', commit([file], { start_branch: 'main' }))).error, /403/)
  t.match((await ada('unprotect_branch', { ...P, name: 'fix/*' })).value, { status: 'success' })
  const made = await ada('commit_files', commit([file], { start_branch: 'main' }))
  const status = { ...P, sha: made.value.id, name: 'lint', ref: 'fix/tank' }
  await ada('create_commit_status', { ...status, state: 'running' })
  await ada('create_commit_status', { ...status, state: 'success', description: 'Clean' })
  const statuses = await ada('list_commit_statuses', { ...P, sha: made.value.id })
  t.match(statuses.value, [{ name: 'lint', status: 'success', description: 'Clean' }])
})

story('a commit that takes the CRLF of a file away says so', [repository], async (t, as) => {
  const ada = as('ada')
  const commit = (branch: string, action: string, content: string, more: object = {}) =>
    ada('commit_files', {
      ...{ ...P, branch, commit_message: 'Settings', ...more },
      actions: [{ action, file_path: 'win.ini', content }]
    })
  const text = '[a]\nkey=1\n[b]\nkey=2\n'
  const windows = text.replaceAll('\n', '\r\n')
  await commit('win', 'create', windows, { start_branch: 'main' })
  const changed = text.replace('key=1', 'key=3')
  t.same((await commit('win', 'update', changed)).notices, [
    'Lines of "win.ini" ended with CRLF, and end with LF now: an update stores the line ends that it is given. If that was not meant, revert_commit undoes it, and action=edit keeps them.'
  ])
  t.same((await commit('win', 'update', text)).notices, [], 'LF stay LF')
  t.same(
    (await commit('win', 'update', '[c]\nkey: 9\n[d]\nkey: 8\n[e]\n')).notices,
    [],
    'LF was there before'
  )
  t.same((await commit('win', 'update', windows)).notices, [], 'CRLF is what was given')
})

story('a commit that leaves out many lines of a file says so', [repository], async (t, as) => {
  const ada = as('ada')
  const text = Array.from({ length: 120 }, (_, at) => `line ${at + 1} of the manual\n`)
  const commit = (branch: string, action: string, lines: readonly string[], more: object = {}) =>
    ada('commit_files', {
      ...{ ...P, branch, commit_message: 'Manual', ...more },
      actions: [{ action, file_path: 'docs/manual.md', content: lines.join('') }]
    })
  const made = await commit('manual', 'create', text, { start_branch: 'main' })
  t.same(made.notices, [])
  const shown = text.slice(39, 50).map(line => line.replace('line 45 ', 'LINE 45 '))
  t.same((await commit('window', 'update', shown, { start_branch: 'manual' })).notices, [
    '"docs/manual.md" had 109 lines more before: the whole text was replaced. If that was not meant, revert_commit undoes it, and action=edit changes a part.'
  ])
  const rewritten = text.map(line => line.replace('manual', 'guide'))
  t.same((await commit('manual', 'update', rewritten)).notices, [], 'other lines are there instead')
  t.same((await commit('manual', 'update', rewritten.slice(0, 100))).notices, [], 'a few are gone')
  const gone = await ada('commit_files', {
    ...{ ...P, branch: 'manual', commit_message: 'No manual' },
    actions: [{ action: 'delete', file_path: 'docs/manual.md' }]
  })
  t.same(gone.notices, [])
})
