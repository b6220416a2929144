import { run } from '../../support/program.ts'
import { goEnvironment, goFolder } from './releases.ts'

/*
 * The forge's official client, asked by the program in client-go/. The module registry brings it; go.mod says
 * which release.
 */

export interface ClientOperation {
  service: string
  name: string
  method: string
  /** Below /api/v4, every parameter as {}. */
  path: string
  query?: string[]
  body?: string[]
  upload?: boolean
  /** The type whose fields are the query or the body. */
  options?: string
  /** The type the answer is decoded into, [] before it for a list. */
  answer?: string
  document?: string
  variables?: Record<string, unknown>
}

export interface ClientSurface {
  version: string
  operations: ClientOperation[]
  types: Record<string, { fields?: Record<string, string>; enum?: string[] }>
  /** Methods that made no request with what they were given. */
  silent: string[]
}

const environment = goEnvironment()

/** @throws Unavailable without Go or its module registry */
export const clientGo = async <T>(command: 'operations' | 'records'): Promise<T> =>
  JSON.parse(await run('go', ['run', '.', command], { cwd: goFolder, env: await environment })) as T
