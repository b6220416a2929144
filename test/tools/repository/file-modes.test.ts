import { repository } from '../../../tools/repository/index.ts'
import { story } from '../../support/sandbox-tools.ts'

/* Whether files can be run, of which a forge reads only what a create and a chmod say. */

const P = { project_id: 'acme/rocket' }
const branch = 'modes'
const create = (file_path: string, more: object = {}) => ({
  action: 'create',
  file_path,
  content: '#!/bin/sh\necho 1\n',
  ...more
})
const edits = [{ find: 'echo 1', replace: 'echo 2' }]
const makes = { execute_filemode: true }
const chmod = (file_path: string, execute_filemode = true) => ({
  action: 'chmod',
  file_path,
  execute_filemode
})

story('a file is made executable by whatever else is done to it in a commit', [repository], async (t, as) => {
  const ada = as('ada')
  const commit = async (actions: object[], more: object = {}) => {
    const args = { ...P, branch, commit_message: 'Run it', actions, ...more }
    const { value, error, notices } = await ada('commit_files', args)
    t.equal(error, undefined, JSON.stringify(actions))
    return { paths: (value as { paths: unknown }).paths, notices }
  }
  const fact = async (path: string) => {
    const { notices } = await ada('get_file_contents', { ...P, path, ref: branch })
    return JSON.parse(notices[0] ?? '{}').executable
  }
  const names = ['update', 'edit', 'moved']
  await commit(
    names.map(name => create(name)),
    { start_branch: 'main' }
  )
  const { paths } = await commit([
    create('create', makes),
    { ...create('update', makes), action: 'update' },
    { action: 'edit', file_path: 'edit', edits, ...makes },
    { action: 'move', file_path: 'move', previous_path: 'moved', ...makes }
  ])
  const all = ['create', 'update', 'edit', 'move']
  t.strictSame(paths, all, 'each file is named once')
  for (const path of all) t.equal(await fact(path), true, path)

  const filled = { execute_filemode: false }
  const kept = await commit([
    { ...create('update', filled), action: 'update' },
    { action: 'move', file_path: 'moved-on', previous_path: 'move', ...filled },
    chmod('edit', false)
  ])
  t.match(
    kept.notices,
    ['execute_filemode=false did not change "update", "moved-on": give it in a chmod by the next commit.'],
    'which models fill in'
  )
  t.equal(await fact('update'), true)
  t.equal(await fact('moved-on'), true)
  t.equal(await fact('edit'), false)
})

story('a chmod beside another action is refused with the way to have both', [repository], async (t, as) => {
  const two = async (...actions: object[]) =>
    (await as('ada')('commit_files', { ...P, branch: 'main', commit_message: 'Two', actions })).error
  const update = { action: 'update', file_path: 'run.sh', content: 'x' }
  for (const actions of [
    [chmod('run.sh'), update],
    [update, chmod('run.sh')]
  ])
    t.match(await two(...actions), /^"run\.sh" has two actions: give execute_filemode=true with the other, /)
  t.match(
    await two({ action: 'delete', file_path: 'run.sh' }, chmod('run.sh')),
    /give what it is to be in one\.$/
  )
})
