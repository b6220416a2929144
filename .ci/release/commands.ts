/* What a release runs, as words. */

/** A program and its arguments; `into` names the file that takes what it prints. */
export interface Command {
  readonly words: readonly string[]
  readonly into?: string
  /** Prints something where it has been done already: what a registry takes once, a second run leaves out. */
  readonly unless?: readonly string[]
}

const command = (...words: string[]): Command => ({ words })

/** The commit and the tag of a release, here; nothing leaves the machine. */
export const tagging = (version: string, files: readonly string[], notes: string): readonly Command[] => [
  command('git', 'add', ...files),
  command('git', 'commit', '--quiet', '--message', `Release ${version}`),
  // Headings of the notes begin as comments do.
  command(
    'git',
    'tag',
    '--annotate',
    `v${version}`,
    '--cleanup=whitespace',
    '--message',
    `${version}\n\n${notes}`
  )
]

interface Places {
  /** Image without a tag, such as ghcr.io/acme/forge-tool-server. */
  readonly image: string
  /** Where charts are, such as oci://ghcr.io/acme/charts. */
  readonly charts: string
  readonly revision: string
  /** Time of the commit (RFC 3339), so that it is the same whenever it is built. */
  readonly created: string
}

/** What is published, in the folder `out`: all of it is made before the first leaves the machine. */
export function publishing(
  version: string,
  { image, charts, revision, created }: Places,
  out: string
): readonly Command[] {
  const build = [
    ...['--platform', 'linux/amd64,linux/arm64', '--provenance=mode=max', '--sbom=true'],
    ...[
      '--build-arg',
      `VERSION=${version}`,
      '--build-arg',
      `REVISION=${revision}`,
      '--build-arg',
      `CREATED=${created}`
    ],
    ...['--tag', `${image}:${version}`, '--tag', `${image}:latest`, '--metadata-file', `${out}/image.json`]
  ]
  return [
    command('npm', 'ci', '--no-audit'),
    { words: ['npm', 'sbom', '--omit=dev', '--sbom-format=cyclonedx'], into: `${out}/sbom.cdx.json` },
    command('npm', 'pack', '--pack-destination', `${out}/package`),
    command('helm', 'package', 'helm', '--destination', `${out}/chart`),
    command('docker', 'buildx', 'build', ...build, '.'),
    command('docker', 'buildx', 'build', ...build, '--push', '.'),
    command('helm', 'push', `${out}/chart/forge-tool-server-${version}.tgz`, charts),
    {
      words: [
        ...['npm', 'publish', '--provenance', '--access=public'],
        `${out}/package/forge-tool-server-${version}.tgz`
      ],
      unless: ['npm', 'view', `forge-tool-server@${version}`, 'version']
    },
    command('mcp-publisher', 'publish')
  ]
}
