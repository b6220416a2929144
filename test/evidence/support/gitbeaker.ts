import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { isRecord } from '../../../src/results/is-record.ts'
import type { Forge } from '../../forge/index.ts'
import { fromNpm } from '../../support/registries.ts'
import type { Driver, Outcome } from './driver.ts'
import { versions } from './releases.ts'
import { bareName, type Known, keyOf, learn, type Surface } from './surface.ts'

/* @gitbeaker/rest: its methods are called once each, against a requester that writes down what they ask. */

/** @returns the package's module and its folder @throws Unavailable without a registry */
async function gitbeaker(): Promise<{ Gitlab: GitlabConstructor; require: NodeJS.Require }> {
  const folder = await fromNpm('@gitbeaker/rest', versions['@gitbeaker/rest'])
  const require = createRequire(`${folder}/package.json`)
  const module = (await import(pathToFileURL(require.resolve('@gitbeaker/rest')).href)) as {
    Gitlab: GitlabConstructor
  }
  return { Gitlab: module.Gitlab, require }
}

// biome-ignore lint/suspicious/noExplicitAny: someone else's classes, called by name
type Services = Record<string, Record<string, (...args: any[]) => Promise<any>>>
type GitlabConstructor = new (options: Record<string, unknown>) => Services

/** What of a resource's address may stand among the options. */
const selectors = new Set(['projectId', 'groupId', 'userId', 'mergerequestIId', 'issueIId', 'epicId'])
/** How a call is made, not what it asks. */
const technical = new Set(['sudo', 'showExpanded', 'asStream', 'maxPages', 'isForm', 'signal'])

/** A way to make a request with one of the methods: where the parameters of its path and its fields stand. */
interface Layout {
  service: string
  method: string
  args: readonly unknown[]
  /** For each parameter of the path: the number of a positional argument, or the name of an option. */
  holes: (number | string)[]
  /** Field → number of the positional argument that it is taken from. */
  positional: Map<string, number>
  /** Options that choose what is asked and are not sent. */
  choosing: Record<string, unknown>
}

interface Learned {
  surface: Surface
  layouts: ReadonlyMap<string, Layout>
}

