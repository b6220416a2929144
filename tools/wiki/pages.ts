import { Type } from 'typebox'
import { guessOf } from '../../src/engine/arguments/problems.ts'
import { sameName } from '../../src/engine/arguments/same-name.ts'
import type { Reason } from '../../src/engine/facts/reason.ts'
import { exactlyOne, lineRange, someChange } from '../../src/engine/rows/checks.ts'
import {
  filled,
  forgeDefault,
  inert,
  oneOf,
  optional,
  ProjectOrGroup,
  text,
  wholeList
} from '../../src/engine/rows/fields.ts'
import { LineRange } from '../../src/engine/rows/lines.ts'
import { newName, renaming } from '../../src/engine/rows/made-names.ts'
import { custom, rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { sentence } from '../../src/engine/suggestions/listed.ts'
import { lastOf } from '../../src/engine/suggestions/path-parts.ts'
import { perhaps } from '../../src/results/unseen-in-names.ts'
import { quotedName, wordsOf } from '../../src/results/visible.ts'
import { readPage } from './read-page.ts'

/** How many pages are listed: more than anybody reads. The forge sends the whole list. */
const MAX_PAGES = 1000

/** Most characters of a title. A title is the path of a file, with folders of any depth. */
const PATH_CHARS = 4096

const page = { ...ProjectOrGroup, slug: text('From list_wiki_pages, such as docs/setup') }
const Format = oneOf(['markdown', 'rdoc', 'asciidoc', 'org'])

/** Keeps a page in its folder. A new title without a folder would move the page to the top. */
const stayInFolder = (args: Record<string, unknown>) => {
  const [slug, title] = [String(args.slug), args.title]
  const folder = slug.slice(0, slug.lastIndexOf('/') + 1)
  return typeof title === 'string' && folder !== '' && !title.includes('/')
    ? { ...args, title: `${folder}${title}` }
    : args
}

/** The wiki of a group needs a paid edition. */
const edition = { edition: 'Premium', with: 'group_id' } as const

const off = 'The wiki may be switched off, or your role too low.'
/** How many pages are compared with the requested name. */
const MAX_COMPARED = 2000

/** Finds the page that a caller meant. Callers often give a page's title, or leave out its folder. */
const nearSlug: Reason = {
  statuses: [404],
  read: 'GET {PG}/wikis',
  by: 'list_wiki_pages',
  say: (pages, { slug, version }) => {
    if (!Array.isArray(pages)) return undefined
    const slugs = pages
      .slice(0, MAX_COMPARED)
      .map((page: { slug?: unknown } | null) => wordsOf(page?.slug ?? ''))
    if (slugs.includes(String(slug)))
      return version === undefined
        ? undefined
        : `The page is there, and has no version ${quotedName(String(version))}.`
    const wanted = String(slug).replaceAll(' ', '-')
    const isWanted = sameName(lastOf(wanted))
    const same = slugs.filter(path => isWanted(lastOf(path)))
    if (same.length > 0) return perhaps(same.slice(0, 5))
    const guess = guessOf(wanted, slugs)
    return guess && sentence(guess)
  }
}

const ofText = 'search with scope=wiki_blobs finds text in pages'
const noSuch = 'list_wiki_pages has the pages that you may see; create_wiki_page makes one.'

export const wikiRows: readonly ToolRow[] = [
  rest({
    name: 'list_wiki_pages',
    class: 'read',
    title: 'Wiki pages',
    summary: 'List the pages of a wiki; of a group on Premium forges only.',
    input: Type.Object(ProjectOrGroup, {
      ...wholeList,
      instead: { search: ofText, query: ofText }
    }),
    request: 'GET {PG}/wikis',
    shape: value => (Array.isArray(value) ? value.slice(0, MAX_PAGES) : value),
    notice: value =>
      Array.isArray(value) && value.length > MAX_PAGES
        ? `The first ${MAX_PAGES} of ${value.length} pages are shown; get_wiki_page reads any by its slug.`
        : undefined,
    record: 'wiki_page',
    edition,
    advice: { 403: off, 404: 'There is no such project or group, or no wiki in it that you may see.' }
  }),
  custom({
    name: 'get_wiki_page',
    class: 'read',
    title: 'Wiki page',
    summary: 'Read a page of a wiki.',
    idempotent: true,
    input: Type.Object({ ...page, version: optional(text('Commit SHA')), ...LineRange }),
    check: [exactlyOne('project_id', 'group_id'), lineRange],
    run: readPage,
    edition,
    reason: nearSlug,
    advice: { 403: off, 404: noSuch }
  }),
  rest({
    name: 'create_wiki_page',
    class: 'write',
    title: 'Create wiki page',
    summary: 'Create a page; its slug is made of the title, where docs/Set up makes a folder.',
    input: Type.Object({
      ...ProjectOrGroup,
      title: newName(PATH_CHARS),
      content: inert({ ...text(), ...filled }),
      format: optional(forgeDefault('markdown', Format))
    }),
    request: 'POST {PG}/wikis',
    record: 'wiki_page',
    edition,
    advice: {
      400: 'A title that is taken is the usual reason: change that page with update_wiki_page.',
      403: off
    }
  }),
  rest({
    name: 'update_wiki_page',
    class: 'write',
    title: 'Update wiki page',
    summary:
      'Change a page; content replaces it as a whole, and the last writer wins. The result has its new slug.',
    input: Type.Object({
      ...page,
      title: optional(renaming('slug', newName(PATH_CHARS))),
      content: optional(
        inert({
          ...text(),
          pattern: '\\S',
          problem: 'must not be empty: left out, it stays',
          shownByLines: true
        })
      ),
      format: optional(Format)
    }),
    check: [someChange('project_id', 'group_id', 'slug')],
    request: 'PUT {PG}/wikis/{.slug}',
    adapt: stayInFolder,
    record: 'wiki_page',
    edition,
    reason: nearSlug,
    advice: { 403: off, 404: noSuch }
  }),
  rest({
    name: 'delete_wiki_page',
    class: 'destructive',
    title: 'Delete wiki page',
    summary: 'Delete a page; the Git history of the wiki keeps it.',
    input: Type.Object(page),
    request: 'DELETE {PG}/wikis/{.slug}',
    done: 'The page is deleted.',
    edition,
    advice: { 403: off, 404: noSuch }
  })
]
