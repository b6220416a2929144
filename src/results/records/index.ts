import type { Fields, OwnFields } from '../../json/records.ts'
import { type Selection, selection } from '../selection.ts'
import { ciRecords } from './ci.ts'
import { saidOnce } from './common.ts'
import { foundRecords } from './found.ts'
import { mergeRequestRecords } from './merge-requests.ts'
import { peopleRecords } from './people.ts'
import { pipelineRecords } from './pipelines.ts'
import { placeRecords } from './places.ts'
import { planningRecords } from './planning.ts'
import { publishingRecords } from './publishing.ts'
import { registryRecords } from './registry.ts'
import { repositoryRecords } from './repository.ts'
import { securityRecords } from './security.ts'
import type { RecordViews } from './views.ts'
import { webhookRecords } from './webhooks.ts'
import { workRecords } from './work.ts'

/*
 * The table of the fields that are shown of each type of record: in a list, after a get, and after a write. Each entry
 * is a selection (selection.ts), or a function if one field depends on another. With FORGE_OUTPUT=full an operator or
 * caller gets whole records.
 */

const table = {
  ...placeRecords,
  ...peopleRecords,
  ...planningRecords,
  ...foundRecords,
  ...publishingRecords,
  ...workRecords,
  ...securityRecords,
  ...mergeRequestRecords,
  ...pipelineRecords,
  ...repositoryRecords,
  ...ciRecords,
  ...registryRecords,
  ...webhookRecords
} as const satisfies Readonly<Record<string, RecordViews>>

export type RecordName = keyof typeof table
export type RecordView = 'list' | 'get' | 'write'

interface Compiled extends Readonly<Record<RecordView, Selection>> {
  readonly once: readonly string[]
}

const compiled = new Map<string, Compiled>(
  Object.entries<RecordViews>(table).map(([name, { list, get = list, write = get, once = '', tidy }]) => {
    const show = (view: string | Selection): Selection => {
      const select = typeof view === 'string' ? selection(view) : view
      if (tidy === undefined) return select
      return value => {
        if (typeof value === 'object' && value !== null) tidy(value as OwnFields)
        return select(value)
      }
    }
    return [
      name,
      {
        list: show(list),
        get: show(get),
        write: show(write),
        once: once.split(' ').filter(name => name !== '')
      }
    ]
  })
)

/** The shown part of a value, and for a list of several records the fields that all of them share. */
export interface Shown {
  readonly value: unknown
  readonly common?: Fields | undefined
}

/**
 * Most records of a list that are compared with each other, which must be all of them: more than a forge's page has.
 */
const MAX_COMPARED = 5_000

/** The selection for each record of a list of `total` records; undefined if it depends on the other records. */
export function itemViewOf(name: RecordName, total = 0): Selection | undefined {
  const { list, once } = compiled.get(name)!
  return once.length === 0 || total > MAX_COMPARED ? list : undefined
}

/** The part of a record, or of each record of a list, that the table selects. */
export function shownOf(name: RecordName, view: RecordView, value: unknown): Shown {
  const views = compiled.get(name)!
  if (!Array.isArray(value)) return { value: views[view](value) }
  const records = value.map(views.list)
  return { value: records, common: saidOnce(records, views.once) }
}