/** Calls every method in every way, and says what each asks. @throws Unavailable */
export async function learnGitbeaker(): Promise<Learned> {
  const { Gitlab, require } = await gitbeaker()
  const surface = new Map<string, Known>()
  const layouts = new Map<string, Layout>()
  let calling: Pick<Layout, 'service' | 'method' | 'args'>
  const requesterFn = ({ url }: { url: string }) =>
    new Proxy({} as Record<string, unknown>, {
      get:
        (_, verb: string) =>
        async (endpoint: string, asked: Record<string, unknown> = {}) => {
          // Some services stand below projects or groups.
          const below = url.replace(/^.*\/api\/v4\/?/, '')
          const path = `${below}/${endpoint}`.replace(/^\//, '')
          const key = keyOf(verb.toUpperCase(), path.replace(marks, '{}'))
          const known = learn(surface, key, `${calling.service}.${calling.method}`)
          const positional = new Map<string, number>()
          const sent = new Set<string>()
          for (const values of [asked.searchParams, asked.body])
            if (typeof values === 'object' && values !== null && !(values instanceof FormData))
              for (const [name, value] of Object.entries(values)) {
                known.names.add(bareName(snake(name)))
                sent.add(bareName(snake(name)))
                const place = placeOf(value)
                if (typeof place === 'number') positional.set(snake(name), place)
              }
          const holes = [...path.matchAll(marks)].map(([mark]) => placeOf(mark)!)
          const given = Object.entries(calling.args.find(isRecord) ?? {})
          const choosing = Object.fromEntries(
            given.filter(([name, value]) => !sent.has(snake(name)) && typeof placeOf(value) !== 'string')
          )
          if (!layouts.has(key)) layouts.set(key, { ...calling, holes, positional, choosing })
          return { body: {}, headers: {}, status: 200 }
        }
    })
  const services = new Gitlab({ host: 'http://forge.invalid', token: 'evidence', requesterFn })
  const declared = declarations(require.resolve('@gitbeaker/core').replace(/index\.\w+$/, 'index.d.ts'))
  for (const [service, methods] of declared)
    for (const [method, signatures] of methods)
      for (const args of signatures) {
        calling = { service, method, args }
        try {
          await services[service]?.[method]?.(...args)
        } catch {
          // Some combinations of options are refused before anything is asked.
        }
      }
  return { surface, layouts }
}

/** Its methods against a forge. @throws Unavailable */
export async function gitbeakerDriver({ url, tokens }: Forge): Promise<Driver> {
  const { Gitlab } = await gitbeaker()
  const { layouts } = await learnGitbeaker()
  const services = new Gitlab({ host: url, token: tokens.margaret, rateLimits: { '**': 100_000 } })
  return {
    name: `@gitbeaker/rest ${versions['@gitbeaker/rest']}`,
    close: async () => undefined,
    call: async (key, path, values) => {
      const layout = layouts.get(key)
      if (layout === undefined) return { unknown: true }
      const { service, method, args, holes, positional, choosing } = layout
      const options: Record<string, unknown> = { ...choosing }
      const given: unknown[] = args.map(arg => (isRecord(arg) ? options : undefined))
      for (const [name, value] of Object.entries(values))
        if (positional.has(name)) given[positional.get(name)!] = value
        else options[name] = value
      for (const [at, place] of holes.entries())
        if (typeof place === 'number')
          given[place] = typeof args[place] === 'number' ? Number(path[at]) : path[at]
        else options[place] = path[at]
      try {
        const value: unknown = await services[service]![method]!(...given)
        return isRecord(value) || Array.isArray(value) ? { value } : {}
      } catch (error) {
        return failed(error)
      }
    },
    upload: async (project, { filename, content }) => {
      try {
        const file = { filename, content: new Blob([Buffer.from(content)]) }
        return { value: await services.ProjectMarkdownUploads!.create!(project, file) }
      } catch (error) {
        return failed(error)
      }
    }
  }
}

function failed(error: unknown): Outcome {
  const { cause, message } = error as Error & { cause?: { response?: Response } }
  const status = cause?.response?.status
  return status === undefined ? { error: String(message) } : { status, error: message }
}

/** Marks by which values are told where they come out: of the positional argument, or of the option. */
const mark = (place: number | string) => (typeof place === 'number' ? `zz${place}` : `zz-${place}`)
const marks = /(?<=\/|^)(?:zz-?\w+|99\d)(?=\/|$)/g
function placeOf(value: unknown): number | string | undefined {
  const [, option, position, number] = /^(?:zz-(\w+)|zz(\d+)|99(\d))$/.exec(String(value)) ?? []
  if (option !== undefined) return option
  return position === undefined && number === undefined ? undefined : Number(position ?? number)
}

const snake = (name: string) =>
  name
    .replace(/IId/g, 'Iid')
    .replace(/(?<!^|\[)[A-Z]/g, letter => `_${letter}`)
    .toLowerCase()

type Calls = Map<string, Map<string, unknown[][]>>

/** Reads the classes' declared methods and makes arguments for each of their signatures. */
function declarations(file: string): Calls {
  const program = ts.createProgram([file], { skipLibCheck: true, strict: true })
  const checker = program.getTypeChecker()
  const classes: Calls = new Map()
  for (const node of program.getSourceFile(file)!.statements) {
    if (!ts.isClassDeclaration(node) || node.name === undefined) continue
    const methods = new Map<string, unknown[][]>()
    for (const property of checker.getTypeAtLocation(node).getProperties()) {
      const signatures = checker.getTypeOfSymbolAtLocation(property, node).getCallSignatures()
      if (signatures.length > 0)
        methods.set(
          property.name,
          signatures.flatMap(signature => calls(signature, node))
        )
    }
    classes.set(node.name.text, methods)
  }
  return classes

  function calls(signature: ts.Signature, at: ts.Node): unknown[][] {
    const positional: unknown[] = []
    for (const parameter of signature.getParameters()) {
      const type = checker.getTypeOfSymbolAtLocation(parameter, at)
      if (!/^options?$/.test(parameter.name)) {
        positional.push(sample(type, positional.length))
        continue
      }
      const names = namesOf(type).filter(name => !technical.has(name))
      const plain = Object.fromEntries(names.filter(name => !selectors.has(name)).map(name => [name, 'zz']))
      const chosen = names.filter(name => selectors.has(name))
      const choices = [[], ...chosen.map(name => [name]), ...chosen.map(name => ['projectId', name])]
      const chosenOnes = (choice: readonly string[]) =>
        Object.fromEntries(choice.map(name => [name, mark(name)]))
      // Without the other options first: some change how all of it is sent.
      return choices.flatMap(choice => [
        [...positional, chosenOnes(choice)],
        [...positional, { ...plain, ...chosenOnes(choice) }]
      ])
    }
    return [positional]
  }

  function namesOf(type: ts.Type): string[] {
    const parts = type.isUnion() ? type.types : [type]
    return [...new Set(parts.flatMap(part => checker.getPropertiesOfType(part)).map(({ name }) => name))]
  }

  function sample(type: ts.Type, position: number): unknown {
    const text = checker.typeToString(type)
    if (/\[\]|Array</.test(text)) return ['zz']
    if (type.flags & ts.TypeFlags.Number) return 990 + position
    if (type.flags & ts.TypeFlags.Object) return Object.fromEntries(namesOf(type).map(name => [name, 'zz']))
    return mark(position)
  }
}
