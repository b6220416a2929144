import { Unavailable } from '../../support/program.ts'
import documented from '../documented.json' with { type: 'json' }
import { type ClientSurface, clientGo } from './client-go.ts'
import { learnGitbeaker } from './gitbeaker.ts'
import { python } from './python.ts'
import { versions } from './releases.ts'
import { bareName, type Known, keyOf, learn, type Surface } from './surface.ts'

/** Someone who knows the forge's REST interface and is not us. */
export interface Voice {
  name: string
  surface: Surface
}

/** What those are who can be asked on this machine, and why the others cannot. */
interface Voices {
  heard: Voice[]
  absent: string[]
}

/** What of the forge's own source and documentation was read where no client knows; each operation's file is how it is called. */
export const documents: Voice = { name: 'documented.json', surface: documentedSurface() }

/** @throws what is neither an answer nor a missing toolchain */
export async function voices(): Promise<Voices> {
  const found: Voices = { heard: [], absent: [] }
  for (const [name, ask] of [
    ['client-go', clientGoVoice],
    ['python-gitlab', pythonVoice],
    ['@gitbeaker/rest', gitbeakerVoice]
  ] as const)
    try {
      found.heard.push(await ask())
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      found.absent.push(`${name}: ${error.message}`)
    }
  return found
}

async function clientGoVoice(): Promise<Voice> {
  const client = await clientGo<ClientSurface>('operations')
  return { name: `client-go ${client.version}`, surface: surfaceOf(client) }
}

/** The REST half of what the official client knows. */
function surfaceOf({ operations, types }: ClientSurface): Surface {
  const surface = new Map<string, Known>()
  for (const operation of operations) {
    if (operation.document !== undefined) continue
    const { service, name, query = [], body = [], options = '', answer = '' } = operation
    const known = learn(surface, keyOf(operation.method, operation.path), `${service}.${name}`)
    for (const field of [...query, ...body]) known.names.add(bareName(field))
    for (const [field, type] of Object.entries(types[options]?.fields ?? {})) {
      const values = types[type.replace(/^\[\]/, '')]?.enum
      if (values !== undefined) known.enums.set(bareName(field), new Set(values))
    }
    for (const field of Object.keys(types[answer.replace(/^\[\]/, '')]?.fields ?? {})) known.answer.add(field)
  }
  return surface
}

async function pythonVoice(): Promise<Voice> {
  interface Said {
    called: string
    method: string
    path: string
    names: string[]
  }
  const { version, operations } = await python<{ version: string; operations: Said[] }>(
    'python-gitlab',
    'surface.py'
  )
  const surface = new Map<string, Known>()
  for (const { called, method, path, names } of operations) {
    const known = learn(surface, keyOf(method, path), called)
    for (const name of names) known.names.add(name)
  }
  return { name: `python-gitlab ${version}`, surface }
}

const gitbeakerVoice = async (): Promise<Voice> => ({
  name: `@gitbeaker/rest ${versions['@gitbeaker/rest']}`,
  surface: (await learnGitbeaker()).surface
})

function documentedSurface(): Surface {
  const surface = new Map<string, Known>()
  for (const [key, { file, names }] of Object.entries(documented.requests)) {
    const known = learn(surface, key, `the forge's own ${file}`)
    for (const name of names) known.names.add(name)
  }
  return surface
}
