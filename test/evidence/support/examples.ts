import type { FieldSpec, Operation } from '../../forge/contract-operations.ts'

/** What is sent where any text would not do; by the operation's name in the contract, then by the field's. */
const examples: Record<string, Record<string, unknown>> = {
  create_merge_request: { source_branch: 'release/1.4', target_branch: 'main', title: 'Evidence' },
  create_branch: { branch: 'evidence', ref: 'main' },
  create_commit: {
    branch: 'main',
    commit_message: 'Evidence',
    actions: [{ action: 'create', file_path: 'evidence.txt', content: 'evidence' }]
  },
  create_pipeline: { ref: 'main' }
}

const byName: Record<string, unknown> = {
  branch: 'main',
  // edsger, a stranger: who does all this must not lose a membership by it.
  user_id: 5,
  name: 'thumbsup',
  ref: 'main',
  from: 'main',
  to: 'main',
  target_project_id: 'acme/rocket',
  target_issue_iid: '2'
}

/** Fields of a request that change or make something: what is required, or one of what could be. */
export function bodyFor(operation: Operation): Record<string, unknown> {
  const known = examples[operation.operation]
  if (known !== undefined) return known
  const fields = { ...operation.query, ...operation.body }
  const required = Object.keys(fields).filter(name => fields[name]!.required)
  const chosen = [
    ...required,
    ...[...(operation.exactly_one_of ?? []), ...(operation.at_least_one_of ?? [])].flatMap(group =>
      group.some(name => required.includes(name)) ? [] : [favourite(group)]
    )
  ]
  if (chosen.length === 0 && operation.method === 'PUT' && Object.keys(fields).length > 0)
    chosen.push(favourite(Object.keys(fields)))
  return Object.fromEntries(chosen.map(name => [name, byName[name] ?? sample(fields[name]!)]))
}

/** Texts change something without consequences. */
const favourite = (names: readonly string[]): string =>
  ['title', 'body', 'note', 'description', 'name'].find(name => names.includes(name)) ?? names[0]!

function sample({ type, items, enum: values, properties = {}, format }: FieldSpec): unknown {
  if (values !== undefined) return values[0]
  switch ([type].flat()[0]) {
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    case 'array':
      return [items === undefined ? 'evidence' : sample(items)]
    case 'object':
      return Object.fromEntries(Object.entries(properties).map(([name, spec]) => [name, sample(spec)]))
    default:
      return format === 'date-time' ? '2026-01-02T03:04:05Z' : format === 'date' ? '2026-01-02' : 'evidence'
  }
}
