import MiniSearch from 'minisearch'
import type { Tool } from '../engine/tool.ts'

/** What people and other forges call things, and what they are called here. */
const synonyms: Readonly<Record<string, string>> = {
  pr: 'merge request',
  mr: 'merge request',
  pull: 'merge request',
  ticket: 'issue',
  bug: 'issue',
  task: 'issue work item',
  epic: 'work item',
  build: 'pipeline job',
  ci: 'pipeline job',
  action: 'pipeline',
  workflow: 'pipeline',
  log: 'job output trace',
  fail: 'failed diagnose',
  broken: 'failed diagnose',
  repo: 'project repository',
  file: 'contents',
  directory: 'tree',
  folder: 'tree',
  member: 'members role',
  user: 'person people username',
  comment: 'note discussion thread',
  reply: 'discussion note',
  review: 'draft note approve',
  image: 'registry tag container',
  package: 'registry',
  secret: 'variable',
  cron: 'schedule',
  sprint: 'iteration milestone',
  org: 'group',
  namespace: 'group',
  todo: 'to-do',
  rename: 'update',
  edit: 'update',
  modify: 'update',
  remove: 'delete',
  add: 'create',
  new: 'create',
  open: 'create list',
  show: 'get',
  read: 'get',
  find: 'search list'
}

interface Entry {
  readonly name: string
  readonly words: string
  readonly title: string
  readonly summary: string
  readonly inputs: string
}

/** Finds tools by what they are for. The index is made when it is first asked for. */
export class ToolSearch {
  readonly #tools: () => Iterable<Tool>
  #index: MiniSearch<Entry> | undefined

  /** @param tools all of them; who may use which is decided where they are shown */
  constructor(tools: () => Iterable<Tool>) {
    this.#tools = tools
  }

  /** Names of the tools that fit, best first. @param query words of any kind, in no grammar */
  find(query: string): readonly string[] {
    this.#index ??= indexOf(this.#tools())
    const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
    const meant = words.map(word => synonyms[word] ?? synonyms[word.replace(/s$/, '')] ?? '')
    return this.#index.search([...words, ...meant].join(' ')).map(({ id }) => String(id))
  }
}

function indexOf(tools: Iterable<Tool>): MiniSearch<Entry> {
  const index = new MiniSearch<Entry>({
    idField: 'name',
    fields: ['words', 'title', 'summary', 'inputs'],
    // Plural and singular are one.
    processTerm: term => term.toLowerCase().replace(/(?<=\w{3})s$/, ''),
    searchOptions: { boost: { words: 4, title: 3, summary: 2 }, prefix: term => term.length > 3, fuzzy: 0.15 }
  })
  for (const { name, inputs, definition } of tools) {
    const { title, description } = JSON.parse(definition) as { title: string; description: string }
    const words = name.replaceAll('_', ' ')
    index.add({
      name,
      words,
      title,
      summary: description,
      inputs: [...inputs].join(' ').replaceAll('_', ' ')
    })
  }
  return index
}
