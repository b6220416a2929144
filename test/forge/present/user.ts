import type { ForgeState } from '../state.ts'
import type { User } from '../types.ts'

/** Gravatar-style address, as a forge without uploaded pictures shows. */
const avatarOf = (state: ForgeState, user: User) =>
  `https://secure.gravatar.com/avatar/${state.hash('avatar', user.username).slice(0, 32)}?s=80&d=identicon`

/** A person inside other records (UserBasic). */
export const presentUser = (state: ForgeState, user: User) => ({
  id: user.id,
  username: user.username,
  public_email: null,
  name: user.name,
  state: 'active',
  locked: false,
  avatar_url: avatarOf(state, user),
  web_url: `${state.url}/${user.username}`
})

export const presentUserOrNull = (state: ForgeState, user: User | null) =>
  user ? presentUser(state, user) : null

/** The caller's own record (GET /user). */
export const presentCurrentUser = (state: ForgeState, user: User) => ({
  ...presentUser(state, user),
  created_at: user.createdAt,
  bio: '',
  location: null,
  linkedin: '',
  twitter: '',
  discord: '',
  website_url: '',
  github: '',
  job_title: '',
  pronouns: null,
  organization: 'Acme',
  bot: false,
  work_information: 'Acme',
  followers: 0,
  following: 0,
  is_followed: false,
  local_time: null,
  last_sign_in_at: user.createdAt,
  confirmed_at: user.createdAt,
  last_activity_on: state.time().slice(0, 10),
  email: `${user.username}@acme.example`,
  theme_id: 3,
  color_scheme_id: 1,
  projects_limit: 100000,
  current_sign_in_at: user.createdAt,
  identities: [],
  can_create_group: true,
  can_create_project: true,
  two_factor_enabled: false,
  external: false,
  private_profile: false,
  commit_email: `${user.username}@acme.example`,
  preferred_language: 'en'
})
