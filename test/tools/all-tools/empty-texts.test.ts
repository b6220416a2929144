import t from 'tap'
import { Catalog } from '../../../src/catalog/catalog.ts'
import { argumentsOf } from '../../../src/engine/arguments/argument-flags.ts'
import { argumentReader } from '../../../src/engine/arguments/arguments.ts'
import { clearedStep, keptSecretsStep } from '../../../src/engine/arguments/cleared.ts'
import { changes } from '../../../src/engine/arguments/emptied.ts'
import { PatternMatcher } from '../../../src/engine/patterns.ts'
import { isNamespace } from '../../../src/engine/requests/template.ts'
import { ci } from '../../../tools/ci/index.ts'
import { dependencyProxy } from '../../../tools/dependency-proxy/index.ts'
import { toolsets } from '../../../tools/index.ts'
import { issues } from '../../../tools/issues/index.ts'
import { mergeRequests } from '../../../tools/merge-requests/index.ts'
import { planning } from '../../../tools/planning/index.ts'
import { repository } from '../../../tools/repository/index.ts'
import { webhooks } from '../../../tools/webhooks/index.ts'
import { toolRunner } from '../../support/run-tool.ts'
import { sampleArguments } from '../../support/sample-arguments.ts'
import { story } from '../../support/sandbox-tools.ts'
import { ScriptedDispatcher } from '../../support/scripted-dispatcher.ts'

/* What an empty text may choose, and what it may take away: models fill in all arguments there are. */

const project_id = 'acme/rocket'
const rows = toolsets.flatMap(({ rows }) => rows)

story('a blank scope chooses no variable to delete', [ci], async (t, as) => {
  const call = as('margaret')
  for (const place of [{ project_id }, { group_id: 'acme' }]) {
    const variable = { ...place, key: 'ONLY', environment_scope: 'prod' }
    t.equal((await call('set_variable', { ...variable, value: 'x' })).error, undefined)
    for (const environment_scope of ['', ' '])
      t.match(
        (await call('delete_variable', { ...variable, environment_scope })).error,
        'environment_scope is empty, which is no scope: * means all environments, and so does leaving it out'
      )
    t.match((await call('delete_variable', variable)).value, { status: 'success' }, 'it is there still')
  }
})

t.test('nothing that is deleted is chosen by a blank text', async t => {
  const catalog = new Catalog()
  for (const toolset of toolsets) catalog.add(toolset)
  const patterns = new PatternMatcher()
  t.teardown(() => patterns.close())
  for (const row of rows.filter(({ class: of }) => of === 'destructive'))
    for (const [name, { type }] of Object.entries(argumentsOf(row.input)))
      for (const blank of type === 'string' ? ['', ' '] : []) {
        const forge = new ScriptedDispatcher(() => ({ body: { id: 1 } }))
        const args = { ...sampleArguments(row.input, ['project_id']), [name]: blank }
        await toolRunner({ catalog, dispatcher: forge, patterns })(row.name, args)
        // What is looked up by a name is compared with it here.
        const changed = forge.sent.filter(({ method }) => method !== 'GET')
        const queries = changed.map(({ path }) => new URL(path, 'https://forge.example').searchParams)
        t.notOk(
          queries.some(query => [...query.values()].some(value => value.trim() === '')),
          `${row.name} ${name}=${JSON.stringify(blank)}`
        )
      }
})

const stays = (name: string) =>
  `${name} is as it was: an empty text counts as not given beside other changes; alone it takes it away.`

story('an empty value beside other changes leaves a variable its own', [ci], async (t, as) => {
  const call = as('margaret')
  for (const place of [{ project_id }, { group_id: 'acme' }]) {
    const variable = { ...place, key: 'SEC' }
    const set = async (more: object) => {
      const { error, notices } = await call('set_variable', { ...variable, ...more })
      t.equal(error, undefined)
      const list = (await call('list_variables', { ...place, include_values: true })).value
      return { notices, ...list.find(({ key }: { key: string }) => key === 'SEC') }
    }
    await set({ value: 'kept', description: 'Of what it is.' })
    t.match(await set({ value: '', protected: true }), {
      value: 'kept',
      protected: true,
      notices: [stays('value')]
    })
    t.match(await set({ value: '', hidden: false }), { value: 'kept', notices: [stays('value')] })
    t.match(await set({ value: '', environment_scope: '*' }), { value: '', notices: [] }, 'alone it is meant')
    await call('delete_variable', variable)
    t.match(await set({ value: '', protected: true }), { value: '', notices: [] }, 'a new one may be empty')
  }
})

