import { numberOfGid } from '../../src/engine/requests/gid.ts'
import { type Fields, fieldsOf, textOf } from '../../src/results/is-record.ts'
import { known } from '../families/lists/connections.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a forge answers has no type until it is looked at
type Answer = any

/** The location in one line: `src/a.ts:3-5`, `package-lock.json: left-pad 1.0.0`, `registry/image (alpine): zlib`. */
function lineOf(location: unknown): string | undefined {
  const at = fieldsOf(location)
  const text = (name: string) => textOf(at[name])
  const { package: of, version } = fieldsOf(at.dependency)
  const [file, image, system] = [text('file'), text('image'), text('operatingSystem')]
  const place = file
    ? file + linesOf(text('startLine'), text('endLine'))
    : image
      ? image + (system && ` (${system})`)
      : text('hostname') + text('path')
  const part = [textOf(fieldsOf(of).name), textOf(version)].filter(Boolean).join(' ')
  return [place, part].filter(Boolean).join(': ') || undefined
}

function linesOf(first: string, last: string): string {
  if (first === '') return ''
  return last === '' || last === first ? `:${first}` : `:${first}-${last}`
}

const short = (found: Answer) => ({
  id: numberOfGid(found.id),
  title: found.title,
  state: found.state,
  severity: found.severity,
  report_type: found.reportType,
  location: lineOf(found.location)
})

/** A vulnerability as lists show it. */
export const slimRecord = (found: Answer): Fields =>
  known({
    ...short(found),
    identifiers: found.identifiers?.map((identifier: Answer) => identifier?.name),
    detected_at: found.detectedAt,
    web_url: found.webUrl
  })

/** A vulnerability with all its fields. */
export const wholeRecord = (found: Answer): Fields =>
  known({
    ...short(found),
    description: found.description,
    dismissal_reason: found.dismissalReason,
    scanner:
      found.scanner &&
      known({ ...fieldsOf(found.scanner), externalId: undefined, external_id: found.scanner.externalId }),
    identifiers: found.identifiers?.map((identifier: Answer) =>
      known({
        type: identifier?.externalType,
        id: identifier?.externalId,
        name: identifier?.name,
        url: identifier?.url
      })
    ),
    links: found.links?.map((link: Answer) => known({ name: link?.name, url: link?.url })),
    project: found.project?.fullPath,
    detected_at: found.detectedAt,
    confirmed_at: found.confirmedAt,
    resolved_at: found.resolvedAt,
    dismissed_at: found.dismissedAt,
    web_url: found.webUrl
  })
