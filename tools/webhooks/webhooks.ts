import { Type } from 'typebox'
import type { Arguments, Check } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { someChange } from '../../src/engine/rows/checks.ts'
import {
  Confirm,
  flag,
  forgeDefault,
  inert,
  oneOf,
  optional,
  orNone,
  Page,
  ProjectOrGroup,
  replacing,
  secret,
  secretUrl,
  text,
  toldElsewhere
} from '../../src/engine/rows/fields.ts'
import { made } from '../../src/engine/rows/made-names.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { fieldsOf, isEmptyList } from '../../src/results/is-record.ts'
import { MASK, maskedUrl } from '../../src/results/masked-url.ts'
import { ArgumentError, CallProblem } from '../../src/results/problem.ts'
import {
  asFlags,
  events,
  eventsOfPlace,
  eventsOn,
  insteadOfFlags,
  insteadOfPause,
  testEvents
} from './events.ts'
import { shownHook } from './record.ts'

const one = '{PG}/hooks/{hook_id}'
const hook = { ...ProjectOrGroup, hook_id: text() }
const ofGroup = { edition: 'Premium', with: 'group_id' } as const

const Settings = {
  name: optional(orNone(text())),
  description: optional(inert(text('One line'))),
  push_events_branch_filter: optional(made(orNone(text('Only pushes to branches that match')))),
  branch_filter_strategy: optional(oneOf(['wildcard', 'regex', 'all_branches'])),
  enable_ssl_verification: optional(flag()),
  token: optional(secret('Sent as X-Gitlab-Token'))
}
const asFlag = (words: readonly string[]) => ({
  alias: Object.fromEntries(words.map(word => [`${word}_events`, word]))
})

const Event = { ...oneOf(events), ...asFlag(events), instead: { all: 'name each', '*': 'name each' } }

const advice = {
  403: 'It takes the Maintainer role in a project, the Owner role in a group.',
  422: 'The forge refuses this url, mostly because it is in its local network, or a value: change it.'
}

/**
 * Whether an address lacks its secrets, as shown addresses do. A webhook with such an address would be refused by its
 * receiver.
 */
const isMasked = (url: unknown): boolean => String(url ?? '').includes(MASK)
const wholeUrl = `url has ${MASK} where what may be a secret is left out`

const notMasked: Check = ({ url }) => {
  if (isMasked(url)) throw new CallProblem(`${wholeUrl}: give the whole address.`)
}

/**
 * Refuses anything but a web address. The forge only says that it is not allowed. The value may be a secret, so it is
 * not repeated.
 */
const isWebAddress: Check = ({ url }) => {
  if (url !== undefined && !/^\s*https?:\/\/[^\s/]/i.test(String(url)))
    throw new ArgumentError('url', 'must be a whole address that begins with https:// or http://')
}

/**
 * Adds the address to a change, because the forge requires it with every change. If the address is given as it is
 * shown, with masks, the stored one is kept.
 * @throws CallProblem if the forge does not return the stored address, or if the masked one is that of another webhook
 */
async function withUrl(args: Arguments, { forge }: ToolContext): Promise<Arguments> {
  const flags = asFlags(args, true)
  if (args.url !== undefined && !isMasked(args.url)) return flags
  const { value } = await forge.send(requestTo(`GET ${one}`, args))
  const url = (value as { url?: unknown } | undefined)?.url
  if (typeof url !== 'string')
    throw new CallProblem('The forge answered without the url of the webhook: give it.')
  if (args.url !== undefined && args.url !== maskedUrl(url))
    throw new CallProblem(`${wholeUrl}, and is not that of this webhook: give the whole address, or none.`)
  return { ...flags, url }
}

/** The notice about a webhook without events. The forge keeps it, and it looks like any other. */
const callsNobody = (value: unknown, { events: wanted }: Arguments): string | undefined =>
  isEmptyList(wanted) && eventsOn(fieldsOf(value)).length === 0
    ? 'It reports no event now, and so is never called: events switches some on, delete_webhook takes it away.'
    : undefined

export const webhookRows: readonly ToolRow[] = [
  rest({
    name: 'list_webhooks',
    class: 'read',
    title: 'Webhooks',
    summary: 'List where a project or group sends its events; for Maintainers.',
    input: Type.Object({ ...ProjectOrGroup, ...Page }),
    request: 'GET {PG}/hooks',
    shape: shownHook,
    record: 'webhook',
    advice,
    edition: ofGroup
  }),
  rest({
    name: 'create_webhook',
    class: 'write',
    title: 'Create webhook',
    summary: "Send the project's data to url from now on, at each of these events.",
    input: Type.Object(
      {
        ...ProjectOrGroup,
        url: secretUrl(),
        events: Type.Array(Event, { minItems: 1 }),
        ...Settings,
        enable_ssl_verification: optional(forgeDefault(true, Settings.enable_ssl_verification))
      },
      { instead: insteadOfFlags }
    ),
    check: [eventsOfPlace, isWebAddress, notMasked],
    adapt: args => asFlags(args, false),
    request: 'POST {PG}/hooks',
    shape: shownHook,
    record: 'webhook',
    advice,
    edition: ofGroup
  }),
  rest({
    name: 'update_webhook',
    class: 'write',
    title: 'Update webhook',
    summary: "Change what is given; the project's data goes to url.",
    input: Type.Object(
      {
        ...hook,
        url: optional(secretUrl()),
        events: optional(
          replacing(
            Type.Array(toldElsewhere('create_webhook', 'As of create_webhook', Event), {
              description: 'Replace all'
            })
          )
        ),
        ...Settings
      },
      { instead: { ...insteadOfFlags, ...insteadOfPause } }
    ),
    check: [eventsOfPlace, isWebAddress, someChange('project_id', 'group_id', 'hook_id')],
    adapt: withUrl,
    request: `PUT ${one}`,
    notice: callsNobody,
    shape: shownHook,
    record: 'webhook',
    advice,
    edition: ofGroup
  }),
  rest({
    name: 'delete_webhook',
    class: 'destructive',
    title: 'Delete webhook',
    summary: 'Delete it for good.',
    input: Type.Object({ ...hook, confirm: Confirm('url') }),
    confirm: { read: `GET ${one}`, field: 'url', noun: 'webhook', shown: maskedUrl },
    request: `DELETE ${one}`,
    local: ['confirm'],
    done: 'The webhook is deleted.',
    advice,
    edition: ofGroup
  }),
  rest({
    name: 'test_webhook',
    class: 'write',
    title: 'Test webhook',
    summary: 'Send it a sample of an event now; at most five a minute.',
    input: Type.Object({
      ...hook,
      event: toldElsewhere('create_webhook', 'Most of those of create_webhook', {
        ...oneOf(testEvents),
        ...asFlag(testEvents)
      })
    }),
    request: `POST ${one}/test/{.event}_events`,
    done: 'The receiver has taken the test event.',
    advice: {
      ...advice,
      422: 'The receiver did not answer with 2xx, or there is nothing to make the event of: list_webhooks shows in alert_status how it does.',
      429: 'Tests are limited to five a minute: wait, then repeat.'
    },
    edition: ofGroup
  })
]
