import {
  bodyText,
  type Call,
  created,
  ForgeError,
  noContent,
  notFound,
  type Operations,
  ok,
  paged,
  refuse
} from '../../http.ts'
import type { Hook, Ops } from '../../types.ts'
import { opsOf, type Place } from './place.ts'

/** The webhooks of the place. Those of groups exist only in the paid editions (docs: group webhooks). */
const hooksOf = (call: Call, place: Place): Ops => {
  if (place === 'group' && call.state.edition === 'ce') throw new ForgeError(404, { error: '404 Not Found' })
  return opsOf(call, place)
}

const EVENTS =
  'push tag_push issues confidential_issues merge_requests note confidential_note job pipeline wiki_page deployment feature_flag releases milestone emoji resource_access_token'.split(
    ' '
  )

const present = (call: Call, { id, url, token, fields, createdAt }: Hook) => ({
  id,
  url,
  name: fields.name ?? null,
  description: fields.description ?? null,
  created_at: createdAt,
  ...Object.fromEntries(
    EVENTS.map(event => [`${event}_events`, fields[`${event}_events`] ?? event === 'push'])
  ),
  push_events_branch_filter: fields.push_events_branch_filter ?? null,
  branch_filter_strategy: fields.branch_filter_strategy ?? 'wildcard',
  enable_ssl_verification: fields.enable_ssl_verification ?? true,
  alert_status: 'executable',
  disabled_until: null,
  url_variables: [{ key: 'secret', value: 'do-not-show' }],
  custom_webhook_template: null,
  custom_headers: [{ key: 'X-Secret', value: 'do-not-show' }],
  // GitLab's API::Entities::Hook: true for a token, false for an empty text.
  token_present: Boolean(token),
  signing_token_present: false,
  ...('subgroup_events' in fields ? { subgroup_events: fields.subgroup_events } : {}),
  [call.path.includes('/groups/') ? 'group_id' : 'project_id']: 1
})

const hookOf = (call: Call, { hooks }: Ops): Hook => {
  const found = hooks.find(({ id }) => String(id) === call.params.hook_id)
  if (!found) throw notFound('')
  return found
}

/** Docs: outbound requests to the local network are not allowed. */
const checkUrl = (url: string) => {
  if (!/^https?:\/\/[^/]/.test(url))
    throw refuse(422, { url: ['is blocked: Only allowed schemes are http, https'] })
  if (/^https?:\/\/(localhost|127\.|10\.|192\.168\.)/.test(url))
    throw refuse(422, { url: ['is blocked: Requests to the local network are not allowed'] })
}

const apply = (call: Call, hook: Hook) => {
  const { url, token, ...fields } = call.body
  if (url !== undefined) checkUrl(String(url))
  hook.url = url === undefined ? hook.url : String(url)
  hook.token = token === undefined ? hook.token : String(token)
  Object.assign(hook.fields, fields)
  return present(call, hook)
}

const PER_MINUTE = 5

/** Records a test delivery. Nothing is sent; a host called "down" counts as not answering. */
const test = (call: Call, hook: Hook) => {
  const event = (call.params.trigger ?? '').replace(/_events$/, '')
  const at = call.state.now()
  const recent = hook.deliveries.filter(delivery => delivery.at > at - 60_000)
  if (recent.length >= PER_MINUTE)
    throw new ForgeError(
      429,
      { message: { error: 'This endpoint has been requested too many times. Try again later.' } },
      { 'retry-after': '60' }
    )
  hook.deliveries.push({ at, event })
  if (/\/\/down\b/.test(hook.url)) throw refuse(422, 'Hook execution failed. Ensure the project has data.')
  return created({ message: '201 Created' })
}

export const hookOperations = (place: Place): Operations => ({
  [`list_${place}_hooks`]: call => paged(call, hooksOf(call, place).hooks, hook => present(call, hook)),
  [`get_${place}_hook`]: call => ok(present(call, hookOf(call, hooksOf(call, place)))),
  [`create_${place}_hook`]: call => {
    const { hooks } = hooksOf(call, place)
    checkUrl(bodyText(call, 'url') ?? '')
    const id = call.state.nextId('hook')
    const hook: Hook = { id, url: '', token: null, fields: {}, createdAt: call.state.time(), deliveries: [] }
    const shown = apply(call, hook)
    hooks.push(hook)
    return created({ ...shown, id: hook.id })
  },
  [`update_${place}_hook`]: call => {
    if (bodyText(call, 'url') === undefined) throw refuse(400, 'url is missing')
    return ok(apply(call, hookOf(call, hooksOf(call, place))))
  },
  [`delete_${place}_hook`]: call => {
    const ops = hooksOf(call, place)
    const hook = hookOf(call, ops)
    ops.hooks = ops.hooks.filter(other => other !== hook)
    return noContent()
  },
  [`test_${place}_hook`]: call => test(call, hookOf(call, hooksOf(call, place)))
})
