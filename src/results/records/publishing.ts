import type { RecordViews } from './views.ts'

const ABOUT = 'released_at upcoming_release author{username} commit{id} milestones{title}'

/** Releases and wiki pages, which a project publishes. */
export const publishingRecords = {
  release: {
    list: `tag_name name description:1000 ${ABOUT} assets{count links{id name url link_type}}`,
    get: `tag_name name description created_at ${ABOUT} assets{count links{id name url direct_asset_url link_type} sources{format url}}`,
    write:
      'tag_name name notes_since generated_notes released_at upcoming_release? commit{id} milestones{title} assets{count links{id name url direct_asset_url link_type}}'
  },
  release_link: { list: 'id name url direct_asset_url link_type' },
  wiki_page: { list: 'slug title format' }
} as const satisfies Readonly<Record<string, RecordViews>>
