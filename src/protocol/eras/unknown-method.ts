import { nearest } from '../../base/nearest.ts'
import { capabilityFor } from '../../engine/consent/question.ts'
import type { Service } from '../exchange/service.ts'
import { methodOf, type Offered } from '../methods/offers.ts'
import { metaKey } from './modern/envelope.ts'
import { notifications } from './notifications.ts'

const ofClients = 'It is what a server asks its client, whose answer has a result or an error and no method.'
const noTasks =
  'Tasks are not offered: a call is answered when it is done, and one with a progressToken says meanwhile how far it is.'
const noSubscription =
  'The forge tells nobody here what changes: read the resource again, whenever it is wanted.'

/** Methods of MCP that one era or both lack here, with their replacement, or the reason why there is none. */
const inPlace: ReadonlyMap<string, string> = new Map([
  ...Object.keys(capabilityFor).map(method => [method, ofClients] as const),
  ...['get', 'list', 'result', 'cancel', 'update'].map(what => [`tasks/${what}`, noTasks] as const),
  ['resources/subscribe', noSubscription],
  ['resources/unsubscribe', noSubscription],
  ['initialize', 'There is no handshake: server/discover says what is offered.'],
  ['ping', 'Any answer shows that the server is there, such as that to server/discover.'],
  ['logging/setLevel', `Each request names its own level, in _meta["${metaKey.logLevel}"].`],
  ['server/discover', 'initialize says what is offered.'],
  ['subscriptions/listen', 'Changes are told on the stream of a call: list again, whenever it is wanted.']
])

/** Names that people use by mistake for a method. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['prompts/call', 'prompts/get'],
  ['resources/get', 'resources/read'],
  ['tools/execute', 'tools/call'],
  ['tools/invoke', 'tools/call'],
  ['tools/run', 'tools/call'],
  ['complete', 'completion/complete']
])

/** The words of a name, in a fixed order and without a plural s: libraries call tools/list listTools or list_tools. */
export const methodWordsOf = (method: string): string =>
  method
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '/')
    .toLowerCase()
    .split(/[^a-z]/)
    .map(word => word.replace(/s$/, ''))
    .sort()
    .join('/')

/** Most characters of a name that are examined, because callers choose names. */
export const MAX_NAME = 100

/** The name that a wrong name was meant to be: it has the same words, or nearly the same spelling. */
export function nearName(name: string, names: readonly string[]): string | undefined {
  const words = methodWordsOf(name)
  return names.find(other => methodWordsOf(other) === words) ?? nearest(name, names)
}

type Methods = ReadonlyMap<string, unknown>

/** For a method that is similar to no other. */
const noSuch = 'There is no such method.'

/**
 * The message for an unknown method, and its hint. The caller chooses the method's name, which may have any length.
 * @param others the methods of the other era, and its revisions
 */
export function unknownMethod(
  method: string,
  table: Methods,
  [others, versions]: readonly [Methods, readonly string[]],
  service: Offered & Pick<Service, 'catalog'>
): { message: string; hint: string } {
  const name = method.slice(0, MAX_NAME)
  const why = table.has(method)
    ? 'What it is about is switched off on this server.'
    : (elsewhere(method, others, versions) ?? inPlace.get(method) ?? misnamed(name, method, table, service))
  return { message: `Unknown method: ${name}${why === undefined ? '' : `. ${why}`}`, hint: why ?? noSuch }
}

function elsewhere(method: string, others: Methods, versions: readonly string[]): string | undefined {
  if (!others.has(method)) return undefined
  const instead = inPlace.get(method)
  return `It is of ${versions.join(', ')}, and this request is not.${instead === undefined ? '' : ` ${instead}`}`
}

function misnamed(
  name: string,
  method: string,
  table: Methods,
  service: Offered & Pick<Service, 'catalog'>
): string | undefined {
  if (method.startsWith('notifications/')) return 'A notification has no id: leave that out.'
  if (method === 'initialized' && !table.has('initialize')) return inPlace.get('initialize')
  if (notifications.includes(method))
    return `It is a notification: send notifications/${method}, without an id.`
  if (service.catalog.find(method) !== undefined)
    return 'It is a tool: send tools/call with params.name and params.arguments.'
  const served = [...table.keys()].filter(other => methodOf(table, other, service) !== undefined)
  const near = served.find(other => other === otherNames.get(method)) ?? nearName(name, served)
  return near === undefined ? undefined : `Did you mean ${near}?`
}
