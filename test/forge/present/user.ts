import type { ForgeState } from '../state.ts'
import type { Membership, User } from '../types.ts'

/** A Gravatar address, as a forge without uploaded pictures shows it. */
const avatarOf = (state: ForgeState, user: User) =>
  `https://secure.gravatar.com/avatar/${state.hash('avatar', user.username).slice(0, 32)}?s=80&d=identicon`

/** A person inside other records (UserBasic). */
export const presentUser = (state: ForgeState, user: User) => ({
  id: user.id,
  username: user.username,
  public_email: user.publicEmail,
  name: user.name,
  state: 'active',
  locked: false,
  avatar_url: avatarOf(state, user),
  web_url: `${state.url}/${user.username}`
})

export const presentUserOrNull = (state: ForgeState, user: User | null) =>
  user ? presentUser(state, user) : null

const followersOf = (state: ForgeState, user: User) =>
  state.users.filter(({ follows }) => follows.has(user.id)).length

/** A person's profile, as others see it (User). */
export const presentProfile = (state: ForgeState, caller: User, user: User) => ({
  ...presentUser(state, user),
  created_at: user.createdAt,
  bio: user.bio,
  location: user.location,
  linkedin: '',
  twitter: '',
  discord: '',
  website_url: '',
  github: '',
  job_title: user.jobTitle,
  pronouns: null,
  organization: 'Acme',
  bot: user.bot,
  work_information: 'Acme',
  followers: followersOf(state, user),
  following: user.follows.size,
  is_followed: caller.follows.has(user.id),
  local_time: '9:00 AM'
})

/** The caller's own record (GET /user). */
export const presentCurrentUser = (state: ForgeState, user: User) => ({
  ...presentProfile(state, user, user),
  namespace_id: 1000 + user.id,
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

/** A person's status. */
export const presentStatus = ({ status }: User) => ({
  emoji: status.emoji,
  message: status.message,
  availability: status.availability,
  message_html: status.message ?? '',
  clear_status_at: status.clearAt
})

/** A person as a member of a project or group. */
export const presentMember = (state: ForgeState, user: User, member: Membership) => ({
  ...presentUser(state, user),
  access_level: member.level,
  created_at: member.createdAt,
  created_by: presentUserOrNull(state, member.createdBy),
  expires_at: member.expiresAt,
  membership_state: 'active',
  member_role: null
})
