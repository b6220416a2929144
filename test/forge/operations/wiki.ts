import { LEVEL } from '../access.ts'
import {
  bodyText,
  type Call,
  created,
  forbidden,
  noContent,
  notFound,
  ok,
  queryFlag,
  queryText,
  refuse
} from '../http.ts'
import { requireTitle } from '../model/noteables.ts'
import type { WikiPage } from '../types.ts'
import { ofBoth, type Place } from './both.ts'

/** The wiki of a place. Wikis of groups need the Premium tier; those of projects can be switched off. */
const wikiOf = (call: Call, place: Place): WikiPage[] => {
  if ('group' in place && place.settings.features.wiki === 'disabled') throw forbidden()
  if (!('group' in place) && call.state.edition === 'ce') throw notFound('Wiki')
  return place.wiki
}

const slugOf = (title: string) => title.trim().replace(/ +/g, '-')

const present = (page: WikiPage, content?: string) => ({
  format: page.format,
  slug: page.slug,
  title: page.title,
  wiki_page_meta_id: null,
  ...(content !== undefined && { content, encoding: 'UTF-8' })
})

const pageOf = (call: Call, pages: WikiPage[]): WikiPage => {
  const page = pages.find(({ slug }) => slug === call.params.slug)
  if (!page) throw notFound('Wiki Page')
  return page
}

const write = (call: Call, page: WikiPage, content: string) => {
  page.content = content
  page.versions.set(call.state.hash('wiki', page.slug, content, page.versions.size), content)
}

const retitle = (pages: WikiPage[], page: WikiPage, wanted: string | null | undefined) => {
  const title = requireTitle(wanted)
  const slug = slugOf(title)
  if (pages.some(other => other !== page && other.slug === slug))
    throw refuse(400, 'Duplicate page: A page with that title already exists')
  Object.assign(page, { slug, title: title.split('/').at(-1)! })
}

/** Operations on wikis of projects and groups. */
export const wikiOperations = ofBoth((kind, find) => ({
  [`list_${kind}_wiki_pages`]: call =>
    ok(
      wikiOf(call, find(call)).map(page =>
        present(page, queryFlag(call, 'with_content') ? page.content : undefined)
      )
    ),
  [`get_${kind}_wiki_page`]: call => {
    const page = pageOf(call, wikiOf(call, find(call)))
    const version = queryText(call, 'version')
    const content = version === undefined ? page.content : page.versions.get(version)
    if (content === undefined) throw notFound('Wiki Page')
    return ok(present(page, content))
  },
  [`create_${kind}_wiki_page`]: call => {
    const pages = wikiOf(call, find(call, LEVEL.developer))
    const format = bodyText(call, 'format') ?? 'markdown'
    const page: WikiPage = { slug: '', title: '', format, content: '', versions: new Map() }
    retitle(pages, page, bodyText(call, 'title'))
    write(call, page, bodyText(call, 'content') ?? '')
    pages.push(page)
    return created(present(page, page.content))
  },
  [`update_${kind}_wiki_page`]: call => {
    const pages = wikiOf(call, find(call, LEVEL.developer))
    const page = pageOf(call, pages)
    if ('title' in call.body) retitle(pages, page, bodyText(call, 'title'))
    page.format = bodyText(call, 'format') ?? page.format
    write(call, page, bodyText(call, 'content') ?? page.content)
    return ok(present(page, page.content))
  },
  [`delete_${kind}_wiki_page`]: call => {
    const pages = wikiOf(call, find(call, LEVEL.maintainer))
    pages.splice(pages.indexOf(pageOf(call, pages)), 1)
    return noContent()
  }
}))
