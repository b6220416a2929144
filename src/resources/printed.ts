import type { ResourceRow } from './row.ts'

/** The reference of resources as Markdown, printed from the rows. */
export const printResources = (rows: readonly ResourceRow[]): string =>
  [
    '# Resources',
    '',
    'Clients read resources by URI, and let people attach them. Each is read by running a tool, under the policy, the',
    'bounds and the audit line of that tool, and is listed to whoever may call it. Values in a URI are percent-encoded, a',
    'slash of a project or a ref as `%2F`; in what stands in `{+…}` slashes stay. The forge is the one of the session.',
    '`FORGE_RESOURCES=false` switches resources off.',
    '',
    '| Resource | URI | Read by | What |',
    '|---|---|---|---|',
    ...rows.map(
      ({ title, uri, tool, description }) => `| ${title} | \`${uri}\` | \`${tool}\` | ${description} |`
    ),
    ''
  ].join('\n')