story('an empty token beside other changes leaves a webhook its own', [webhooks], async (t, as) => {
  const call = as('ada')
  const hook = { url: 'https://example.com/hook', events: ['push'], token: 'hook-token-1' }
  const { id: hook_id } = (await call('create_webhook', { project_id, ...hook })).value
  const change = async (more: object) => {
    const { value, notices } = await call('update_webhook', { project_id, hook_id, ...more })
    return { token: value.token_present, notices }
  }
  const filter = 'push_events_branch_filter was given as an empty text, which empties it: left out, it stays.'
  t.same(await change({ events: ['push'], token: '', push_events_branch_filter: '' }), {
    token: true,
    notices: [filter, stays('token')]
  })
  t.same(await change({ push_events_branch_filter: '' }), { token: true, notices: [] })
  t.same(await change({ token: '' }), { token: false, notices: [] }, 'alone it is meant')
})

story('empty credentials beside other changes leave a proxy its own', [dependencyProxy], async (t, as) => {
  const change = async (more: object) =>
    (await as('margaret')('update_dependency_proxy_settings', { group_id: 'acme', ...more })).notices
  await change({ identity: 'docker', secret: 'hub-token-1' })
  const both = [stays('identity'), stays('secret')]
  t.same(await change({ enabled: true, identity: '', secret: '' }), both)
  t.match(await change({ identity: 'docker', secret: '' }), [stays('secret'), /^The forge took identity,/])
  t.same(await change({ identity: '', secret: '' }), [], 'alone they are meant')
})

story(
  'a date or weight that is taken away beside other changes is told',
  [issues, planning],
  async (t, as) => {
    const said = async (tool: string, args: object) =>
      (await as('ada')(tool, { project_id, ...args })).notices
    const told = (name: string) => `${name} was given as an empty text, which empties it: left out, it stays.`
    const empty = { due_date: '', weight: '' }
    t.match(await said('update_issue', { issue_iid: 2, title: 'T', ...empty }), [
      told('due_date'),
      told('weight')
    ])
    t.same(await said('update_issue', { issue_iid: 2, due_date: '' }), [], 'alone it is what was asked for')
    t.same(await said('update_milestone', { milestone_id: 1, title: 'M', start_date: '' }), [
      told('start_date')
    ])
  }
)

story(
  'beside an empty text that counts as not given one that would clear a field changes nothing',
  [issues, webhooks],
  async (t, as) => {
    const ada = as('ada')
    const due_date = '2026-12-24'
    await ada('update_issue', { project_id, issue_iid: 2, description: 'Kept', due_date, labels: ['bug'] })
    const issue = async () => (await ada('get_issue', { project_id, issue_iid: 2 })).value
    const fillers = { description: '', due_date: '', labels: '', milestone_id: '', state_event: '' }
    const stays =
      'description and due_date count as not given: other arguments were empty as well. Leave those out to empty them.'
    const changed = await ada('update_issue', { project_id, issue_iid: 2, title: 'T', ...fillers })
    t.equal(changed.notices.at(-1), stays)
    t.match(await issue(), { title: 'T', description: 'Kept', due_date, labels: ['bug'] })

    const item = { issue_iid: 2, title: 'U', ...fillers }
    const several = await ada('update_issues', { project_id, issues: [item] })
    t.equal(several.notices.at(-1), `issues.0: ${stays}`)
    t.match(await issue(), { title: 'U', description: 'Kept', due_date, labels: ['bug'] })

    const nothing = await ada('update_issue', { project_id, issue_iid: 2, description: '', labels: '' })
    t.match(
      nothing.error,
      /^Nothing to update: .+ description counts as not given: .+ Leave those out to empty it\.$/
    )

    const { error } = await ada('update_issue', { project_id, issue_iid: 2, description: '', due_date: '' })
    t.equal(error, undefined)
    t.notMatch(await issue(), { due_date: /./ }, 'without such a neighbour both are meant')
    t.notMatch(await issue(), { description: /./ })

    const hook = { url: 'https://example.com/hook', events: ['push'], token: 'hook-token-1' }
    const { id: hook_id } = (await ada('create_webhook', { project_id, ...hook })).value
    const filled = await ada('update_webhook', { project_id, hook_id, events: '', token: '' })
    t.match(filled.error, /token counts as not given: other arguments were empty as well/)
    const { value } = await ada('list_webhooks', { project_id })
    t.match(
      value.find(({ id }: { id: number }) => id === hook_id),
      { token_present: true }
    )
  }
)

