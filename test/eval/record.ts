import { readFileSync, writeFileSync } from 'node:fs'
import type { Figures } from './run.ts'

/*
 * What the jobs cost when they were last recorded. Of ours it is a ceiling: a job that costs a tenth more fails the
 * run. Of the peer it is what the page compares with.
 */

const SURFACES = ['full', 'search'] as const

/** Of one job, for the listing of its toolsets and for the search surface; and bytes of what it is about (Job.matter). */
export type Ours = Readonly<Record<(typeof SURFACES)[number], Figures>> & { readonly matterBytes?: number }

export interface OursRecord {
  /** What is listed where nothing is chosen. */
  readonly defaultListingBytes: number
  readonly jobs: Readonly<Record<string, Ours>>
}

export interface PeerJob extends Figures {
  /** Of the listing with exactly the tools that were called. */
  readonly namedBytes: number
  readonly cannot?: string
}

export interface PeerRecord {
  /** Its name and version. */
  readonly peer: string
  readonly defaultListingBytes: number
  readonly jobs: Readonly<Record<string, PeerJob>>
}

const fileOf = (name: string) => new URL(`./${name}.json`, import.meta.url)

const read = <Of>(name: string): Of => JSON.parse(readFileSync(fileOf(name), 'utf8'))
const write = (name: string, value: unknown) =>
  writeFileSync(fileOf(name), `${JSON.stringify(value, undefined, 2)}\n`)

export const readOurs = (): OursRecord => read('ceilings')
export const writeOurs = (record: OursRecord): void => write('ceilings', record)
export const readPeer = (): PeerRecord => read('peer')
export const writePeer = (record: PeerRecord): void => write('peer', record)

/** How much more a job may cost before it counts as grown. */
const ROOM = 1.1
const GUARDED = ['calls', 'bytesOut', 'tokens'] as const

/** What has grown beyond its ceiling, a sentence each. @param room 1 for any growth at all */
export function grown(now: OursRecord, record: OursRecord, room = ROOM): string[] {
  return Object.entries(now.jobs).flatMap(([id, surfaces]) =>
    SURFACES.flatMap(surface => {
      const figures = surfaces[surface]
      const before = record.jobs[id]?.[surface]
      if (before === undefined) return room === 1 ? [] : [`${id} (${surface}) is not recorded`]
      return GUARDED.filter(name => figures[name] > before[name] * room).map(
        name => `${id} (${surface}): ${name} was ${before[name]} and is ${figures[name]}`
      )
    })
  )
}
