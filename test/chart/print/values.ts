import { isMap, isScalar, type Pair, parseDocument, stringify, type YAMLMap } from 'yaml'
import { factsOf } from '../../../src/config/schema.ts'
import { chartDefault, configVariables, secretVariables } from './variables.ts'

/** Helm takes words such as `off` for booleans, as YAML did until 1.2. */
const asHelmReads = { singleQuote: true, lineWidth: 0, compat: 'yaml-1.1' } as const

/** values.yaml with its blocks `config` and `existingSecret.keys` printed anew from the service's variables. */
export function withPrintedBlocks(values: string): string {
  const config = configVariables.flatMap(variable => [
    `  # ${factsOf(variable).description}`,
    `  ${variable}: ${stringify(chartDefault(variable), asHelmReads).trim()}`
  ])
  const keys = secretVariables.map(variable => `    ${variable}: ${variable}`)
  return withBlock(withBlock(values, '', 'config', config), '  ', 'keys', keys)
}

const withBlock = (text: string, indent: string, name: string, lines: readonly string[]): string =>
  text.replace(new RegExp(`# <${name}>\\n[\\s\\S]*?# </${name}>`), () =>
    [`# <${name}>`, `${indent}${name}:`, ...lines, `# </${name}>`].join('\n')
  )

interface Row {
  key: string
  value: unknown
  meaning: string
}

/** Maps whose keys are the reader's own or Kubernetes', and which one row tells. */
const whole = /^(.*(Probe|[sS]ecurityContext|resources|strategy|behavior|Labels|Annotations)|labels)$/

/** The chart's README, printed from values.yaml: the comment above a key is its meaning. */
export function printReadme(values: string): string {
  const rows = rowsOf(parseDocument(values).contents as YAMLMap, '')
  return [
    '# Chart forge-tool-server',
    '',
    'Printed by `npm run docs` from values.yaml. How to install, expose, scale, upgrade and rotate keys:',
    '[docs/kubernetes.md](../docs/kubernetes.md).',
    '',
    '```sh',
    'helm install forge ./helm \\',
    '  --set image.repository=registry.example.com/tools/forge-tool-server \\',
    '  --set config.FORGE_API_URL=https://forge.example',
    '```',
    '',
    '| Value | Default | Meaning |',
    '|---|---|---|',
    ...rows.map(({ key, value, meaning }) => `| \`${key}\` | ${printValue(value)} | ${meaning} |`),
    ''
  ].join('\n')
}

function rowsOf(map: YAMLMap, prefix: string): Row[] {
  return map.items.flatMap((item, index) =>
    // The parser gives the comment above the first key to the map.
    rowsOfPair(item as Pair, prefix, index === 0 && prefix !== '' ? map.commentBefore : undefined)
  )
}

function rowsOfPair(pair: Pair, prefix: string, comment: string | null | undefined): Row[] {
  const name = String(isScalar(pair.key) ? pair.key.value : pair.key)
  const key = `${prefix}${name}`
  const meaning = meaningOf(comment ?? (isScalar(pair.key) ? pair.key.commentBefore : undefined) ?? '')
  const value = pair.value
  if (isMap(value) && value.items.length > 0 && !whole.test(name)) {
    const inner = rowsOf(value, `${key}.`)
    return meaning === '' ? inner : [{ key, value: undefined, meaning }, ...inner]
  }
  return [{ key, value: isScalar(value) ? value.value : (value as YAMLMap).toJSON(), meaning }]
}

/** The comment right above: a blank line ends what came before. */
function meaningOf(comment: string): string {
  return comment
    .split(/\n\s*\n/)
    .at(-1)!
    .split('\n')
    .map(line => line.trim())
    .filter(line => !/^<\/?(config|keys)>$/.test(line))
    .join(' ')
    .replaceAll('|', '\\|')
    .trim()
}

const printValue = (value: unknown): string =>
  value === undefined || value === '' ? '' : `\`${JSON.stringify(value).replaceAll('|', '\\|')}\``
