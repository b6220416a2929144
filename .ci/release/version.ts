/* What a version is written into: texts in, texts out. */

export type Texts = Readonly<Record<string, string>>

/** No prerelease: the image would be `latest`, and npm takes none without a tag of its own. */
const VERSION = /^\d+\.\d+\.\d+$/

/** Files that name the version, and how to find it there: the text before it and after it. */
const places: Readonly<Record<string, readonly RegExp[]>> = {
  'package.json': [/^( {2}"version": ")[^"]+(",)$/m],
  'package-lock.json': [/^( {2}"version": ")[^"]+(",)$/m, /^( {6}"version": ")[^"]+(",)$/m],
  'server.json': [/^( {2}"version": ")[^"]+(",)$/m, /^( {6}"version": ")[^"]+(",)$/m],
  Dockerfile: [/^(ARG VERSION=).+()$/m],
  'helm/Chart.yaml': [/^(version: ).+()$/m, /^(appVersion: ).+()$/m],
  'docs/kubernetes.md': [
    /(docker build -t \S+\/forge-tool-server:)[^\s]+()/,
    /(docker push \S+\/forge-tool-server:)[^\s]+()/
  ]
}
const CHANGELOG = 'CHANGELOG.md'
const UNRELEASED = '## [Unreleased]'

/** The files that a release changes. */
export const releasedFiles: readonly string[] = [...Object.keys(places), CHANGELOG]

/**
 * The files of a release.
 * @param texts of releasedFiles @param version without a v @param date of the changelog, as 2026-11-22
 * @throws Error where there is nothing to release, or a file is not as it should be
 */
export function released(texts: Texts, version: string, date: string): Texts {
  if (!VERSION.test(version)) throw new Error(`${version} is no version such as 1.2.3`)
  const changed: Record<string, string> = { [CHANGELOG]: withRelease(texts[CHANGELOG]!, version, date) }
  for (const [file, patterns] of Object.entries(places)) {
    changed[file] = texts[file]!
    for (const pattern of patterns) {
      if (!pattern.test(changed[file]))
        throw new Error(`${file} names no version where ${pattern} looks for it`)
      changed[file] = changed[file].replace(pattern, `$1${version}$2`)
    }
  }
  return changed
}

function withRelease(changelog: string, version: string, date: string): string {
  if (changelog.includes(`\n## [${version}]`)) throw new Error(`CHANGELOG.md has ${version} already`)
  if (notesOf(changelog, 'Unreleased') === '') throw new Error('CHANGELOG.md has nothing under Unreleased')
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n\n## [${version}] - ${date}`)
}

/** What the changelog says of a version. */
export function notesOf(changelog: string, version: string): string {
  const from = changelog.indexOf(`\n## [${version}]`)
  if (from < 0) return ''
  const [, ...lines] = changelog.slice(from + 1).split('\n')
  const end = lines.findIndex(line => line.startsWith('## '))
  return lines
    .slice(0, end < 0 ? undefined : end)
    .join('\n')
    .trim()
}

/** Where it is published: what only who releases it knows. */
interface Home {
  /** Namespace of the registry of MCP servers, such as io.github.acme. */
  readonly namespace: string
  /** URL of the source, such as https://github.com/acme/forge-tool-server. */
  readonly repository: string
}

/** package.json and server.json as they are published: with the names that the registries hold against each other. */
export function atHome(texts: Texts, { namespace, repository }: Home): Texts {
  const server = JSON.parse(texts['server.json']!)
  const name = `${namespace}/${server.name.split('/')[1]}`
  const pack = {
    ...JSON.parse(texts['package.json']!),
    mcpName: name,
    repository: { type: 'git', url: `git+${repository}.git` }
  }
  const { $schema, title, description, ...rest } = { ...server, name }
  const published = {
    $schema,
    name,
    title,
    description,
    repository: { url: repository, source: 'github' },
    ...rest
  }
  const print = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
  return { 'package.json': print(pack), 'server.json': print(published) }
}
