import { toolsets } from '../../../tools/index.ts'
import { story } from '../../support/sandbox-tools.ts'

/* Groups that are named where they are not, and labels and words of labels that are taken for others. */

const project_id = 'acme/rocket'

story(
  'the word for none or any of labels stands alone, as of all that filters a list',
  toolsets,
  async (t, as) => {
    const call = as('ada')
    for (const [tool, args] of [
      ['list_issues', { project_id }],
      ['list_merge_requests', { project_id }],
      ['my_issues', {}]
    ] as const)
      for (const word of ['none', 'Any'])
        t.equal(
          (await call(tool, { ...args, labels: [word, 'defect'] })).error,
          `labels has ${word} beside others: give that word alone.`
        )
    t.equal((await call('list_issues', { project_id, labels: ['none'] })).error, undefined)
  }
)

story(
  'digits among the ids of labels are an id, and it is said how the name is written',
  toolsets,
  async (t, as) => {
    const call = as('ada')
    await call('create_label', { project_id, name: '2027', color: '#112233' })
    const item = { project_id, type: 'task', title: 'Next year' }
    const { notices = [] } = await call('create_work_item', { ...item, label_ids: ['2027'] })
    t.match(
      notices.join(' '),
      /left out 2027: .* digits are an id, and where 2027 was a name it is written ~"2027"/
    )
    const named = await call('create_work_item', { ...item, label_ids: ['~"2027"'] })
    t.notMatch((named.notices ?? []).join(' '), /left out/)
  }
)

story('a group that is not there is named, with the one that was perhaps meant', toolsets, async (t, as) => {
  const call = as('ada')
  const rule = { project_id, merge_request_iid: 3, name: 'Two', approvals_required: 1 }
  const { error = '' } = await call('set_merge_request_approval_rule', {
    ...rule,
    group_ids: ['acme', 'acmee']
  })
  t.match(
    error,
    /^group_ids names "acmee", and there is no such group, or you may not see it\. Perhaps "acme"/
  )
  t.notMatch(error, /edition|iid/)
  const near = /Perhaps "acme" is meant\./
  t.match((await call('create_project', { name: 'p', namespace: 'acmee' })).error, near)
  t.match((await call('fork_project', { project_id, namespace: 'acmee' })).error, near)
  t.match((await call('create_group', { name: 'g', path: 'g', parent: 'acmee' })).error, near)
})

story(
  'the address of a group in the place of a project is the group, or is told to be one',
  toolsets,
  async (t, as) => {
    const call = as('ada')
    const { web_url } = (await call('get_group', { group_id: 'acme' })).value
    const address = `${web_url}/-/issues?state=opened`
    for (const tool of [
      'list_issues',
      'list_merge_requests',
      'list_labels',
      'list_milestones',
      'list_members'
    ]) {
      const ofAddress = await call(tool, { project_id: address })
      t.equal(ofAddress.error, undefined, tool)
      t.same(ofAddress.value, (await call(tool, { group_id: address })).value)
    }
    t.equal(
      (await call('create_issue', { project_id: address, title: 'x' })).error,
      'project_id is the address of group "acme": give it as group_id where a tool takes one.'
    )
  }
)
