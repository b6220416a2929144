import { repository } from '../../tools/repository/index.ts'
import { story } from '../support/sandbox-tools.ts'

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
