import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import versions from '../versions.json' with { type: 'json' }
import { cache } from './ledger.ts'
import { run } from './program.ts'
import { bareName, type Known, keyOf, learn, type Surface } from './surface.ts'

/* @gitbeaker/rest: its methods are called once each, against a requester that writes down what they ask. */

const folder = `${cache}gitbeaker-${versions['@gitbeaker/rest']}/`

/** @returns the package's module and its folder @throws Unavailable without a registry */
export async function gitbeaker(): Promise<{ Gitlab: GitlabConstructor; require: NodeJS.Require }> {
  if (!existsSync(`${folder}node_modules/@gitbeaker/rest`)) {
    await mkdir(folder, { recursive: true })
    await writeFile(`${folder}package.json`, '{"private":true}')
    const wanted = `@gitbeaker/rest@${versions['@gitbeaker/rest']}`
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', wanted], { cwd: folder })
  }
  const require = createRequire(`${folder}package.json`)
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

export async function gitbeakerSurface(): Promise<Surface> {
  const { Gitlab, require } = await gitbeaker()
  const surface = new Map<string, Known>()
  let called = ''
  const requesterFn = () =>
    new Proxy({} as Record<string, unknown>, {
      get:
        (_, method: string) =>
        async (endpoint: string, asked: Record<string, unknown> = {}) => {
          const known = learn(surface, keyOf(method.toUpperCase(), holed(endpoint)), called)
          for (const values of [asked.searchParams, asked.body])
            if (typeof values === 'object' && values !== null && !(values instanceof FormData))
              for (const name of Object.keys(values)) known.names.add(bareName(snake(name)))
          return { body: {}, headers: {}, status: 200 }
        }
    })
  const services = new Gitlab({ host: 'http://forge.invalid', token: 'evidence', requesterFn })
  const declared = declarations(require.resolve('@gitbeaker/core').replace(/index\.\w+$/, 'index.d.ts'))
  for (const [service, methods] of declared)
    for (const [method, signatures] of methods)
      for (const args of signatures) {
        called = `${service}.${method}`
        try {
          await services[service]?.[method]?.(...args)
        } catch {
          // Some combinations of options are refused before anything is asked.
        }
      }
  return surface
}

const holed = (endpoint: string) => endpoint.replace(/(?<=\/|^)(?:zz|99)(?=\/|$)/g, '{}')
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
        positional.push(sample(type))
        continue
      }
      const names = namesOf(type).filter(name => !technical.has(name))
      const plain = Object.fromEntries(names.filter(name => !selectors.has(name)).map(name => [name, 'zz']))
      const chosen = names.filter(name => selectors.has(name))
      const choices = [[], ...chosen.map(name => [name]), ...chosen.map(name => ['projectId', name])]
      return choices.map(choice => [
        ...positional,
        { ...plain, ...Object.fromEntries(choice.map(name => [name, 'zz'])) }
      ])
    }
    return [positional]
  }

  function namesOf(type: ts.Type): string[] {
    const parts = type.isUnion() ? type.types : [type]
    return [...new Set(parts.flatMap(part => checker.getPropertiesOfType(part)).map(({ name }) => name))]
  }

  function sample(type: ts.Type): unknown {
    const text = checker.typeToString(type)
    if (/\[\]|Array</.test(text)) return ['zz']
    if (type.flags & ts.TypeFlags.Number) return 99
    if (type.flags & ts.TypeFlags.Object) return Object.fromEntries(namesOf(type).map(name => [name, 'zz']))
    return 'zz'
  }
}
