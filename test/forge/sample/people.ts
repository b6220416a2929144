import { addUser } from '../model/make.ts'
import type { ForgeState, TokenKind } from '../state.ts'
import type { Job, User } from '../types.ts'

const PEOPLE: [string, string][] = [
  ['margaret', 'Margaret Hamilton'],
  ['ada', 'Ada Lovelace'],
  ['linus', 'Linus Pauling'],
  ['grace', 'Grace Hopper'],
  ['edsger', 'Edsger Dijkstra']
]

/** Accounts of bots. */
const BOTS: [string, string][] = [['project_41_bot', 'Deploy bot']]

const SCOPES: Record<TokenKind, string[]> = { personal: ['api'], oauth: ['api'], job: ['api'] }

/** Makes a token known to the forge. */
export const addToken = (
  state: ForgeState,
  token: string,
  parts: { user: User; kind?: TokenKind; scopes?: string[]; job?: Job; expiresAt?: number }
) => {
  const kind = parts.kind ?? 'personal'
  state.credentials.set(token, {
    kind,
    user: parts.user,
    scopes: parts.scopes ?? SCOPES[kind],
    expiresAt: parts.expiresAt ?? null,
    job: parts.job ?? null,
    createdAt: state.now()
  })
  return token
}

/** Finds a person by user name. */
export const person = (state: ForgeState, username: string): User =>
  state.users.find(user => user.username === username)!

/**
 * The people of every sandbox, each with a token. In the sample margaret owns the group, ada maintains, linus develops,
 * grace reports (acme/rocket only), and edsger is a stranger. ada also has a read_api token ("reader").
 */
export const addPeople = (state: ForgeState): Record<string, string> => {
  const tokens: Record<string, string> = {}
  for (const [username, name] of PEOPLE) {
    const user = addUser(state, username, name)
    tokens[username] = addToken(state, `glpat-${username.padEnd(20, '0')}`, { user })
  }
  for (const [username, name] of BOTS) addUser(state, username, name).bot = true
  const ada = person(state, 'ada')
  ada.bio = 'Writes programs for engines that are not built yet.'
  ada.jobTitle = 'Engineer'
  ada.follows.add(person(state, 'margaret').id)
  person(state, 'linus').follows.add(ada.id)
  state.oauth.approveAs = ada
  tokens.reader = addToken(state, 'glpat-reader00000000000000', { user: ada, scopes: ['read_api'] })
  return tokens
}