story('an empty guard of a file is told where there is something to guard', [repository], async (t, as) => {
  const call = as('ada')
  const commit = async (action: object) => {
    const actions = [{ file_path: 'guard.txt', last_commit_id: '', ...action }]
    const args = { project_id, branch: 'main', commit_message: 'Guard', actions }
    return (await call('commit_files', args)).notices.join(' ')
  }
  const told =
    'actions.0.last_commit_id was empty, which counts as not given: what changed there since it was read is overwritten.'
  t.equal(await commit({ action: 'create', content: 'one' }), '')
  t.match(await commit({ action: 'update', content: 'two' }), told)
  t.equal(await commit({ action: 'edit', edits: [{ find: 'two', replace: 'three' }] }), '')
  t.match(await commit({ action: 'delete' }), told)
})

story('an empty color is none', [planning], async (t, as) => {
  const { value } = await as('ada')('create_label', { project_id, name: 'pale', color: '' })
  t.equal(value.color, '#6699cc')
  const { error } = await as('ada')('update_label', { project_id, label: 'pale', color: '' })
  t.match(error, 'Nothing to update')
})

t.test('whatever an empty text takes away in a change is told', async t => {
  /** Texts that a forge refuses empty, takes for none, or that the tool refuses. */
  const refused = new Set(['cron', 'cron_timezone', 'url', 'status', 'source_branch'])
  for (const row of rows.filter(changes)) {
    const read = argumentReader(row.input)
    const selects = new Set(row.input.required)
    for (const [name, { writeOnly, none }] of Object.entries(argumentsOf(row.input))) {
      const isTaken = (value: unknown): boolean => {
        try {
          return read({ ...sampleArguments(row.input, []), [name]: value })[name] === value
        } catch {
          return false
        }
      }
      if (selects.has(name) || isNamespace(name) || refused.has(name) || !isTaken('')) continue
      if (/_scope$|^label$|username|_id$/.test(name) || writeOnly || none === '0') continue
      const other = { [name]: '', other: 1 }
      const told = [...(clearedStep(row)?.(other) ?? []), ...(keptSecretsStep(row)?.({ ...other }) ?? [])]
      t.equal(told.length, 1, `${row.name} ${name}`)
    }
  }
})

story(
  'a title that is empty or blank is none, also where a prefix is put before it',
  [mergeRequests],
  async (t, as) => {
    const ada = as('ada')
    const one = { project_id, merge_request_iid: 6 }
    const title = async () => (await ada('get_merge_request', one)).value.title
    const before = (await title()).replace(/^Draft: /, '')
    t.equal((await ada('update_merge_request', { ...one, title: '', draft: true })).error, undefined)
    t.equal(await title(), `Draft: ${before}`)
    t.match(
      (await ada('update_merge_request', { ...one, title: ' ', draft: true })).error,
      /title must not be empty/
    )
    const made = {
      project_id,
      source_branch: 'docs/launch-checklist',
      target_branch: 'main',
      title: '',
      draft: true
    }
    t.match((await ada('create_merge_request', made)).error, /title/)
  }
)
