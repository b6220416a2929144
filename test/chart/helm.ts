import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'

/* Helm as a function: values in, objects out. */

export const chart = fileURLToPath(new URL('../../helm', import.meta.url))

/** The sets of values in helm/ci, by name. */
export const valueSets: readonly string[] = readdirSync(`${chart}/ci`)
  .filter(file => file.endsWith('-values.yaml'))
  .map(file => file.replace('-values.yaml', ''))

export interface KubernetesObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    name: string
    namespace?: string
    labels: Record<string, string>
    annotations?: Record<string, string>
  }
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into objects of every kind; kubeconform holds their shape.
  readonly [key: string]: any
}

export interface Values {
  /** Name of the release, if not forge. */
  release?: string
  /** Name of a set in helm/ci. */
  set?: string
  /** More values, by path: { 'config.FORGE_MCP_OAUTH': true }. */
  values?: Record<string, unknown>
}

function helm(command: readonly string[], { release = 'forge', set, values = {} }: Values): string {
  const files = set === undefined ? [] : ['--values', `${chart}/ci/${set}-values.yaml`]
  const more = Object.entries(values).flatMap(([path, value]) => [
    '--set-json',
    `${path}=${JSON.stringify(value)}`
  ])
  return execFileSync('helm', [...command, release, chart, '--namespace', 'tools', ...files, ...more], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe']
  })
}

/** The objects of a release in the namespace tools. */
export function render(values: Values): KubernetesObject[] {
  return parseAllDocuments(helm(['template'], values))
    .map(document => document.toJSON() as KubernetesObject | null)
    .filter(object => object !== null)
}

/** What is printed after an installation. */
export const notes = (values: Values): string =>
  helm(['install', '--dry-run=client'], values).split('\nNOTES:\n')[1] ?? ''

/** What Helm says against the values; empty when it renders them. */
export function refusal(values: Values): string {
  try {
    helm(['template'], values)
    return ''
  } catch (error) {
    return (error as { stderr: string }).stderr
  }
}

/** The one object of a kind. */
export function only(objects: readonly KubernetesObject[], kind: string): KubernetesObject {
  const found = objects.filter(object => object.kind === kind)
  if (found.length !== 1) throw new Error(`${found.length} objects of kind ${kind}`)
  return found[0]!
}

export const kinds = (objects: readonly KubernetesObject[]): string[] =>
  objects.map(({ kind }) => kind).toSorted()
